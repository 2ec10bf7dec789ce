import { resolve } from 'node:path';
import { hasErrors } from '../../diagnostics/diagnostic.ts';
import { loadManifests } from '../../manifest/load.ts';
import { kinds } from '../../kinds/index.ts';
import type { Address } from '../../model/address.ts';
import { formerAddressFinder } from '../../plan/every-former-address.ts';
import { namesUntrustedManifests } from '../settings/untrusted-settings.ts';
import type { StackContext } from '../stack-context.ts';
import { staticOptions, validStackFile } from '../settings/manifest-options.ts';

/** The content of the files of a stack, without the environment and the account. */
export interface StackManifests {
  /** The addresses of its manifests; undefined where these are invalid, so that some may be missing. */
  readonly addresses: ReadonlySet<Address> | undefined;
  /** The addresses that a resource had before, and that no manifest has now. */
  readonly formerly: (address: Address) => readonly Address[];
  /** The directories of the stacks whose outputs it takes: it is planned and applied after them. */
  readonly upstream: readonly string[];
}

/** Reads the manifests of a stack, unless the operator has not allowed where they are. */
export async function stackManifests(dir: string, context: StackContext): Promise<StackManifests> {
  const valid = validStackFile(dir);
  const file = valid === undefined || namesUntrustedManifests(valid, context) ? undefined : valid;
  const upstream = new Set<string>();
  const options =
    file &&
    staticOptions(file, dir, (path) => {
      upstream.add(resolve(dir, path));
      return { owner: '' };
    });
  const desired = file && options && (await loadManifests({ ...options, inputs: file.settings.manifests }));
  if (desired === undefined || hasErrors(desired.diagnostics))
    return { addresses: undefined, formerly: () => [], upstream: [...upstream] };
  const addresses = new Set(desired.resources.map(({ address }) => address));
  const find = formerAddressFinder(desired.resources, kinds);
  const formerly = (address: Address): readonly Address[] => find(address).filter((former) => !addresses.has(former));
  return { addresses, formerly, upstream: [...upstream] };
}
