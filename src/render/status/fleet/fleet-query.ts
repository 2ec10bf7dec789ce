import { present } from '../../../model/present.ts';
import { activityText } from '../status-activity.ts';
import { causes, type Cause } from '../status-causes.ts';
import { textAndPage } from '../status-query.ts';
import { fleetConditions, type FleetCondition, type FleetRow } from './fleet-row.ts';

/** Which stacks a reader asks for. */
export interface FleetQuery {
  /** Part of a name, path or message, in any case; empty: any. */
  readonly text: string;
  readonly condition?: FleetCondition;
  readonly cause?: Cause;
  /** From 1. */
  readonly page: number;
}

/** Reads a query. What it does not know is ignored. */
export function fleetQuery(search: string): FleetQuery {
  const given = new URLSearchParams(search);
  const condition = fleetConditions.find((one) => one === given.get('condition'));
  const cause = causes.find((one) => one === given.get('cause'));
  return { ...textAndPage(given), ...present({ condition, cause }) };
}

/** Whether a query asks for some of the stacks. */
export function isFleetFiltered({ text, condition, cause }: FleetQuery): boolean {
  return text !== '' || condition !== undefined || cause !== undefined;
}

/** The rows that a query asks for, on all pages. */
export function selectRows(rows: readonly FleetRow[], { text, condition, cause }: FleetQuery): readonly FleetRow[] {
  const wanted = text.toLowerCase();
  return rows.filter(
    (row) =>
      (condition === undefined || row.condition === condition) &&
      (cause === undefined || row.cause === cause) &&
      (wanted === '' ||
        [row.path, row.status?.stack.name, row.headline, row.detail, activityText(row.activity), ...row.concerned].some(
          (words) => words?.toLowerCase().includes(wanted),
        )),
  );
}
