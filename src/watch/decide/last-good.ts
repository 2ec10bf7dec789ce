import { hasErrors } from '../../diagnostics/diagnostic.ts';
import { Ref } from '../../kinds/value.ts';
import { nestedName, splitAddress, type Address } from '../../model/address.ts';
import { compareText } from '../../model/compare-text.ts';
import type { KeptVersions } from '../../model/status/watch-status.ts';
import { formerAddresses, type Desired, type DesiredStack } from '../../model/resource.ts';
import type { PlanInput } from '../../plan/input.ts';
import { ancestors } from '../../stack/git/tree-entries.ts';

/** What is in force, and what of it is an earlier version. */
export interface StackInForce extends DesiredStack {
  /** Absent: all is as it was read. */
  readonly kept?: KeptVersions;
  /** What the errors are about; absent where there are none. */
  readonly inError?: InError;
}

/** What manifests with errors are about. */
export interface InError {
  /** As they were read, or were before. */
  readonly resources: readonly Desired[];
  /** Whether they may be about any others as well: of a file that cannot be read, nothing is known. */
  readonly orOthers: boolean;
}

/**
 * What is in force after reading manifests: what has no error; of what stood in files with errors, or is wrong itself, the last good
 * version; and nothing is taken for removed while anything is broken, since what cannot be read may be just what is missed (law 7).
 * Where nobody knows what an error is about, the last good version of everything is.
 */
export function lastGood(read: DesiredStack, before: DesiredStack | undefined): StackInForce {
  if (!hasErrors(read.diagnostics)) return read;
  const { broken = new Set(), brokenFiles = new Set(), unread = new Set(), inDoubt = false } = read;
  const sound = inDoubt ? [] : read.resources.filter(({ address }) => !broken.has(address));
  const present = new Set(sound.map(({ address }) => address));
  const earlier = before?.resources ?? [];
  const moved = movedIn(sound, read.resources, earlier);
  const isKept = (one: Desired): boolean =>
    !present.has(one.address) &&
    (inDoubt || broken.has(one.address) || isIn(one.place.file, brokenFiles)) &&
    !hasMoved(one, moved);
  const kept = earlier.filter(isKept);
  const inError = [...kept, ...read.resources.filter(({ address }) => broken.has(address))];
  const known = inError.map(({ place }) => place.file);
  return {
    resources: [...sound, ...kept],
    diagnostics: read.diagnostics.filter(({ severity }) => severity !== 'error'),
    externals: inDoubt ? (before?.externals ?? {}) : { ...before?.externals, ...read.externals },
    complete: false,
    kept: { files: [...brokenFiles].sort(compareText), isAll: inDoubt, addresses: kept.map(({ address }) => address) },
    inError: {
      resources: inError,
      orOthers: [...unread].some((place) => !known.some((file) => isIn(file, new Set([place])))),
    },
  };
}

/** The addresses that resources have left: what is still kept there would be created a second time. */
function movedIn(
  sound: readonly Desired[],
  read: readonly Desired[],
  earlier: readonly Desired[],
): ReadonlySet<Address> {
  const before = new Set(earlier.map(({ address }) => address));
  const moved = new Set(
    sound.flatMap(({ address, lifecycle }) => (before.has(address) ? [] : formerAddresses(lifecycle))),
  );
  for (const { address } of read) moved.delete(address);
  return moved;
}

/** Whether a resource has moved, or what it is inside of. */
function hasMoved({ address, spec }: Desired, moved: ReadonlySet<Address>): boolean {
  const { name } = splitAddress(address);
  const isInside = (parent: Address): boolean => name.startsWith(nestedName(splitAddress(parent).name, ''));
  return (
    moved.has(address) ||
    Object.values(spec).some((value) => value instanceof Ref && moved.has(value.to) && isInside(value.to))
  );
}

/** Whether a file is one of these, or in a directory that is. */
function isIn(file: string, places: ReadonlySet<string>): boolean {
  return ['.', file, ...ancestors(file)].some((one) => places.has(one));
}

/** Whether something about a resource may not be in force as the manifests say, since they have errors: about itself, or about what it is inside of, or what else is inside of that. */
export function doubtfulFamilies(
  { desired, account, kinds }: PlanInput,
  { resources, orOthers }: InError = { resources: [], orOthers: false },
): (address: Address) => boolean {
  if (desired.complete) return () => false;
  if (orOthers) return () => true;
  const byId = new Map([...account.ours].map(([address, { id }]) => [id, address]));
  const parents = new Map<Address, Address | undefined>();
  for (const [address, { parent = '' }] of account.ours) parents.set(address, byId.get(parent));
  for (const { address, kind, spec } of [...desired.resources, ...resources]) {
    const parent = spec[kinds.named(kind)?.within?.by ?? ''];
    if (parent instanceof Ref) parents.set(address, parent.to);
  }
  const familyOf = (address: Address): Address => parents.get(address) ?? address;
  const wanted = new Set(desired.resources.map(({ address }) => address));
  // What no manifest has now may be in one with errors.
  const lacking = [...account.ours.keys()].filter((address) => !wanted.has(address));
  const doubtful = new Set([...resources.map(({ address }) => address), ...lacking].map(familyOf));
  return (address) => doubtful.has(familyOf(address));
}
