import { stackIdOf } from '../../derive/marker.ts';
import type { Kind, KindSet } from '../../kinds/kind.ts';
import { parentIn } from '../../kinds/parent-in.ts';
import { Ref } from '../../kinds/value.ts';
import type { Account, Actual } from '../../model/actual.ts';
import type { Address } from '../../model/address.ts';
import { addToGroup } from '../../model/group-by.ts';
import type { Desired } from '../../model/resource.ts';
import { naturalKeysOf, type NaturalKey } from '../snapshot/natural-keys.ts';

/** A resource that the manifests define, and a live one that no stack manages and that has the same unique value. */
export interface UnmanagedMatch {
  readonly desired: Desired;
  readonly actual: Actual;
  readonly by: NaturalKey;
}

/** What can be adopted, and what cannot because its values lead to several resources. */
export interface UnmanagedMatches {
  readonly matches: readonly UnmanagedMatch[];
  readonly ambiguous: readonly { readonly address: Address; readonly ids: readonly string[] }[];
}

/** Finds the live resource of each one in the manifests that is not managed yet, by the values that only one may have. Nested resources are matched within the match of their parent. */
export function unmanagedMatches(
  resources: readonly Desired[],
  { ours, foreign }: Pick<Account, 'ours' | 'foreign'>,
  kinds: KindSet,
  releasedBy?: string,
): UnmanagedMatches {
  const byKey = new Map<string, Actual[]>();
  for (const actual of foreign) {
    const kind = kinds.named(actual.kind);
    const isFree = actual.marker === undefined || stackIdOf(actual.marker) === releasedBy;
    for (const { key } of kind === undefined || !isFree ? [] : keysOf(kind, actual.spec, actual.parent))
      addToGroup(byKey, key, actual);
  }
  const found = new Map<Address, UnmanagedMatch>();
  const taken = new Set<string>();
  const ambiguous: { readonly address: Address; readonly ids: readonly string[] }[] = [];
  const outerFirst = [...kinds.all].sort((a, b) => Number(a.within !== undefined) - Number(b.within !== undefined));
  for (const kind of outerFirst)
    for (const desired of resources) {
      if (desired.kind !== kind.name || ours.has(desired.address) || desired.lifecycle.adopt !== undefined) continue;
      const keys = keysOf(kind, desired.spec, parentOf(kind, desired));
      const hits = keys.flatMap((by) => (byKey.get(by.key) ?? []).map((actual) => ({ desired, actual, by })));
      const ids = [...new Set(hits.map(({ actual }) => actual.id))];
      const [first] = hits;
      if (first === undefined) continue;
      if (ids.length > 1 || taken.has(first.actual.id)) ambiguous.push({ address: desired.address, ids });
      else {
        taken.add(first.actual.id);
        found.set(desired.address, first);
      }
    }
  return { matches: [...found.values()], ambiguous };

  /** The id of its parent, if that exists. */
  function parentOf(kind: Kind, { spec }: Desired): string | undefined {
    const parent = parentIn(kind, spec);
    if (parent instanceof Ref) return ours.get(parent.to)?.id ?? found.get(parent.to)?.actual.id;
    return typeof parent === 'string' ? parent : undefined;
  }
}

function keysOf(kind: Kind, spec: Actual['spec'], parent: string | undefined): readonly NaturalKey[] {
  if (kind.within === undefined) return naturalKeysOf(kind, spec);
  if (parent === undefined) return [];
  return naturalKeysOf(kind, spec, 'parent').map((one) => ({ ...one, key: `${parent} ${one.key}` }));
}
