import type { PlanBase } from '../../model/plan/plan-parts.ts';
import { baseCommit, headCommit } from '../git/base-commit.ts';
import { openRepository } from '../git/open-repository.ts';
import type { StackConfig } from '../settings/stack-config.ts';
import type { StackContext } from '../stack-context.ts';
import { UsageError } from '../usage-error.ts';
import { loadCommit, type CommittedStack } from './load-commit.ts';

/** The stack as the base has it, or why there is none. */
export type LoadedBase = { readonly base: PlanBase } & (CommittedStack | { readonly inseparable: string });

/** Reads the manifests of the commit that a change is compared with. */
export async function loadBase(context: StackContext, open: StackConfig, ref: string): Promise<LoadedBase> {
  const repository = openRepository(context, open.dir);
  if (repository === undefined)
    throw new UsageError('--base: the stack is not in a git repository', 'check out the repository with its history');
  const head = open.head?.commit ?? (await headCommit(repository.git, '--base'));
  const base = await baseCommit(repository.git, '--base', ref, head);
  const loaded = await loadCommit(context, open, repository, base.commit);
  return 'unusable' in loaded
    ? { base, inseparable: `the base commit cannot be used: ${loaded.unusable}` }
    : { base, ...loaded };
}
