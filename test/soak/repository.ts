import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A repository, and beside it what git-sync makes of it: a worktree for each revision, and a link to the one that counts. */
export interface Repository {
  /** The link that watches look at. */
  readonly current: string;
  /** The worktree behind it, if it leads anywhere. */
  readonly worktree: () => Promise<string | undefined>;
  /** Commits these texts, by path; answers the commit. */
  readonly commit: (texts: Readonly<Record<string, string>>, subject: string) => Promise<string>;
  /** Makes a worktree of its own for a commit and turns the link to it, as git-sync does. */
  readonly swap: (commit: string) => Promise<void>;
  /** Checks a commit out where the link leads to, as `git pull` does; where there is no worktree, as `swap`. */
  readonly pull: (commit: string) => Promise<void>;
  /** Turns the link to anything. */
  readonly turn: (target: string) => Promise<void>;
}

/** Makes an empty repository below a directory. */
export async function repositoryIn(root: string): Promise<Repository> {
  const origin = join(root, 'origin');
  const trees = join(root, 'sync/.worktrees');
  const current = join(root, 'sync/current');
  await mkdir(origin, { recursive: true });
  await mkdir(trees, { recursive: true });
  await git(origin, 'init', '-q', '-b', 'main');
  let turns = 0;

  async function turn(target: string): Promise<void> {
    const next = `${current}.next`;
    await rm(next, { force: true });
    await symlink(target, next);
    await rename(next, current);
  }

  async function swap(commit: string): Promise<void> {
    const name = `${commit}-${(turns += 1)}`;
    await git(origin, 'worktree', 'add', '-q', '--detach', join(trees, name), commit);
    await turn(join('.worktrees', name));
    for (const old of await readdir(trees)) if (old !== name) await rm(join(trees, old), { recursive: true });
    await git(origin, 'worktree', 'prune');
  }

  async function worktree(): Promise<string | undefined> {
    return realpath(current).catch(() => undefined);
  }

  return {
    current,
    worktree,
    turn,
    commit: async (texts, subject) => {
      for (const [path, text] of Object.entries(texts)) {
        await mkdir(dirname(join(origin, path)), { recursive: true });
        await writeFile(join(origin, path), text);
      }
      await git(origin, 'add', '-A');
      await git(origin, 'commit', '-q', '--allow-empty', '-m', subject);
      return git(origin, 'rev-parse', 'HEAD');
    },
    swap,
    pull: async (commit) => {
      const tree = await worktree();
      if (tree === undefined || !existsSync(join(tree, '.git'))) await swap(commit);
      else await git(tree, 'checkout', '-q', '--force', '--detach', commit);
    },
  };
}

async function git(dir: string, ...args: string[]): Promise<string> {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'gc.auto=0'];
  const { stdout } = await run('git', [...who, ...args], { cwd: dir });
  return stdout.trim();
}
