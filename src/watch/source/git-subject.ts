import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { GitHead } from './git-head.ts';

type Env = Readonly<Record<string, string | undefined>>;

const run = promisify(execFile);

/**
 * The first line of a commit's message, if git is there to read it. The repository is not trusted: git reads one object, with
 * nothing of the repository's configuration that could start another program or reach the network.
 */
export async function gitSubject(
  { commit, gitDir }: GitHead,
  env: Env,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (gitDir === undefined) return undefined;
  const untrusted = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'log.showSignature=false'];
  const args = [
    '--git-dir',
    gitDir,
    '--no-pager',
    '--no-replace-objects',
    ...untrusted.flatMap((each) => ['-c', each]),
  ];
  try {
    const { stdout } = await run('git', [...args, 'cat-file', 'commit', commit], {
      env: { ...(env['PATH'] === undefined ? {} : { PATH: env['PATH'] }), ...quiet },
      cwd: gitDir,
      timeout: 5000,
      killSignal: 'SIGKILL',
      maxBuffer: 1_000_000,
      encoding: 'utf8',
      signal,
    });
    const subject =
      stdout
        .slice(stdout.indexOf('\n\n') + 2)
        .split('\n')[0]
        ?.trim() ?? '';
    return subject === '' ? undefined : subject.slice(0, longest);
  } catch {
    return undefined;
  }
}

const longest = 200;

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
