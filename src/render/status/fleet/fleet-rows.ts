import { countEach, counted } from '../../../diagnostics/counted.ts';
import type { FleetStatus } from '../../../model/status/fleet-status.ts';
import { groupBy } from '../../../model/group-by.ts';
import { inNaturalOrder } from '../../../model/natural-order.ts';
import { activityText } from '../status-activity.ts';
import { causes, causeWords, toneOf, type Cause, type Tone } from '../status-causes.ts';
import { isMatch, listQuery, type ListQuery } from '../status-query.ts';
import { conditionFacts, fleetConditions, fleetRow, type FleetCondition, type FleetRow } from './fleet-row.ts';

/** The stacks of a fleet, the worst first. */
export function fleetRows({ stacks }: Pick<FleetStatus, 'stacks'>): readonly FleetRow[] {
  const rank = ({ condition, cause }: FleetRow): number =>
    fleetConditions.indexOf(condition) * causes.length + causes.indexOf(cause);
  return stacks.map(fleetRow).sort((a, b) => rank(a) - rank(b) || inNaturalOrder(a.path, b.path));
}

/** The number of stacks by condition, the worst first; a condition without stacks is omitted. */
export function countConditions(rows: readonly FleetRow[]): [FleetCondition, number][] {
  return countEach(fleetConditions, rows, ({ condition }) => condition);
}

/** Stacks that have one cause. */
export interface FleetGroup {
  readonly cause: Cause;
  readonly tone: Tone;
  readonly rows: readonly FleetRow[];
}

/** The stacks by cause, in the order of the rows; a cause without stacks is omitted. */
export function fleetGroups(rows: readonly FleetRow[]): readonly FleetGroup[] {
  return [...groupBy(rows, ({ cause }) => cause)].map(([cause, own]) => ({ cause, tone: toneOf(cause), rows: own }));
}

/** `12 stacks: waiting for approval` */
export function groupText(count: number, cause: Cause): string {
  return `${counted(count, 'stack')}: ${causeWords(cause)}`;
}

/** How many stacks need a person, and of them how many for which cause: the numbers add up. */
export function fleetHeadline(rows: readonly FleetRow[]): { readonly headline: string; readonly detail?: string } {
  const [worst] = countConditions(rows);
  if (worst === undefined) return { headline: 'No stacks' };
  const [condition, count] = worst;
  if (condition === 'in-sync') return { headline: count === 1 ? 'In sync' : `All ${count} stacks in sync` };
  const { label } = conditionFacts[condition];
  if (condition !== 'action-required')
    return { headline: `${counted(count, 'stack')} ${label}`, detail: 'No stack requires action.' };
  const groups = fleetGroups(rows.filter((one) => one.condition === condition));
  return {
    headline: `${count} of ${counted(rows.length, 'stack')} ${count === 1 ? 'requires' : 'require'} action`,
    detail: `${groups.map(({ cause, rows: own }) => groupText(own.length, cause)).join('; ')}.`,
  };
}

/** Reads a query for stacks. */
export function fleetQuery(search: string): ListQuery {
  return listQuery(search, { condition: fleetConditions, cause: causes });
}

/** The rows that a query asks for, on all pages. */
export function selectRows(rows: readonly FleetRow[], query: ListQuery): readonly FleetRow[] {
  return rows.filter(({ path, status, headline, detail, activity, concerned, condition, cause }) =>
    isMatch(query, { condition, cause }, [
      ...[path, status?.stack.name, headline, detail, activityText(activity)],
      ...concerned,
    ]),
  );
}
