import { openRepository } from '../git/open-repository.ts';
import type { PlanningWorkspace } from '../workspace.ts';
import type { StackContext } from '../stack-context.ts';
import { UsageError } from '../usage-error.ts';
import { manifestsHash } from './applied-revision.ts';
import { loadCommit, type CommittedStack } from './load-commit.ts';

/** The stack as it was applied last, or why that is not known. */
export type LoadedApplied = (CommittedStack & { readonly commit: string }) | { readonly unknown: string };

/** Reads the manifests of the last applied commit, if it is recorded in state. */
export async function loadApplied(context: StackContext, workspace: PlanningWorkspace): Promise<LoadedApplied> {
  const { state, dir, digest } = workspace;
  const applied = state?.applied;
  if (applied === undefined) return { unknown: 'the state does not say which commit was applied last' };
  const { commit } = applied;
  const named = `the last applied commit ${commit.slice(0, 12)}`;
  const repository = openRepository(context, dir);
  const isThere = await repository
    ?.git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`], 1_000)
    .then(
      () => true,
      () => false,
    );
  if (repository === undefined || isThere !== true) return { unknown: `${named} is not in this repository` };
  const loaded = await loadCommit(context, workspace, repository, commit).catch((error: unknown) => {
    if (error instanceof UsageError) return { unusable: error.message };
    throw error;
  });
  if ('unusable' in loaded) return { unknown: `${named} cannot be used: ${loaded.unusable}` };
  return manifestsHash(loaded.wanted.desired, digest) === applied.manifests
    ? { commit, ...loaded }
    : { unknown: `${named} does not contain the manifests that were applied` };
}
