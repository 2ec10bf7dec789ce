import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { isAncestor } from '../git/base-commit.ts';
import { openRepository } from '../git/open-repository.ts';
import type { StackContext } from '../stack-context.ts';
import type { PlanningWorkspace } from '../workspace.ts';
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

/** A warning if the commit whose manifests were read is an ancestor of the one that was applied last. */
export async function olderThanApplied(
  context: StackContext,
  workspace: Pick<PlanningWorkspace, 'dir' | 'state' | 'runs'>,
  head: string | undefined,
): Promise<Diagnostic | undefined> {
  if (head === undefined) return undefined;
  const { dir } = workspace;
  try {
    const last = await lastCommit(workspace);
    if (last === undefined || head === last || !commitName.test(last)) return undefined;
    const repository = openRepository(context, dir);
    if (repository === undefined || !(await isAncestor(repository.git, head, last))) return undefined;
    return {
      code: 'OLDER_THAN_APPLIED',
      severity: 'warning',
      message: `the manifests come from commit ${head.slice(0, 12)}, which is older than ${last.slice(0, 12)}, the commit applied last: applying the older manifests undoes later changes`,
      hint: 'pull the latest commits; to go back on purpose, run `sluice rollback`',
    };
  } catch {
    // Neither git nor a history is needed to plan.
    return undefined;
  }
}
