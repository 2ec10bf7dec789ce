import { counted } from '../../diagnostics/counted.ts';
import type { RunningApply, RunningChange } from '../../model/status/watch-status.ts';

/** How many changes of a running apply are done, failed, were skipped, and are in it. */
export type RunningProgress = Readonly<Record<'done' | 'failed' | 'skipped' | 'total', number>>;

/** Counts the changes of a running apply. */
export function runningProgress({ changes }: Pick<RunningApply, 'changes'>): RunningProgress {
  const count = (which: RunningChange['progress']): number =>
    changes.filter(({ progress }) => progress === which).length;
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
