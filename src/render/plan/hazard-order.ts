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
