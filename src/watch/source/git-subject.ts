import { runGit } from '../../stack/git/read-git.ts';
import type { GitHead } from '../../stack/git/git-head.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The first line of a commit's message, if git is there to read it. */
export async function gitSubject(
  { commit, gitDir }: GitHead,
  env: Env,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (gitDir === undefined) return undefined;
  try {
    const read = await runGit(['cat-file', 'commit', commit], {
      gitDir,
      env,
      signal,
      maxBytes: 1_000_000,
      timeoutMs: 5000,
    });
    const text = read.toString('utf8');
    const subject =
      text
        .slice(text.indexOf('\n\n') + 2)
        .split('\n')[0]
        ?.trim() ?? '';
    return subject === '' ? undefined : subject.slice(0, longest);
  } catch {
    return undefined;
  }
}

const longest = 200;
