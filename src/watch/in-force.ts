import type { Address } from '../model/address.ts';
import type { Desired, DesiredStack } from '../model/resource.ts';

/** What the manifests say, as far as they can be relied on. */
export interface InForce {
  readonly desired: DesiredStack;
  /** Resources for which an earlier revision stays in force, or which are left as they are, because their manifest is broken. */
  readonly broken: ReadonlySet<Address>;
}

/**
 * What is in force after reading manifests: what has no error; of what stood in files with errors, the last good version; and nothing
 * is taken for removed while anything is broken, since what cannot be read may be just what is missed (law 7).
 */
export function inForce(read: DesiredStack, before: DesiredStack | undefined): InForce {
  const errors = read.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return { desired: read, broken: new Set() };
  const { broken = new Set() } = read;
  const sound = read.resources.filter(({ address }) => !broken.has(address));
  const present = new Set(sound.map(({ address }) => address));
  const hurt = new Set(errors.map(({ place }) => place?.file));
  const earlier: Desired[] = (before?.resources ?? []).filter(
    ({ address, place }) => !present.has(address) && (hurt.has(place.file) || hurt.has(undefined)),
  );
  return {
    desired: {
      resources: [...sound, ...earlier],
      diagnostics: read.diagnostics.filter(({ severity }) => severity !== 'error'),
      whole: false,
    },
    broken: new Set([...broken, ...earlier.map(({ address }) => address)]),
  };
}
