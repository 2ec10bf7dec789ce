import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { isAncestor } from '../git/base-commit.ts';
import { openRepository } from '../git/open-repository.ts';
import type { StackContext } from '../stack-context.ts';
import type { PlanningWorkspace } from '../workspace.ts';
import { checkedOutCommit } from './applied-revision.ts';
import { commitName } from '../git/commit-name.ts';

// Runs of files that are in no repository have no commit.
const latest = 3;

/** The commit that was applied last, also in part. */
export async function lastCommit({
  state,
  runs,
}: Pick<PlanningWorkspace, 'state' | 'runs'>): Promise<string | undefined> {
  // The state knows no commit after an apply of a part, or one that did not complete.
  return state?.applied?.commit ?? (await runs?.(latest))?.find(({ commit }) => commit !== undefined)?.commit;
}

/** A warning if the commit that is checked out is an ancestor of the one that was applied last. */
export async function olderThanApplied(
  context: StackContext,
  workspace: Pick<PlanningWorkspace, 'dir' | 'state' | 'runs'>,
): Promise<Diagnostic | undefined> {
  const { dir } = workspace;
  try {
    const last = await lastCommit(workspace);
    const head = last === undefined ? undefined : checkedOutCommit(dir);
    if (last === undefined || head === undefined || head === last || !commitName.test(last)) return undefined;
    const repository = openRepository(context, dir);
    if (repository === undefined || !(await isAncestor(repository.git, head, last))) return undefined;
    return {
      code: 'OLDER_THAN_APPLIED',
      severity: 'warning',
      message: `the commit ${head.slice(0, 12)} that is checked out is older than ${last.slice(0, 12)}, which was applied last: applying it undoes what came after`,
      hint: 'pull the latest commits; to go back on purpose, run `sluice rollback`',
    };
  } catch {
    // Neither git nor a history is needed to plan.
    return undefined;
  }
}
