import type { FleetStack, FleetStatus } from '../../../src/model/status/fleet-status.ts';
import { allWell, statusSince } from '../calm-status.ts';
import { minute, noon, second } from '../company.ts';
import { applyingRetried, conflicted, drifted, refused } from '../asking-statuses.ts';
import { revoked, stalled } from '../unreadable-account.ts';
import { applying, awaiting, inTrouble, paused, standingBy } from '../statuses.ts';

const { nextRefresh: _, ...unscheduled } = allWell;
const refreshing = statusSince(noon - 2 * second, unscheduled);
const queued = statusSince(noon - 2 * second, { ...unscheduled, isQueued: true });

const usual = [allWell, allWell, allWell, allWell, allWell, awaiting, allWell, paused, standingBy, inTrouble];
const seldom = [applying(2), refreshing, queued, refused, revoked, drifted, conflicted, stalled, applyingRetried];

/** A fleet with so many stacks, of which every fiftieth cannot be watched. */
export function manyStacks(count: number): FleetStatus {
  const stacks = Array.from({ length: count }, (_, n): FleetStack => {
    const path = `teams/team-${String(n % 20)}/stack-${String(n)}`;
    if (n % 50 === 7)
      return {
        path,
        failure: {
          scope: 'stack',
          code: 'SYNTAX_ERROR',
          message: 'sluice.yaml:2: the bracket `{` is not closed',
          hint: 'add `}`',
          since: noon - minute,
          attempts: 3,
          nextAttempt: noon + minute,
        },
      };
    if (n % 50 === 8) return { path, elsewhere: { replica: 'sluice-1', url: 'https://sluice-1.example.com/' } };
    const rare = n % 20 === 4 ? seldom[((n - 4) / 20) % seldom.length] : undefined;
    const status = rare ?? usual[(n * 7) % usual.length] ?? allWell;
    return { path, status: { ...status, stack: { name: `stack-${String(n)}`, id: status.stack.id } } };
  });
  return {
    version: '0.1.0',
    startedAt: noon - 90 * minute,
    now: noon,
    isStopping: false,
    stacks,
    searchDueBy: noon + 10 * second,
    lastSearch: noon - second,
  };
}
