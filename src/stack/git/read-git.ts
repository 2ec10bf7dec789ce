import type { StackContext } from '../stack-context.ts';
import { SluiceError } from '../../diagnostics/errors.ts';
import { UsageError } from '../usage-error.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

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

interface GitOptions {
  readonly gitDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/**
 * Runs a git command that reads objects, and returns what it printed. The repository is not trusted: nothing of its
 * configuration can start another program, and no network is used. Rejects where git fails, prints too much or takes too long.
 */
export async function runGit(
  args: readonly string[],
  { gitDir, env, signal, maxBytes, timeoutMs }: GitOptions,
  input?: string,
): Promise<Buffer> {
  const all = ['--git-dir', gitDir, '--no-pager', '--no-replace-objects', ...untrusted.flatMap((each) => ['-c', each])];
  const running = promisify(execFile)('git', [...all, ...args], {
    env: { ...(env['PATH'] === undefined ? {} : { PATH: env['PATH'] }), ...quiet },
    cwd: gitDir,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: maxBytes,
    encoding: 'buffer',
    signal,
  });
  // It may end before it has read everything; then it fails, and that is what counts.
  running.child.stdin?.on('error', () => undefined);
  running.child.stdin?.end(input);
  return (await running).stdout;
}

const untrusted = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'log.showSignature=false'];

const quiet = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  // Of no protocol at all.
  GIT_ALLOW_PROTOCOL: '',
  GIT_CEILING_DIRECTORIES: '/',
};
