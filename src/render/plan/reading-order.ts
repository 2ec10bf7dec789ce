import { byAddress, groupBy } from '../../model/group-by.ts';
import { inNaturalOrder } from '../../model/natural-order.ts';
import { hazardCodes, hazardsByChange, type Action, type Change, type Hazard } from '../../model/plan/plan.ts';

const actions: readonly Action[] = [
  'delete',
  'replace-delete-first',
  'replace-create-first',
  'forget',
  'adopt',
  'update',
  'create',
  'write-file',
  'record',
];

/** Hazards, the most dangerous first; lasting before temporary ones. */
export function hazardsBySeverity(given: readonly Hazard[]): readonly Hazard[] {
  const rank = ({ code, temporary }: Hazard): number => hazardCodes.indexOf(code) * 2 + (temporary === true ? 1 : 0);
  return given.toSorted((a, b) => rank(a) - rank(b) || inNaturalOrder(a.address, b.address));
}

/** Changes, the most dangerous first: by hazard, then blocked ones, then deletions, then the others. */
export function changesBySeverity(changes: readonly Change[], given: readonly Hazard[]): readonly Change[] {
  const worst = new Map<string, number>();
  for (const [address, own] of hazardsByChange(given))
    worst.set(address, Math.min(...own.map(({ code }) => hazardCodes.indexOf(code))));
  const rank = ({ address, action, blocked }: Change): number =>
    (worst.get(address) ?? hazardCodes.length) * 100 + (blocked === undefined ? 50 : 0) + actions.indexOf(action);
  return changes
    .filter(({ action }) => action !== 'none')
    .toSorted((a, b) => rank(a) - rank(b) || inNaturalOrder(a.address, b.address));
}

// Two are read as fast as their heading.
const fewest = 3;

/** A change with the lines that a person reads of it, without those that are of its resource alone. */
export interface ReadChange {
  readonly change: Change;
  readonly details: readonly string[];
}

/** Changes that read the same but for their resources, together, where the first of them is; each of the others alone. Changes with different hazards are never together. */
export function foldIdentical(changes: readonly ReadChange[], hazards: readonly Hazard[]): ReadChange[][] {
  const hazardsOf = byAddress(hazards);
  const groups = groupBy(changes, ({ change: { action, kind, address }, details }) => {
    const codes = (hazardsOf.get(address) ?? []).map(({ code }) => code);
    return JSON.stringify([action, kind, codes, details]);
  });
  const large = [...groups.values()].filter(({ length }) => length >= fewest);
  const groupOf = new Map(large.flatMap((group) => group.map((one) => [one, group] as const)));
  return changes.flatMap((one) => {
    const group = groupOf.get(one) ?? [one];
    return group[0] === one ? [group] : [];
  });
}
