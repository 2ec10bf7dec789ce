import { join, resolve } from 'node:path';
import { hasErrors } from '../../diagnostics/diagnostic.ts';
import { loadManifests } from '../../manifest/load.ts';
import { readStackFile, stackFileName } from '../../manifest/stack-file/stack-file.ts';
import { kinds } from '../../kinds/index.ts';
import { Ref } from '../../kinds/value.ts';
import { addressInside, type Address } from '../../model/address.ts';
import { formerAddresses, type Desired } from '../../model/resource.ts';
import { staticOptions } from '../settings/static-options.ts';

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
  const isWhole = !hasErrors(desired.diagnostics);
  const addresses = isWhole ? new Set(desired.resources.map(({ address }) => address)) : undefined;
  const formerly = isWhole ? formerAddressesIn(desired.resources) : () => [];
  return { addresses, formerly, upstream: [...upstream] };
}

/** What is nested has the former addresses of its parent. */
function formerAddressesIn(resources: readonly Desired[]): StackManifests['formerly'] {
  const known = new Map(resources.map((one) => [one.address, one]));
  const formerOf = (address: Address): readonly Address[] => {
    const one = known.get(address);
    if (one === undefined) return [];
    const by = kinds.named(one.kind)?.within?.by;
    const parent = by === undefined ? undefined : one.spec[by];
    const own = formerAddresses(one.lifecycle);
    if (!(parent instanceof Ref)) return own;
    return [...own, ...formerOf(parent.to).map((former) => addressInside(address, parent.to, former))];
  };
  return (address) => formerOf(address).filter((former) => !known.has(former));
}
