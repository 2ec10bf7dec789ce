import { join, resolve } from 'node:path';
import { hasErrors } from '../../diagnostics/diagnostic.ts';
import { loadManifests } from '../../manifest/load.ts';
import { readStackFile, stackFileName } from '../../manifest/stack-file/stack-file.ts';
import { kinds } from '../../kinds/index.ts';
import type { Address } from '../../model/address.ts';
import { formerAddressFinder } from '../../plan/every-former-address.ts';
import { staticOptions } from '../settings/manifest-options.ts';

/** The content of the files of a stack, without the environment and the account. */
export interface StackManifests {
  /** The addresses of its manifests; undefined where these are invalid, so that some may be missing. */
  readonly addresses: ReadonlySet<Address> | undefined;
  /** The addresses that a resource had before, and that no manifest has now. */
  readonly formerly: (address: Address) => readonly Address[];
  /** The directories of the stacks whose outputs it takes. */
  readonly upstream: readonly string[];
}

/** The directories of the stacks whose outputs the manifests of a stack take; it is planned and applied after them. */
export async function upstreamStacks(dir: string): Promise<readonly string[]> {
  return (await stackManifests(dir)).upstream;
}

/** Reads the manifests of a stack. */
export async function stackManifests(dir: string): Promise<StackManifests> {
  const { file, diagnostics } = readStackFile(join(dir, stackFileName));
  const upstream = new Set<string>();
  const options =
    file === undefined || hasErrors(diagnostics)
      ? undefined
      : staticOptions(file, dir, (path) => {
          upstream.add(resolve(dir, path));
          return { owner: '' };
        });
  if (file === undefined || options === undefined) return { addresses: undefined, formerly: () => [], upstream: [] };
  const desired = await loadManifests({ ...options, inputs: file.settings.manifests });
  if (hasErrors(desired.diagnostics)) return { addresses: undefined, formerly: () => [], upstream: [...upstream] };
  const addresses = new Set(desired.resources.map(({ address }) => address));
  const find = formerAddressFinder(desired.resources, kinds);
  const formerly = (address: Address): readonly Address[] => find(address).filter((former) => !addresses.has(former));
  return { addresses, formerly, upstream: [...upstream] };
}
