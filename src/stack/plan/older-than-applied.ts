import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { Refused, Stale } from '../../diagnostics/errors.ts';
import { commonAncestor, isShallow } from '../git/base-commit.ts';
import { type Checkout, commitName } from '../git/git-head.ts';
import { openRepository } from '../git/find-repository.ts';
import type { StackContext } from '../stack-context.ts';
import type { PlanningWorkspace } from '../workspace.ts';
import { pipelineCommit } from '../settings/pipeline-run-url.ts';

// Runs of files that are in no repository have no commit.
const latest = 3;

type Applied = Pick<PlanningWorkspace, 'dir' | 'state' | 'runs'>;

/** The commit that was applied last, also in part. */
export async function lastCommit({ state, runs }: Omit<Applied, 'dir'>): Promise<string | undefined> {
  // The state knows no commit after an apply of a part, or one that did not complete.
  return state?.applied?.commit ?? (await runs?.(latest))?.find(({ commit }) => commit !== undefined)?.commit;
}

/** How the commit of manifests stands to the one that was applied last. */
interface Standing {
  /** `unknown`: git cannot tell, or the manifests are of no commit. */
  readonly is: 'first' | 'same' | 'older' | 'newer' | 'aside' | 'unknown';
  /** What git names the commit that was applied last. */
  readonly last?: string;
}

async function standing(context: StackContext, workspace: Applied, head: string | undefined): Promise<Standing> {
  const last = await lastCommit(workspace);
  if (last === undefined) return { is: 'first' };
  if (head === last) return { is: 'same', last };
  if (head === undefined || !commitName.test(last)) return { is: 'unknown', last };
  try {
    const repository = openRepository(context, workspace.dir);
    const common = repository && (await commonAncestor(repository.git, head, last));
    if (repository === undefined || common === undefined) return { is: 'unknown', last };
    if (common === head || common === last) return { is: common === head ? 'older' : 'newer', last };
    // Where history is missing, one may descend from the other all the same.
    return { is: (await isShallow(repository.git)) ? 'unknown' : 'aside', last };
  } catch (error) {
    if (context.io.signal.aborted) throw error;
    return { is: 'unknown', last };
  }
}

/** A warning if the commit whose manifests were read is an ancestor of the one that was applied last. */
export async function olderThanApplied(
  context: StackContext,
  workspace: Applied,
  head: string | undefined,
): Promise<Diagnostic | undefined> {
  if (head === undefined) return undefined;
  // Neither git nor a history is needed to plan.
  const { is, last = '' } = await standing(context, workspace, head).catch((): Standing => ({ is: 'unknown' }));
  if (is !== 'older') return undefined;
  return {
    code: 'OLDER_THAN_APPLIED',
    severity: 'warning',
    message: `the manifests come from commit ${head.slice(0, 12)}, which is older than ${last.slice(0, 12)}, the commit applied last: applying the older manifests undoes later changes`,
    hint: 'pull the latest commits; to apply an older commit on purpose, run `sluice rollback`',
  };
}

/**
 * Refuses to act where the commit whose manifests were read neither is the one applied last nor descends from it: of several
 * replicas, one whose checkout is late would undo what another one has applied. If git cannot answer, the checkout counts as behind.
 */
export async function mustFollowApplied(
  context: StackContext,
  workspace: Applied,
  head: string | undefined,
): Promise<void> {
  if (head === undefined) return;
  const { is, last = '' } = await standing(context, workspace, head);
  if (is === 'first' || is === 'same' || is === 'newer') return;
  throw new Refused(
    'BEHIND_APPLIED',
    `the manifests come from commit ${head.slice(0, 12)}, which is not a descendant of ${last.slice(0, 12)}, the commit applied last`,
    {
      hint: 'update the checkout of this replica, with its history (git-sync: --depth=0); to apply an older commit on purpose, run `sluice apply` in a checkout of that commit',
    },
  );
}

/** Refuses an approved plan of a commit that is older than the one applied last, or that git cannot compare with it: its merge was approved, and not the return to it. */
export async function mustNotGoBack(
  context: StackContext,
  workspace: Applied,
  checkedOut: string | undefined,
): Promise<void> {
  // As a run records its commit.
  const head = checkedOut ?? pipelineCommit(context.io.env);
  const { is, last = '' } = await standing(context, workspace, head);
  const [from, to] = [head === undefined ? 'no commit' : `commit ${head.slice(0, 12)}`, last.slice(0, 12)];
  if (is === 'older')
    throw new Stale(
      'OLDER_THAN_APPLIED',
      `the approval of an earlier merge cannot be used again: the manifests come from ${from}, which is older than ${to}, the commit applied last`,
      'to return to the older manifests, merge a pull request that reverts the later changes',
      [],
    );
  if (is === 'unknown')
    throw new Stale(
      'HISTORY_NOT_AVAILABLE',
      `the manifests come from ${from}, and git cannot tell whether commit ${to}, the commit applied last, is newer: the approval of an earlier merge must not be used again`,
      'install git, and check out the whole history (actions/checkout: `fetch-depth: 0`; GitLab: `GIT_DEPTH: 0`); if the commit applied last is in no branch any more, run `sluice apply` without --reviewed once',
      [],
    );
}

/**
 * Refuses to apply files that are not those of their commit. Replicas agree on what is newer by commits alone: older files
 * beside a newer commit, as while git updates a checkout, would pass as the newer ones.
 */
export async function mustBeCommitted(checkout: Checkout | undefined): Promise<void> {
  if (checkout === undefined || (await checkout.uncommitted()) !== true) return;
  throw new Refused(
    'UNCOMMITTED_CHANGES',
    `files of this stack differ from commit ${checkout.commit.slice(0, 12)}, which is checked out; a replica applies only commits`,
    { hint: 'commit the changes, or revert them; if git is updating the checkout, wait' },
  );
}
