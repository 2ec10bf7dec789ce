import { SluiceError } from '../../diagnostics/errors.ts';
import { quoted } from '../../diagnostics/quoted.ts';
import type { PlanBase } from '../../model/plan/plan-parts.ts';
import { UsageError } from '../usage-error.ts';
import type { ReadGit } from './read-git.ts';

/** The commit that is checked out; refuses a flag that needs one where there is none. */
export function headCommit(git: ReadGit, flag: string): Promise<string> {
  return orRefuse(commitNamed(git, 'HEAD'), `${flag}: the repository has no commit checked out`);
}

/** The commit that the checked out one has in common with the ref that a flag names. */
export async function baseCommit(git: ReadGit, flag: string, ref: string, head: string): Promise<PlanBase> {
  const shown = `${flag}: ${quoted(ref, 200)}`;
  const other = await orRefuse(commitNamed(git, ref), `${shown} is not a commit of this repository`);
  const common = commonAncestor(git, other, head);
  const commit = await orRefuse(common, `${shown} and the checked-out commit have no common ancestor`);
  return { ref, commit, ahead: Number(await firstLine(git, ['rev-list', '--count', `${commit}..${other}`])) };
}

/** The commit that a person names in an argument of a command. */
export function namedCommit(git: ReadGit, command: string, ref: string): Promise<string> {
  return orRefuse(
    commitNamed(git, ref),
    `${command}: ${quoted(ref, 200)} is not a commit of this repository`,
    'check the name; `sluice history` lists the applied commits, and `git fetch --unshallow` completes a shallow clone',
  );
}

async function orRefuse(
  commit: Promise<string>,
  problem: string,
  hint = 'fetch the branch with its history; with actions/checkout: `fetch-depth: 0`',
): Promise<string> {
  try {
    return await commit;
  } catch (error) {
    throw error instanceof SluiceError ? error : new UsageError(problem, hint);
  }
}

/** The latest commit that two commits descend from, or are; rejects if there is none, or git does not have their history. */
export function commonAncestor(git: ReadGit, one: string, other: string): Promise<string> {
  return firstLine(git, ['merge-base', one, other]);
}

/** Whether a part of the history was not fetched. */
export async function isShallow(git: ReadGit): Promise<boolean> {
  return (await git(['rev-parse', '--is-shallow-repository'], 1_000)).toString('utf8').trim() !== 'false';
}

/** The commit that a name stands for; rejects if there is none. */
export function commitNamed(git: ReadGit, ref: string): Promise<string> {
  return firstLine(git, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
}

async function firstLine(git: ReadGit, args: readonly string[]): Promise<string> {
  const [line = ''] = (await git(args, 1_000_000)).toString('utf8').split('\n');
  if (!/^[0-9a-f]+$/.test(line)) throw new Error('unexpected output of git');
  return line;
}
