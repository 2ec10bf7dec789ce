import type { PlanBase } from '../../model/plan/plan-parts.ts';
import { baseCommit, commitNamed, headCommit, namedCommit } from '../git/base-commit.ts';
import { openRepository, type OpenRepository } from '../git/find-repository.ts';
import type { StackConfig } from '../settings/stack-config.ts';
import type { StackContext } from '../stack-context.ts';
import { UsageError } from '../usage-error.ts';
import { loadCommit, type CommittedStack } from './load-commit.ts';
import type { DesiredScope } from './load-desired.ts';
import type { PlanningWorkspace } from '../workspace.ts';
import { manifestsHash } from './plan-digest.ts';

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
  return { commit, wanted: { ...loaded.wanted, checkout: { commit, uncommitted: () => Promise.resolve(false) } } };
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
  const found = repository && (await commitNamed(repository.git, commit).catch(() => undefined));
  if (repository === undefined || found === undefined) return { unknown: `${named} is not in this repository` };
  const loaded = await loadCommit(context, workspace, repository, commit).catch((error: unknown) => {
    if (error instanceof UsageError) return { unusable: error.message };
    throw error;
  });
  if ('unusable' in loaded) return { unknown: `${named} cannot be used: ${loaded.unusable}` };
  return manifestsHash(loaded.wanted.desired, digest) === applied.manifests
    ? { commit, ...loaded }
    : { unknown: `${named} does not contain the manifests that were applied` };
}
