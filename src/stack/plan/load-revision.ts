import { namedCommit } from '../git/base-commit.ts';
import { committed } from '../git/checkout.ts';
import { openRepository } from '../git/open-repository.ts';
import type { StackConfig } from '../settings/stack-config.ts';
import type { StackContext } from '../stack-context.ts';
import { UsageError } from '../usage-error.ts';
import { loadCommit } from './load-commit.ts';
import type { DesiredScope } from './load-desired.ts';

/** A commit to go back to, and what its manifests want. */
export interface LoadedRevision {
  readonly commit: string;
  readonly wanted: DesiredScope;
}

/** Reads the manifests of a commit that a person names. Throws if they cannot be planned. */
export async function loadRevision(context: StackContext, open: StackConfig, ref: string): Promise<LoadedRevision> {
  const repository = openRepository(context, open.dir);
  if (repository === undefined)
    throw new UsageError('rollback: the stack is not in a git repository', 'check out the repository with its history');
  const commit = await namedCommit(repository.git, 'rollback', ref);
  const loaded = await loadCommit(context, open, repository, commit);
  if ('unusable' in loaded)
    throw new UsageError(`rollback: commit ${commit.slice(0, 12)} cannot be used: ${loaded.unusable}`);
  return { commit, wanted: { ...loaded.wanted, checkout: committed(commit) } };
}
