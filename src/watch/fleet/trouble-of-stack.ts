import type { WatchFailure, WatchStatus } from '../../model/status/watch-status.ts';
import type { DividedStack } from '../replicas/divided-stack.ts';

/** What keeps a stack from being planned, for the longest time. */
export function troubleOfStack(
  failure: WatchFailure | undefined,
  status: WatchStatus | undefined,
  now: number,
): ReturnType<DividedStack['trouble']> {
  const unplanned = (status?.failures ?? []).filter(({ scope }) => needed.has(scope));
  const all = failure === undefined ? unplanned : [failure, ...unplanned];
  if (all.length === 0) return undefined;
  const forMs = now - Math.min(...all.map(({ since }) => since));
  return { reason: all.some(({ code }) => code === 'BEHIND_APPLIED') ? 'behind' : 'not-planned', forMs };
}

// Without the lock, or with pauses that cannot be read, nothing is planned.
const needed: ReadonlySet<string> = new Set(['manifests', 'account', 'lock', 'requests']);
