import { groupBy } from '../../model/group-by.ts';
import { splitAddress } from '../../model/address.ts';
import { hazardCodes, type Action } from '../../model/plan/plan.ts';
import type { PendingChange } from '../../model/status/watch-status.ts';

// More than this number of similar changes are summarized as one: changes that differ must stay visible among them.
const mostApart = 3;

/** Changes of one action and kind with the same hazards. */
export interface ChangeGroup {
  readonly action: Action;
  readonly kind: string;
  readonly changes: readonly PendingChange[];
  /** There are so many of them that they are summarized as one. */
  readonly isMany: boolean;
}

/** Changes by what they have in common: those that have little company first, then the many that are alike; of both, the most severe hazards first. */
export function changeGroups(changes: readonly PendingChange[]): readonly ChangeGroup[] {
  const groups = groupBy(changes, (one) => `${one.action} ${splitAddress(one.address).kind} ${ownHazards(one).join()}`);
  return [...groups.values()]
    .flatMap((own): (ChangeGroup & { readonly rank: number })[] => {
      const [first] = own;
      if (first === undefined) return [];
      const ranks = ownHazards(first).map((code) => hazardCodes.indexOf(code));
      const { action, address } = first;
      const { kind } = splitAddress(address);
      return [
        { action, kind, changes: own, isMany: own.length > mostApart, rank: Math.min(hazardCodes.length, ...ranks) },
      ];
    })
    .sort((a, b) => Number(a.isMany) - Number(b.isMany) || a.rank - b.rank);
}

/** What concerns the stack as a whole does not count. */
function ownHazards({ hazards }: PendingChange): readonly PendingChange['hazards'][number]['code'][] {
  return [...new Set(hazards.flatMap(({ code, isOfStack }) => (isOfStack === true ? [] : [code])))];
}
