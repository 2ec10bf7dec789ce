import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findRepository } from '../../../src/stack/git/find-repository.ts';
import { directory } from '../../cli/terminal.ts';

test('the repository of a directory is the nearest above it: one with a .git of its own, or a worktree or submodule', async () => {
  const root = await directory({ 'stacks/eu/sluice.yaml': '' });
  const here = join(root, 'stacks/eu');
  expect(findRepository(here)).toBeUndefined();
  mkdirSync(join(root, '.git'));
  const outer = { root, gitDir: join(root, '.git') };
  expect([findRepository(here), findRepository(root)]).toEqual([outer, outer]);

  writeFileSync(join(root, 'stacks/.git'), 'gitdir: ../.git/worktrees/stacks\n');
  expect(findRepository(here)).toEqual({ root: join(root, 'stacks'), gitDir: join(root, '.git/worktrees/stacks') });
  writeFileSync(join(here, '.git'), 'nothing that git would read\n');
  expect(findRepository(here)?.root).toBe(join(root, 'stacks'));
});
