import type { FleetStack, FleetStatus, StackElsewhere } from '../../../model/fleet-status.ts';
import { groupBy } from '../../../model/group-by.ts';
import { inNaturalOrder } from '../../../model/natural-order.ts';
import type { WatchStatus } from '../../../model/watch-status.ts';
import { activityOf, activityText, activityWithout, type Activity } from '../status-activity.ts';
import { verdictOf, type Tone, type Verdict } from '../status-verdict.ts';

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
  /** From 1. */
  readonly page: number;
}

/** The stacks of a fleet, the worst first. */
export function fleetRows({ stacks }: Pick<FleetStatus, 'stacks'>): readonly FleetRow[] {
  const rank = ({ condition }: FleetRow): number => fleetConditions.indexOf(condition);
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

/** Reads a query. What it does not know is ignored. */
export function fleetQuery(search: string): FleetQuery {
  const given = new URLSearchParams(search);
  const condition = fleetConditions.find((one) => one === given.get('condition'));
  const page = Number(given.get('page') ?? 1);
  return {
    text: (given.get('q') ?? '').trim(),
    ...(condition === undefined ? {} : { condition }),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** The rows that a query asks for, on all pages. */
export function selectRows(rows: readonly FleetRow[], { text, condition }: FleetQuery): readonly FleetRow[] {
  const wanted = text.toLowerCase();
  return rows.filter(
    (row) =>
      (condition === undefined || row.condition === condition) &&
      (wanted === '' ||
        [row.path, row.status?.stack.name, row.headline, row.detail, activityText(row.activity)].some((words) =>
          words?.toLowerCase().includes(wanted),
        )),
  );
}

function rowOf(stack: FleetStack): FleetRow {
  const { status } = stack;
  const verdict = status === undefined ? verdictWithout(stack) : verdictOf(status);
  // What is quiet is paused, or left to another process.
  const isPaused = verdict.tone === 'quiet' && status?.role === 'paused';
  return {
    ...stack,
    ...verdict,
    condition: isPaused ? 'paused' : conditionOf[verdict.tone],
    activity: activityIn(stack),
    ...countsOf(status),
  };
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
  if (failure === undefined) return { tone: 'busy', headline: 'Starting' };
  return { tone: 'bad', headline: 'Cannot be watched', detail: failure.message };
}

function verdictElsewhere({ replica, reason }: StackElsewhere): Verdict {
  return {
    tone: 'quiet',
    headline: replica === undefined ? 'Not taken by a replica yet' : `Watched by replica ${replica}`,
    ...(reason === undefined || reason === 'given-back' ? {} : { detail: avoidTexts[reason] }),
  };
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
