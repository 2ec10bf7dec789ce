import type { KindSet } from '../kinds/kind.ts';
import type { Address } from '../model/address.ts';
import type { State } from '../model/state.ts';
import { formerAddresses, type Desired } from '../model/resource.ts';
import { movesOf } from './moves.ts';

/** Earlier manifests with the moves of later ones taken back, and what cannot be. */
export interface UndoneMoves {
  readonly resources: readonly Desired[];
  /** Resources of which one of both addresses belongs to another resource, then or now: the latest address of each by its earlier one. */
  readonly taken: ReadonlyMap<Address, Address>;
}

/**
 * Takes back, in earlier manifests, the moves of all later ones, oldest first: a resource that has another address by now had
 * that one before. What one of them no longer describes did not move, but is gone, whatever has its name afterwards.
 */
export function withMovesUndone(
  earlier: readonly Desired[],
  later: readonly (readonly Desired[])[],
  kinds: KindSet,
): UndoneMoves {
  // The latest address by the earlier one.
  let names = new Map(earlier.map(({ address }) => [address, address]));
  let before = earlier;
  for (const wanted of later) {
    const ours = new Map(before.map(({ address, kind }) => [address, { kind }]));
    const { from } = movesOf(wanted, { account: { ours }, state: undefined, kinds });
    const to = new Map([...from].map(([address, former]) => [former, address]));
    const there = new Set(wanted.map(({ address }) => address));
    const moved = [...names].map(([first, last]): [Address, Address] => [first, to.get(last) ?? last]);
    names = new Map(moved.filter(([, last]) => there.has(last)));
    before = wanted;
  }
  const last = new Set(before.map(({ address }) => address));
  const known = new Set(names.values());
  const wasThere = new Set(earlier.map(({ address }) => address));
  // Another resource has its earlier address now, or had its latest one then.
  const isTaken = ([first, latest]: readonly [Address, Address]): boolean =>
    (last.has(first) && !known.has(first)) || (wasThere.has(latest) && !names.has(latest));
  const taken = [...names].filter((one) => one[0] !== one[1] && isTaken(one));
  return { resources: movedBack(earlier, names), taken: new Map(taken) };
}

/** The same, as far as state has the earlier addresses of resources: where no commit tells that they were renamed. What takes back a move already has told. */
export function withKnownMovesUndone(earlier: readonly Desired[], state: State | undefined): UndoneMoves {
  const entries = state?.entries ?? {};
  const wanted = new Set(earlier.map(({ address }) => address));
  const told = new Set(earlier.flatMap(({ lifecycle }) => formerAddresses(lifecycle)));
  const renamed = new Map<Address, Address>();
  const taken = new Map<Address, Address>();
  for (const [latest, { formerAddresses: former = [] }] of Object.entries(entries)) {
    const names = told.has(latest) ? [] : former.filter((one) => wanted.has(one) && !Object.hasOwn(entries, one));
    const first = names.at(-1);
    // It was one of them: the others, and what had its latest address, were other resources.
    const isAmbiguous = names.length > 1 || wanted.has(latest);
    if (first !== undefined) (isAmbiguous ? taken : renamed).set(first, latest);
  }
  return { resources: movedBack(earlier, renamed), taken };
}

/** The resources, moved from their latest addresses, where these are others. */
function movedBack(earlier: readonly Desired[], latestOf: ReadonlyMap<Address, Address>): readonly Desired[] {
  return earlier.map((desired) => {
    const { address, lifecycle } = desired;
    const latest = latestOf.get(address) ?? address;
    if (latest === address) return desired;
    return { ...desired, lifecycle: { ...lifecycle, moved_from: [latest, ...formerAddresses(lifecycle)] } };
  });
}
