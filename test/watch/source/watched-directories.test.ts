import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { watchedDirectories } from '../../../src/watch/source/watched-directories.ts';
import { scratch } from '../../support/watched-stack.ts';

test('what a path leads to depends on each link on the way and on its end, or on where the way breaks off', () => {
  const root = scratch();
  mkdirSync(join(root, 'worktrees/1/stack'), { recursive: true });
  symlinkSync('worktrees/1', join(root, 'current'));
  symlinkSync(join(root, 'current/stack'), join(root, 'far'));
  symlinkSync('../current', join(root, 'worktrees/up'));
  symlinkSync('./worktrees/1/.', join(root, 'dotted'));
  symlinkSync(join(root, 'worktrees/1/'), join(root, 'closed'));
  symlinkSync('loop', join(root, 'loop'));
  const places = (path: string): readonly string[] =>
    watchedDirectories(join(root, path)).map(({ directory, name }) => `${directory}/${name}`.slice(root.length + 1));

  expect(places('worktrees/1/stack')).toEqual(['worktrees/1/stack']);
  expect(places('current/stack')).toEqual(['current', 'worktrees/1/stack']);
  expect(places('current')).toEqual(['current', 'worktrees/1']);
  expect(places('far')).toEqual(['far', 'current', 'worktrees/1/stack']);
  for (const name of ['dotted', 'closed']) expect(places(name)).toEqual([name, 'worktrees/1']);
  expect(places('worktrees/up/stack')).toEqual(['worktrees/up', 'current', 'worktrees/1/stack']);
  expect(places('current/none/deeper')).toEqual(['current', 'worktrees/1/none']);
  expect(places('current/none')).toEqual(['current', 'worktrees/1/none']);
  expect(new Set(places('loop'))).toEqual(new Set(['loop']));
});
