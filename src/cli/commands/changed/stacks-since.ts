import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { unreadable } from '../../../files/safe-file.ts';
import { shownName } from '../../../manifest/read/read-manifests.ts';
import { changedStacks, type ChangedStack } from '../../../stack/changed/changed-stacks.ts';
import { baseCommit, headCommit } from '../../../stack/git/base-commit.ts';
import { openRepository } from '../../../stack/git/find-repository.ts';
import { pathFrom } from '../../../stack/git/tree-entries.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import type { Context } from '../../context.ts';

interface StacksSince {
  readonly from: string;
  readonly to: string;
  /** With their directories as -C takes them. */
  readonly stacks: readonly {
    readonly stack: string;
    readonly change: ChangedStack['change'];
    /** Where its own files are the same: the changed stacks whose outputs it takes. */
    readonly upstream?: readonly string[];
  }[];
}

/** The stacks at and below a directory that differ between HEAD and the last commit that it has in common with a ref. */
export async function stacksSince(context: Context, directory: string, since: string): Promise<StacksSince> {
  const [cwd, dir] = [realDirectory(context.io.cwd), realDirectory(resolve(context.io.cwd, directory))];
  const repository = openRepository(context, dir);
  if (repository === undefined)
    throw new UsageError(
      `--since: ${safeText(dir)} is not in a git repository`,
      'check out the repository with its history',
    );
  const { root, git } = repository;
  const to = await headCommit(git, '--since');
  const { commit: from } = await baseCommit(git, '--since', since, to);
  const found = await changedStacks({ git, root, from, to, below: pathFrom(root, dir) });
  const named = (at: string): string => shownName(cwd, join(root, at));
  const stacks = found.map(({ dir: at, change, upstream }) => ({
    stack: named(at),
    change,
    ...(upstream === undefined ? {} : { upstream: upstream.map(named) }),
  }));
  if (stacks.length === 0) context.log('info', `No stacks have changed since ${safeText(since, 200)}.`);
  return { from, to, stacks };
}

/** A directory without links. */
export function realDirectory(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new UsageError(`the directory ${safeText(path)} ${unreadable(error).message}`);
  }
}
