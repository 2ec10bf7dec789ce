import type { PlanBase } from '../../model/plan/plan-parts.ts';
import { baseCommit, headCommit, namedCommit } from '../git/base-commit.ts';
import { committed } from '../git/checkout.ts';
import { openRepository, type OpenRepository } from '../git/open-repository.ts';
import type { StackConfig } from '../settings/stack-config.ts';
import type { StackContext } from '../stack-context.ts';
import { UsageError } from '../usage-error.ts';
import { loadCommit, type CommittedStack } from './load-commit.ts';
import type { DesiredScope } from './load-desired.ts';

/** A commit to go back to, and what its manifests want. */
export interface LoadedRevision {
  readonly commit: string;
  readonly wanted: DesiredScope;
}

/** Reads the manifests of a commit that a person names. Throws if they cannot be planned. */
export async function loadRevision(context: StackContext, open: StackConfig, ref: string): Promise<LoadedRevision> {
  const repository = repositoryOf(context, open, 'rollback');
  const commit = await namedCommit(repository.git, 'rollback', ref);
  const loaded = await loadCommit(context, open, repository, commit);
  if ('unusable' in loaded)
    throw new UsageError(`rollback: commit ${commit.slice(0, 12)} cannot be used: ${loaded.unusable}`);
  return { commit, wanted: { ...loaded.wanted, checkout: committed(commit) } };
}

/** The stack as the base has it, or why there is none. */
export type LoadedBase = { readonly base: PlanBase } & (CommittedStack | { readonly inseparable: string });

/** Reads the manifests of the commit that a change is compared with. */
export async function loadBase(context: StackContext, open: StackConfig, ref: string): Promise<LoadedBase> {
  const repository = repositoryOf(context, open, '--base');
  const head = open.head?.commit ?? (await headCommit(repository.git, '--base'));
  const base = await baseCommit(repository.git, '--base', ref, head);
  const loaded = await loadCommit(context, open, repository, base.commit);
  return 'unusable' in loaded
    ? { base, inseparable: `the base commit cannot be used: ${loaded.unusable}` }
    : { base, ...loaded };
}

function repositoryOf(context: StackContext, { dir }: StackConfig, command: string): OpenRepository {
  const repository = openRepository(context, dir);
  if (repository !== undefined) return repository;
  throw new UsageError(`${command}: the stack is not in a git repository`, 'check out the repository with its history');
}
