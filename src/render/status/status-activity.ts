import { counted } from '../../diagnostics/counted.ts';
import type { FleetStack } from '../../model/status/fleet-status.ts';
import { isOnStandby } from '../../model/status/on-standby.ts';
import type { RunningApply, RunningChange, WatchStatus } from '../../model/status/watch-status.ts';
import { earliest, momentText } from '../text/ages.ts';
import { questionsOf } from './status-questions.ts';

// What a watch may be doing, in a few words; a moment in UTC, since it is not kept fresh.
const texts = {
  starting: () => 'Starting',
  queued: () => 'Queued behind other stacks',
  refreshing: () => 'Refreshing and planning',
  applying: ({ progress }) => `Applying${progress === undefined ? '' : `: ${runningProgressText(progress)}`}`,
  'waiting-for-approval': ({ changes = 0 }) => `Waiting for approval of ${counted(changes, 'change')}`,
  'waiting-for-action': () => 'Waiting for the required action',
  'waiting-for-retry': ({ until }) => `Waiting for the next attempt${hourText(' at ', until)}`,
  'waiting-for-lock': ({ holder }) => `Waiting for the lock${holder === undefined ? '' : `, held by ${holder}`}`,
  paused: ({ until }) =>
    `Paused${until === undefined ? '' : ` until ${momentText(until).slice(0, 16).replace('T', ' ')} UTC`}`,
  elsewhere: ({ holder }) => (holder === undefined ? 'Waiting for a replica' : `Watched by replica ${holder}`),
  stopping: () => 'Stopping',
  idle: ({ until }) => `Idle${hourText(', next refresh at ', until)}`,
} satisfies Readonly<Record<string, (facts: ActivityFacts) => string>>;

/** What a watch may be doing. */
export const activityTypes = Object.keys(texts) as readonly (keyof typeof texts)[];

/** What a watch does now. */
export interface Activity extends ActivityFacts {
  readonly type: keyof typeof texts;
}

interface ActivityFacts {
  /** For `applying`: how far it has come. */
  readonly progress?: RunningProgress;
  /** For `waiting-for-approval`: how many changes. */
  readonly changes?: number;
  /** For `waiting-for-lock` and `elsewhere`: who has the stack. */
  readonly holder?: string | undefined;
  /** When it continues automatically. */
  readonly until?: number | undefined;
}

/** What the watch of a stack does now. */
export function activityOf(status: WatchStatus): Activity {
  const { role, leader, applying, pause, isQueued, nextRefresh, failures, pending } = status;
  if (role === 'stopping') return { type: 'stopping' };
  if (role === 'paused') return { type: 'paused', until: pause?.until };
  if (isOnStandby(status) || leader !== undefined) return { type: 'waiting-for-lock', holder: leader };
  if (applying !== undefined) return { type: 'applying', progress: runningProgress(applying) };
  if (isQueued === true) return { type: 'queued' };
  if (nextRefresh === undefined) return { type: 'refreshing' };
  if (failures.length > 0)
    return { type: 'waiting-for-retry', until: earliest(failures.map((one) => one.nextAttempt)) };
  const approvals = pending.filter(({ reason }) => reason === 'approval').length;
  if (approvals > 0) return { type: 'waiting-for-approval', changes: approvals };
  return { type: questionsOf(status).length > 0 ? 'waiting-for-action' : 'idle', until: nextRefresh };
}

/** What is done about a stack that this process does not watch, or not yet. */
export function activityWithout({ elsewhere, failure }: FleetStack): Activity {
  if (elsewhere !== undefined) return { type: 'elsewhere', holder: elsewhere.replica };
  const until = failure?.nextAttempt;
  return until === undefined ? { type: 'starting' } : { type: 'waiting-for-retry', until };
}

/** An activity in a few words. */
export function activityText(activity: Activity): string {
  return texts[activity.type](activity);
}

function hourText(before: string, moment: number | undefined): string {
  return moment === undefined ? '' : `${before}${momentText(moment).slice(11, 16)} UTC`;
}

/** How many changes of a running apply are done, failed, were skipped, and are in it. */
export type RunningProgress = Readonly<Record<'done' | 'failed' | 'skipped' | 'total', number>>;

/** Counts the changes of a running apply. */
export function runningProgress({ changes }: Pick<RunningApply, 'changes'>): RunningProgress {
  const count = (which: RunningChange['progress']): number => changes.filter((one) => one.progress === which).length;
  return { done: count('done'), failed: count('failed'), skipped: count('skipped'), total: changes.length };
}

/** `2 of 4 done`, or `1 done, 1 failed, of 4 changes`: what was not done is never counted as done. */
export function runningProgressText({ done, failed, skipped, total }: RunningProgress): string {
  if (failed + skipped === 0) return `${done} of ${total} done`;
  const ended = [
    `${done} done`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ];
  return `${ended.join(', ')}, of ${counted(total, 'change')}`;
}
