import type { StackContext } from '../stack-context.ts';
import { SluiceError } from '../../diagnostics/errors.ts';
import { UsageError } from '../usage-error.ts';
import { runGit } from './run-git.ts';

/** Runs a git command in a repository; at most so many bytes are read. */
export type ReadGit = (args: readonly string[], maxBytes: number, input?: string) => Promise<Buffer>;

const timeoutMs = 60_000;

/** Reads from the repository of a command. */
export function readGit({ io: { env, signal } }: StackContext, gitDir: string): ReadGit {
  return async (args, maxBytes, input) => {
    try {
      return await runGit(args, { gitDir, env, signal, maxBytes, timeoutMs }, input);
    } catch (error) {
      if (signal.aborted) throw new SluiceError('INTERRUPTED', 'interrupted', { cause: error });
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      throw isMissing ? new UsageError('git is not installed', 'install git') : error;
    }
  };
}
