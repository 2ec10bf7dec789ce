import type { FleetStack, FleetStatus } from '../../../src/model/fleet-status.ts';
import { allWell } from '../calm-status.ts';
import { minute, noon, second } from '../company.ts';
import { awaiting, inTrouble, paused, standingBy } from '../statuses.ts';

const some = [allWell, allWell, allWell, allWell, allWell, awaiting, allWell, paused, standingBy, inTrouble];

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
    const status = some[(n * 7) % some.length] ?? allWell;
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
