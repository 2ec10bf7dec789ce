import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { directory } from '../cli/terminal.ts';

/** A git repository in a directory of its own. */
export interface GitStack {
  readonly dir: string;
  readonly git: (...args: string[]) => string;
  /** Writes files and commits everything; returns the commit. */
  readonly commit: (files: Readonly<Record<string, string>>) => string;
}

/** Makes a repository whose branch main has the files given. */
export async function gitStack(files: Readonly<Record<string, string>>): Promise<GitStack> {
  const dir = await directory();
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=alice', '-c', 'user.email=alice@example.com', ...args], {
      cwd: dir,
      stdio: 'pipe',
      encoding: 'utf8',
    });
  const commit = (changed: Readonly<Record<string, string>>): string => {
    for (const [name, text] of Object.entries(changed)) {
      mkdirSync(dirname(join(dir, name)), { recursive: true });
      writeFileSync(join(dir, name), text);
    }
    git('add', '-A');
    git('commit', '-q', '--allow-empty', '-m', 'a commit');
    return git('rev-parse', 'HEAD').trim();
  };
  git('init', '-q', '-b', 'main');
  writeFileSync(join(dir, '.gitignore'), '.sluice/\n*.plan\n');
  commit(files);
  return { dir, git, commit };
}
