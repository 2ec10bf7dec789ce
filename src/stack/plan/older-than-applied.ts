import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { Refused } from '../../diagnostics/errors.ts';
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

/**
 * Refuses to act where the commit whose manifests were read neither is the one applied last nor descends from it: of several
 * replicas, one whose checkout is late would undo what another one has applied. If git cannot answer, the checkout counts as behind.
 */
export async function mustFollowApplied(
  context: StackContext,
  workspace: Pick<PlanningWorkspace, 'dir' | 'state' | 'runs'>,
  head: string | undefined,
): Promise<void> {
  const { dir } = workspace;
  const last = head === undefined ? undefined : await lastCommit(workspace);
  if (head === undefined || last === undefined || head === last) return;
  const repository = openRepository(context, dir);
  const follows =
    repository !== undefined &&
    commitName.test(last) &&
    (await isAncestor(repository.git, last, head).catch(() => false));
  if (follows) return;
  throw new Refused(
    'BEHIND_APPLIED',
    `the manifests come from commit ${head.slice(0, 12)}, which is not a descendant of ${last.slice(0, 12)}, the commit applied last`,
    {
      hint: 'update the checkout of this replica, with its history (git-sync: --depth=0); to go back on purpose, run `sluice apply` in a checkout of the older commit',
    },
  );
}
