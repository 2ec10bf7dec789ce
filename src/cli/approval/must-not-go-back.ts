import { Stale } from '../../diagnostics/errors.ts';
import type { Plan } from '../../model/plan/plan.ts';

/** Throws if a plan is of a commit that is older than the one applied last: its merge was approved, and not the return to it. */
export function mustNotGoBack({ diagnostics }: Plan): void {
  const older = diagnostics.find(({ code }) => code === 'OLDER_THAN_APPLIED');
  if (older === undefined) return;
  throw new Stale(
    'OLDER_THAN_APPLIED',
    `the approval of an earlier merge does not count again: ${older.message}`,
    'to go back, merge a pull request that reverts the changes',
    [],
  );
}
