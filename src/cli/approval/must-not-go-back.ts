import { Stale } from '../../diagnostics/errors.ts';
import type { Planned } from '../../stack/plan/make-plan.ts';
import { wouldFindOlder } from '../../stack/plan/older-than-applied.ts';
import { pipelineCommit } from '../../stack/settings/pipeline-run-url.ts';
import { UsageError } from '../../stack/usage-error.ts';
import type { Workspace } from '../../stack/workspace.ts';
import type { Context } from '../context.ts';

/** Throws if a plan is of a commit that is older than the one applied last, or may be: its merge was approved, and not the return to it. */
export async function mustNotGoBack(
  context: Context,
  workspace: Workspace,
  { plan, checkout }: Planned,
): Promise<void> {
  const older = plan.diagnostics.find(({ code }) => code === 'OLDER_THAN_APPLIED');
  if (older !== undefined)
    throw new Stale(
      'OLDER_THAN_APPLIED',
      `the approval of an earlier merge does not count again: ${older.message}`,
      'to go back, merge a pull request that reverts the changes',
      [],
    );
  const head = checkout?.commit ?? pipelineCommit(context.io.env);
  if (await wouldFindOlder(context, workspace, head)) return;
  throw new UsageError(
    '--reviewed: cannot determine whether a later commit was applied since this merge',
    'install git on the machine, and fetch the whole history; with actions/checkout: `fetch-depth: 0`',
  );
}
