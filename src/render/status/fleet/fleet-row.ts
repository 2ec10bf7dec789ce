import type { Address } from '../../../model/address.ts';
import type { FleetStack, StackElsewhere } from '../../../model/status/fleet-status.ts';
import { areAllDone } from '../../../model/outcome.ts';
import type { WatchStatus } from '../../../model/status/watch-status.ts';
import { earliest } from '../../text/ages.ts';
import { wouldText } from '../../plan/approval-summary.ts';
import { activityOf, activityWithout, type Activity } from '../status-activity.ts';
import { causes, type Cause, type Tone } from '../status-causes.ts';
import { questionsOf, type Question } from '../status-questions.ts';
import { verdict, verdictOf, type Verdict } from '../status-verdict.ts';

/** The conditions of a stack among others, the worst first. `action-required`: it needs a person; `failed`: sluice retries it automatically. */
export const conditionFacts = {
  'action-required': { tone: 'asks', label: 'action required' },
  failed: { tone: 'bad', label: 'failed, retrying' },
  progressing: { tone: 'busy', label: 'progressing' },
  paused: { tone: 'quiet', label: 'paused' },
  standby: { tone: 'quiet', label: 'standby' },
  'in-sync': { tone: 'well', label: 'in sync' },
} as const satisfies Readonly<Record<string, { readonly tone: Tone; readonly label: string }>>;

/** One of them. */
export type FleetCondition = keyof typeof conditionFacts;

/** All of them, the worst first. */
export const fleetConditions = Object.keys(conditionFacts) as readonly FleetCondition[];

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
  /** What only a person can resolve. */
  readonly asked: readonly Question[];
  /** The resources that the cause is about. */
  readonly concerned: readonly Address[];
  /** Since when it is so. */
  readonly since?: number | undefined;
  readonly activity: Activity;
  readonly pending: number;
  readonly drifted: number;
  readonly lastRun?: { readonly at: number; readonly isDone: boolean } | undefined;
}

/** The row of a stack: whether it needs a person is decided by the same questions as on its own page. */
export function fleetRow(stack: FleetStack): FleetRow {
  const { status, failure } = stack;
  const [last] = status?.history ?? [];
  const found = status === undefined ? verdictWithout(stack) : verdictOf(status);
  const asked = status === undefined ? askedWithout(found, stack) : questionsOf(status);
  const cause = asked.length === 0 ? found.cause : worstOf(asked, found.cause);
  const concerned = concernedBy(cause, asked, status);
  const since = status === undefined ? failure?.since : sinceWhen(cause, concerned, status);
  return {
    ...stack,
    ...found,
    cause,
    asked,
    concerned,
    // What is quiet is paused, or left to another process.
    condition: asked.length > 0 ? 'action-required' : found.cause === 'paused' ? 'paused' : conditionOf[found.tone],
    since,
    ...detailOf(found, status),
    activity: status === undefined ? activityWithout(stack) : activityOf(status),
    pending: status?.pending.length ?? 0,
    drifted: status?.resources.filter(isDrifted).length ?? 0,
    lastRun: last && { at: last.finishedAt, isDone: areAllDone(last.outcome) },
  };
}

/** The cause that is asked about: that of the stack, if a person can resolve it, else the worst of the questions. */
function worstOf(asked: readonly Question[], cause: Cause): Cause {
  const found = asked.map((one) => one.cause);
  return found.includes(cause) ? cause : (causes.find((one) => found.includes(one)) ?? cause);
}

function concernedBy(cause: Cause, asked: readonly Question[], status: WatchStatus | undefined): readonly Address[] {
  const addresses = asked.filter((one) => one.cause === cause).flatMap((one) => one.addresses);
  if (addresses.length > 0 || cause !== 'failed') return [...new Set(addresses)];
  return (status?.resources ?? []).flatMap((one) => (one.syncStatus === 'failed' ? [one.address] : []));
}

/** Since when: of the resources that are concerned, else of what failed, else since it has not been as it should be. */
function sinceWhen(cause: Cause, concerned: readonly Address[], status: WatchStatus): number | undefined {
  const { pending, failures, conditions, driftConflicts } = status;
  if (cause === 'in-sync' || cause === 'standby') return undefined;
  if (cause === 'paused') return status.pause?.at;
  const named = new Set(concerned);
  const own = [...pending, ...driftConflicts].filter((one) => named.has(one.address));
  const notReady = conditions.find(({ type, status: is }) => type === 'Ready' && is === 'False');
  return earliest(own.map((one) => one.since)) ?? earliest(failures.map((one) => one.since)) ?? notReady?.since;
}

function detailOf({ detail }: Verdict, status: WatchStatus | undefined): Pick<FleetRow, 'detail'> {
  if (status?.awaited === undefined) return {};
  const would = wouldText(status.awaited, status.pending);
  return { detail: detail === undefined ? would : `${detail.replace(/\.$/, '')}. ${would}` };
}

function verdictWithout({ failure, elsewhere }: FleetStack): Verdict {
  if (elsewhere !== undefined) return verdictElsewhere(elsewhere);
  return failure === undefined
    ? verdict('starting', 'Starting')
    : verdict('not-watched', 'Stack cannot be watched', failure.message);
}

/** A stack that cannot be watched needs a person, unless only its store is away. */
function askedWithout({ cause, headline }: Verdict, { failure }: FleetStack): readonly Question[] {
  if (cause !== 'not-watched' || failure?.code === 'STORE_UNAVAILABLE') return [];
  return [{ cause, count: 1, text: headline.toLowerCase(), section: 'failures', addresses: [] }];
}

function verdictElsewhere({ replica, reason }: StackElsewhere): Verdict {
  return verdict(
    'elsewhere',
    replica === undefined ? 'No replica watches the stack yet' : `Watched by replica ${replica}`,
    reason && avoidTexts[reason],
  );
}

const avoidTexts: Partial<Record<NonNullable<StackElsewhere['reason']>, string>> = {
  behind: 'The checkout of this replica is behind the commit that was applied last.',
  'not-planned': 'This replica cannot plan the stack.',
};

function isDrifted({ syncStatus }: WatchStatus['resources'][number]): boolean {
  return syncStatus === 'drifted' || syncStatus === 'drift-conflict';
}
