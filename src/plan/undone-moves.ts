import type { KindSet } from '../kinds/kind-set.ts';
import type { Address } from '../model/address.ts';
import { formerAddresses, type Desired } from '../model/resource.ts';
import { movesOf } from './moves.ts';

/**
 * Earlier manifests that take back the moves of later ones, oldest first: a resource that has another address by now had
 * that one before. What the last of them no longer describe did not move, but is gone.
 */
export function withMovesUndone(
  earlier: readonly Desired[],
  later: readonly (readonly Desired[])[],
  kinds: KindSet,
): readonly Desired[] {
  // The latest address by the earlier one.
  let names = new Map(earlier.map(({ address }) => [address, address]));
  let before = earlier;
  for (const wanted of later) {
    const ours = new Map(before.map(({ address, kind }) => [address, { kind }]));
    const { from } = movesOf(wanted, { account: { ours }, state: undefined, kinds });
    const to = new Map([...from].map(([address, former]) => [former, address]));
    names = new Map([...names].map(([first, last]): [Address, Address] => [first, to.get(last) ?? last]));
    before = wanted;
  }
  const last = new Set(before.map(({ address }) => address));
  return earlier.map((desired) => {
    const { address, lifecycle } = desired;
    const latest = names.get(address) ?? address;
    if (latest === address || !last.has(latest)) return desired;
    return { ...desired, lifecycle: { ...lifecycle, moved_from: [latest, ...formerAddresses(lifecycle)] } };
  });
}
