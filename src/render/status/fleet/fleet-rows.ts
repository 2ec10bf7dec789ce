import { counted } from '../../../diagnostics/counted.ts';
import type { FleetStack, FleetStatus, StackElsewhere } from '../../../model/fleet-status.ts';
import { groupBy } from '../../../model/group-by.ts';
import { inNaturalOrder } from '../../../model/natural-order.ts';
import type { WatchStatus } from '../../../model/watch-status.ts';
import { activityOf, activityText, activityWithout, type Activity } from '../status-activity.ts';
import { causes, causeWords, toneOf, type Cause, type Tone } from '../status-causes.ts';
import { hazardTexts, operationTexts } from '../../plan/approval-summary.ts';
import { verdict, verdictOf, type Verdict } from '../status-verdict.ts';

/** The conditions of a stack among others, the worst first. */
export const fleetConditions = ['failed', 'action-required', 'progressing', 'paused', 'standby', 'in-sync'] as const;

/** One of them. */
export type FleetCondition = (typeof fleetConditions)[number];

const conditionOf: Readonly<Record<Tone, FleetCondition>> = {
  bad: 'failed',
  asks: 'action-required',
  busy: 'progressing',
  quiet: 'standby',
  well: 'in-sync',
};

/** A stack in the list of a fleet. */
export interface FleetRow extends FleetStack, Verdict {
  readonly condition: FleetCondition;
  /** What is done now. */
  readonly activity: Activity;
  readonly pending: number;
  readonly drifted: number;
  /** The last apply. */
  readonly lastRun?: { readonly at: number; readonly isDone: boolean };
}

/** Which stacks a reader asks for. */
export interface FleetQuery {
  /** Part of a name, path or message, in any case; empty: any. */
  readonly text: string;
  readonly condition?: FleetCondition;
  readonly cause?: Cause;
  /** From 1. */
  readonly page: number;
}

/** The stacks of a fleet, the worst first. */
export function fleetRows({ stacks }: Pick<FleetStatus, 'stacks'>): readonly FleetRow[] {
  const rank = ({ cause }: FleetRow): number => causes.indexOf(cause);
  return stacks.map(rowOf).sort((a, b) => rank(a) - rank(b) || inNaturalOrder(a.path, b.path));
}

/** The number of stacks by condition, the worst first; a condition without stacks is omitted. */
export function countConditions(rows: readonly FleetRow[]): readonly (readonly [FleetCondition, number])[] {
  const groups = groupBy(rows, ({ condition }) => condition);
  return fleetConditions.flatMap((condition) => {
    const own = groups.get(condition);
    return own === undefined ? [] : [[condition, own.length] as const];
  });
}

/** Stacks that have one cause. */
export interface FleetGroup {
  readonly cause: Cause;
  readonly tone: Tone;
  readonly rows: readonly FleetRow[];
}

/** The stacks by cause, the worst first; a cause without stacks is omitted. */
export function fleetGroups(rows: readonly FleetRow[]): readonly FleetGroup[] {
  const groups = groupBy(rows, ({ cause }) => cause);
  return causes.flatMap((cause) => {
    const own = groups.get(cause);
    return own === undefined ? [] : [{ cause, tone: toneOf[cause], rows: own }];
  });
}

/** `12 stacks: waiting for approval` */
export function groupText(count: number, cause: Cause): string {
  return `${counted(count, 'stack')}: ${causeWords[cause]}`;
}

/** Whether a query asks for some of the stacks. */
export function isFleetFiltered({ text, condition, cause }: FleetQuery): boolean {
  return text !== '' || condition !== undefined || cause !== undefined;
}

/** Reads a query. What it does not know is ignored. */
export function fleetQuery(search: string): FleetQuery {
  const given = new URLSearchParams(search);
  const condition = fleetConditions.find((one) => one === given.get('condition'));
  const cause = causes.find((one) => one === given.get('cause'));
  const page = Number(given.get('page') ?? 1);
  return {
    text: (given.get('q') ?? '').trim(),
    ...(condition === undefined ? {} : { condition }),
    ...(cause === undefined ? {} : { cause }),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** The rows that a query asks for, on all pages. */
export function selectRows(rows: readonly FleetRow[], { text, condition, cause }: FleetQuery): readonly FleetRow[] {
  const wanted = text.toLowerCase();
  return rows.filter(
    (row) =>
      (condition === undefined || row.condition === condition) &&
      (cause === undefined || row.cause === cause) &&
      (wanted === '' ||
        [row.path, row.status?.stack.name, row.headline, row.detail, activityText(row.activity)].some((words) =>
          words?.toLowerCase().includes(wanted),
        )),
  );
}

function rowOf(stack: FleetStack): FleetRow {
  const { status } = stack;
  const found = status === undefined ? verdictWithout(stack) : verdictOf(status);
  return {
    ...stack,
    ...found,
    ...detailOf(found, status),
    // What is quiet is paused, or left to another process.
    condition: found.cause === 'paused' ? 'paused' : conditionOf[found.tone],
    activity: activityIn(stack),
    ...countsOf(status),
  };
}

/** What an approval would do, where that is asked first. */
function detailOf({ cause, detail }: Verdict, status: WatchStatus | undefined): Pick<FleetRow, 'detail'> {
  if (cause !== 'approval' || status?.awaited === undefined) return {};
  const { summary } = status.awaited;
  const hazards = hazardTexts(summary).join(', ');
  const asked = `To approve: ${operationTexts(summary).join('; ')}${hazards === '' ? '' : ` (${hazards})`}`;
  return { detail: detail === undefined ? asked : `${asked}. ${detail}` };
}

function activityIn({ status, failure, elsewhere }: FleetStack): Activity {
  if (status !== undefined) return activityOf(status);
  const next = failure?.nextAttempt;
  return activityWithout({
    ...(elsewhere === undefined ? {} : { elsewhere }),
    ...(next === undefined ? {} : { nextAttempt: next }),
  });
}

function verdictWithout({ failure, elsewhere }: FleetStack): Verdict {
  if (elsewhere !== undefined) return verdictElsewhere(elsewhere);
  return failure === undefined
    ? verdict('starting', 'Starting')
    : verdict('not-watched', 'Cannot be watched', failure.message);
}

function verdictElsewhere({ replica, reason }: StackElsewhere): Verdict {
  return verdict(
    'elsewhere',
    replica === undefined ? 'Not taken by a replica yet' : `Watched by replica ${replica}`,
    reason === undefined || reason === 'given-back' ? undefined : avoidTexts[reason],
  );
}

const avoidTexts = {
  behind: 'The checkout of this replica is behind the commit that was applied last.',
  'not-planned': 'This replica cannot plan it.',
} as const;

function countsOf(status: WatchStatus | undefined): Pick<FleetRow, 'pending' | 'drifted' | 'lastRun'> {
  const [last] = status?.history ?? [];
  const isDrifted = ({ syncStatus }: WatchStatus['resources'][number]): boolean =>
    syncStatus === 'drifted' || syncStatus === 'drift-conflict';
  return {
    pending: status?.pending.length ?? 0,
    drifted: status?.resources.filter(isDrifted).length ?? 0,
    ...(last === undefined
      ? {}
      : { lastRun: { at: last.finishedAt, isDone: last.outcome.every(({ ending }) => ending === 'done') } }),
  };
}
