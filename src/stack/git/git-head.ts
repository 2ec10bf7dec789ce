import { realpathSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { readSafely } from '../../files/safe-file.ts';
import { findRepository } from './find-repository.ts';

/** The checked-out commit, according to the files of git. */
export interface GitHead {
  readonly commit: string;
  readonly branch?: string;
  /** Where the objects are; missing where the name of a git-sync worktree is all there is. */
  readonly gitDir?: string;
}

/** What a directory has checked out, whatever links lead to it, without git. Undefined where there is no git, nothing to be made of it, or no directory that can be entered, such as a worktree that git-sync has removed. */
export function checkedOut(dir: string): GitHead | undefined {
  try {
    const real = realpathSync(dir);
    const found = findRepository(real);
    return (found === undefined ? undefined : headOf(found.gitDir)) ?? worktreeName(real);
  } catch {
    return undefined;
  }
}

function headOf(own: string): GitHead | undefined {
  const head = textOf(join(own, 'HEAD'))?.trim();
  if (head === undefined) return undefined;
  // A worktree has a HEAD of its own; branches and objects are shared.
  const gitDir = resolve(own, textOf(join(own, 'commondir'))?.trim() ?? '.');
  const ref = /^ref: (refs\/[^\s]+)$/.exec(head)?.[1];
  const commit = ref === undefined || ref.split('/').includes('..') ? head : commitOf(ref, gitDir);
  if (commit === undefined || !isCommit(commit)) return undefined;
  const branch = ref?.replace(/^refs\/heads\//, '');
  return { commit, ...(branch === undefined ? {} : { branch }), gitDir };
}

function commitOf(ref: string, gitDir: string): string | undefined {
  const loose = textOf(join(gitDir, ref))?.trim();
  if (loose !== undefined) return loose;
  const packed = textOf(join(gitDir, 'packed-refs'))?.split('\n') ?? [];
  return packed.find((line) => line.endsWith(` ${ref}`))?.slice(0, -ref.length - 1);
}

/** git-sync names its worktrees by their commits, and often the worktree is all that is mounted. */
function worktreeName(dir: string): GitHead | undefined {
  const name = dir.split(sep).findLast((part) => isCommit(part.replace(/^rev-/, '')));
  return name === undefined ? undefined : { commit: name.replace(/^rev-/, '') };
}

function isCommit(text: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

function textOf(path: string): string | undefined {
  const read = readSafely(path, mostBytes);
  return 'text' in read ? read.text : undefined;
}

// Of packed-refs: some hundred thousand branches and tags.
const mostBytes = 16_000_000;

/** The commit that manifests are of. It is read once, before they are. */
export interface Checkout {
  readonly commit: string;
  /** Whether files of the stack, as they were read, have changes that are not in the commit; undefined if that is unknown. */
  readonly uncommitted: () => Promise<boolean | undefined>;
}

/** A commit as git names it: whole, or shortened to seven digits or more. */
export const commitName = /^[0-9a-f]{7,64}$/;
