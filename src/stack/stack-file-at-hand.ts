import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findStackFile, stackFileName } from '../manifest/stack-file/stack-file.ts';
import type { StackContext } from './stack-context.ts';
import { UsageError } from './usage-error.ts';

/** The `sluice.yaml` that a command is about, if there is one: of its directory, or of the nearest above. A directory that does not exist is a mistake, so none above it is meant. */
export function stackFileAtHand(context: Pick<StackContext, 'io' | 'dir' | 'isLibrary'>): string | undefined {
  const from = resolve(context.io.cwd, context.dir ?? '.');
  if (!existsSync(from)) throw new UsageError(`the directory ${from} does not exist`, selectStack(context.isLibrary));
  refuseMisnamed(from);
  return findStackFile(from);
}

/** Refuses a directory whose stack file has the other usual ending: no stack, or one above it, would be meant in its place. */
export function refuseMisnamed(dir: string): void {
  const misnamed = stackFileName.replace('.yaml', '.yml');
  if (existsSync(join(dir, misnamed)) && !existsSync(join(dir, stackFileName)))
    throw new UsageError(`${dir} has a ${misnamed}, but no ${stackFileName}`, `rename the file to ${stackFileName}`);
}

/** What to do where no stack is. */
export function selectStack(isLibrary = false): string {
  return `run \`sluice init\` to create a stack, or ${isLibrary ? 'set `dir` to the directory of one' : 'select one with -C DIR'}`;
}
