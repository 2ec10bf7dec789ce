import { Refused } from '../../diagnostics/errors.ts';
import { isAncestor } from '../git/base-commit.ts';
import { openRepository } from '../git/open-repository.ts';
import type { StackContext } from '../stack-context.ts';
import type { PlanningWorkspace } from '../workspace.ts';
import { lastCommit } from './older-than-applied.ts';
import { commitName } from '../git/commit-name.ts';

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
