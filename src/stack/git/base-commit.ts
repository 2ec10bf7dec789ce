import { SluiceError } from '../../diagnostics/errors.ts';
import { quoted } from '../../diagnostics/quoted.ts';
import type { PlanBase } from '../../model/plan/plan-parts.ts';
import { UsageError } from '../usage-error.ts';
import type { ReadGit } from './read-git.ts';

/** The commit that is checked out; refuses a flag that needs one where there is none. */
export function headCommit(git: ReadGit, flag: string): Promise<string> {
  return orRefuse(flag)(commitOf(git, 'HEAD'), 'the repository has no commit checked out');
}

/** The commit that the checked out one has in common with the ref that a flag names. */
export async function baseCommit(git: ReadGit, flag: string, ref: string, head: string): Promise<PlanBase> {
  const shown = quoted(ref, 200);
  const or = orRefuse(flag);
  const other = await or(commitOf(git, ref), `${shown} is not a commit of this repository`);
  const common = firstLine(git, ['merge-base', other, head]);
  const commit = await or(common, `${shown} and the checked-out commit have no common ancestor`);
  return { ref, commit, ahead: Number(await firstLine(git, ['rev-list', '--count', `${commit}..${other}`])) };
}

/** A commit, or why git has none. */
function orRefuse(
  flag: string,
  hint = 'fetch the branch with its history; with actions/checkout: `fetch-depth: 0`',
): (commit: Promise<string>, problem: string) => Promise<string> {
  return async (commit, problem) => {
    try {
      return await commit;
    } catch (error) {
      if (error instanceof SluiceError) throw error;
      throw new UsageError(`${flag}: ${problem}`, hint);
    }
  };
}

/** The commit that a person names in an argument of a command. */
export function namedCommit(git: ReadGit, command: string, ref: string): Promise<string> {
  return orRefuse(
    command,
    'check the name; `sluice history` lists the applied commits, and `git fetch --unshallow` completes a shallow clone',
  )(commitOf(git, ref), `${quoted(ref, 200)} is not a commit of this repository`);
}

/** Whether a commit is an ancestor of another, or the same. */
export async function isAncestor(git: ReadGit, older: string, newer: string): Promise<boolean> {
  return (await firstLine(git, ['merge-base', older, newer])) === older;
}

/** Whether the repository has all ancestors of its commits: a shallow clone has not. */
export async function isWholeHistory(git: ReadGit): Promise<boolean> {
  return (await git(['rev-parse', '--is-shallow-repository'], 1_000)).toString('utf8').trim() === 'false';
}

/** The commit that a name stands for; rejects if there is none. */
function commitOf(git: ReadGit, ref: string): Promise<string> {
  return firstLine(git, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
}

async function firstLine(git: ReadGit, args: readonly string[]): Promise<string> {
  const [line = ''] = (await git(args, 1_000_000)).toString('utf8').split('\n');
  if (!/^[0-9a-f]+$/.test(line)) throw new Error('unexpected output of git');
  return line;
}
