import { execFile } from 'node:child_process';

/** Which repository, and what bounds a command. */
export interface GitOptions {
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
export function runGit(
  args: readonly string[],
  { gitDir, env, signal, maxBytes, timeoutMs }: GitOptions,
  input?: string,
): Promise<Buffer> {
  return new Promise((done, failed) => {
    const child = execFile(
      'git',
      [
        '--git-dir',
        gitDir,
        '--no-pager',
        '--no-replace-objects',
        ...untrusted.flatMap((each) => ['-c', each]),
        ...args,
      ],
      {
        env: { ...(env['PATH'] === undefined ? {} : { PATH: env['PATH'] }), ...quiet },
        cwd: gitDir,
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        maxBuffer: maxBytes,
        encoding: 'buffer',
        signal,
      },
      (error, stdout) => {
        if (error === null) done(stdout);
        else failed(error as Error);
      },
    );
    // It may have ended before it has read everything; then the error above says so.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
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
