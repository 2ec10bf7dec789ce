import { runGit } from '../../stack/git/read-git.ts';
import type { GitHead } from '../../stack/git/git-head.ts';

const longest = 200;

/** The first line of a commit's message, if git is there to read it. */
export async function gitSubject(
  { commit, gitDir }: GitHead,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (gitDir === undefined) return undefined;
  const options = { gitDir, env, signal, maxBytes: 1_000_000, timeoutMs: 5000 };
  const read = await runGit(['cat-file', 'commit', commit], options).catch(() => undefined);
  // After the headers of the commit and an empty line.
  const subject = read === undefined ? undefined : /\n\n([^\n]*)/.exec(read.toString('utf8'))?.[1]?.trim();
  return subject === '' ? undefined : subject?.slice(0, longest);
}
