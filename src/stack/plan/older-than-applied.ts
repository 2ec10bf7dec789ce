import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { Refused } from '../../diagnostics/errors.ts';
import { isAncestor, isWholeHistory } from '../git/base-commit.ts';
import { openRepository } from '../git/open-repository.ts';
import type { ReadGit } from '../git/read-git.ts';
import type { StackContext } from '../stack-context.ts';
import type { PlanningWorkspace } from '../workspace.ts';
import { commitName } from '../git/commit-name.ts';

// Runs of files that are in no repository have no commit.
const latest = 3;

/** What is recorded of a stack, and where its files are. */
type Recorded = Pick<PlanningWorkspace, 'dir' | 'state' | 'runs'>;

/** The commit that was applied last, also in part. */
export async function lastCommit({ state, runs }: Omit<Recorded, 'dir'>): Promise<string | undefined> {
  // The state knows no commit after an apply of a part, or one that did not complete.
  return state?.applied?.commit ?? (await runs?.(latest))?.find(({ commit }) => commit !== undefined)?.commit;
}

/** A warning if the commit whose manifests were read is an ancestor of the one that was applied last. Neither git nor a history is needed to plan. */
export async function olderThanApplied(
  context: StackContext,
  workspace: Recorded,
  head: string | undefined,
): Promise<Diagnostic | undefined> {
  const last = await lastCommit(workspace).catch(() => undefined);
  if (head === undefined || last === undefined || head === last) return undefined;
  if ((await isBefore(context, workspace, head, last)) !== true) return undefined;
  return {
    code: 'OLDER_THAN_APPLIED',
    severity: 'warning',
    message: `the manifests come from commit ${head.slice(0, 12)}, which is older than ${last.slice(0, 12)}, the commit applied last: applying the older manifests undoes later changes`,
    hint: 'pull the latest commits; to go back on purpose, run `sluice rollback`',
  };
}

/** Whether a commit that is older than the one that was applied last would be found to be so: git and the history are there. */
export async function wouldFindOlder(
  context: StackContext,
  workspace: Recorded,
  head: string | undefined,
): Promise<boolean> {
  const last = head === undefined ? undefined : await lastCommit(workspace);
  if (head === undefined || last === undefined || head === last) return true;
  if ((await isBefore(context, workspace, head, last)) !== undefined) return true;
  return (await asked(context, workspace, isWholeHistory)) === true;
}

/**
 * Refuses to act where the commit whose manifests were read neither is the one applied last nor descends from it: of several
 * replicas, one whose checkout is late would undo what another one has applied. If git cannot answer, the checkout counts as behind.
 */
export async function mustFollowApplied(
  context: StackContext,
  workspace: Recorded,
  head: string | undefined,
): Promise<void> {
  const last = head === undefined ? undefined : await lastCommit(workspace);
  if (head === undefined || last === undefined || head === last) return;
  if ((await isBefore(context, workspace, last, head)) === true) return;
  throw new Refused(
    'BEHIND_APPLIED',
    `the manifests come from commit ${head.slice(0, 12)}, which is not a descendant of ${last.slice(0, 12)}, the commit applied last`,
    {
      hint: 'update the checkout of this replica, with its history (git-sync: --depth=0); to go back on purpose, run `sluice apply` in a checkout of the older commit',
    },
  );
}

/** Whether a commit is an ancestor of another one; undefined if git cannot tell. */
async function isBefore(
  context: StackContext,
  workspace: Recorded,
  older: string,
  newer: string,
): Promise<boolean | undefined> {
  if (!commitName.test(older) || !commitName.test(newer)) return undefined;
  return asked(context, workspace, (git) => isAncestor(git, older, newer));
}

/** What git says of the repository of a stack; undefined without a repository, or if git fails. */
async function asked<T>(
  context: StackContext,
  { dir }: Recorded,
  ask: (git: ReadGit) => Promise<T>,
): Promise<T | undefined> {
  try {
    const repository = openRepository(context, dir);
    return repository === undefined ? undefined : await ask(repository.git);
  } catch {
    return undefined;
  }
}
