import { realpathSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { unreadable } from '../../../files/safe-file.ts';
import { changedStacks } from '../../../stack/changed/changed-stacks.ts';
import { baseCommit, commitOf } from '../../../stack/git/base-commit.ts';
import { findRepository } from '../../../stack/git/find-repository.ts';
import { readGit } from '../../../stack/git/read-git.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';

/** Since when. */
export interface ChangedFlags {
  readonly since: string;
}

/** Lists the stacks whose plan inputs differ between HEAD and the commit that it has in common with a ref. */
export async function changed(context: Context, { since }: ChangedFlags): Promise<number> {
  const [cwd, dir] = [realPath(context.io.cwd), realPath(resolve(context.io.cwd, context.dir ?? '.'))];
  const repository = findRepository(dir);
  if (repository === undefined)
    throw new UsageError(
      `--since: ${safeText(dir)} is not in a git repository`,
      'check out the repository with its history',
    );
  const { root, gitDir } = repository;
  const git = readGit(context, gitDir);
  const { commit: from } = await baseCommit(git, '--since', since);
  const to = await commitOf(git, 'HEAD');
  const found = await changedStacks({ git, root, from, to, below: pathFrom(root, dir) });
  const stacks = found.map(({ dir: at, change }) => ({ stack: pathFrom(cwd, join(root, at)) || '.', change }));
  if (stacks.length === 0) context.log('info', `No stacks have changed since ${safeText(since, 200)}.`);
  context.result(
    () => stacks.map(({ stack, change }) => `${change.padEnd(7)}  ${safeText(stack)}\n`).join(''),
    () => ({
      format_version: '1.0',
      since: { ref: since, commit: from },
      head: to,
      stacks,
      matrix: { include: stacks.filter(({ change }) => change !== 'deleted') },
    }),
  );
  return exitCodes.done;
}

function pathFrom(directory: string, path: string): string {
  return relative(directory, path).split(sep).join('/');
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new UsageError(`the directory ${safeText(path)} ${unreadable(error).message}`);
  }
}
