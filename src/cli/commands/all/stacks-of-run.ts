import { resolve } from 'node:path';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { findStacks } from '../../../stack/all/find-stacks.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import type { Context } from '../../context.ts';
import { realDirectory, stackPath, stacksSince } from '../changed/stacks-since.ts';

/** Which stacks a command is for. */
export interface AllFlags {
  /** All at and below a directory; true: below that of -C, or the working directory. */
  readonly all?: string | boolean;
  /** Only those that differ from the last commit that HEAD has in common with this ref. */
  readonly since?: string;
}

/** The stacks of a run, as -C takes them, by path. */
export async function stacksOfRun(context: Context, { all, since }: AllFlags): Promise<readonly string[]> {
  const directory = resolve(context.io.cwd, context.dir ?? '.', typeof all === 'string' ? all : '.');
  const cwd = realDirectory(context.io.cwd);
  const found = findStacks(realDirectory(directory)).map((dir) => stackPath(cwd, dir));
  if (found.length === 0)
    throw new UsageError(
      `there is no sluice.yaml in ${safeText(directory)} or below it`,
      'pass a directory that contains stacks: --all DIR',
    );
  if (since === undefined) return found;
  const { stacks } = await stacksSince(context, directory, since);
  for (const { stack, change } of stacks)
    if (change === 'deleted')
      context.log(
        'warn',
        `${safeText(stack)} was deleted since ${safeText(since, 200)}; its resources remain in the account`,
      );
  const wanted = new Set(stacks.map(({ stack }) => stack));
  return found.filter((stack) => wanted.has(stack));
}
