import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { searchStacks } from '../../../src/watch/fleet/search-stacks.ts';
import { directory } from '../../cli/terminal.ts';

const file = 'version: 1\n';

const pathsIn = (dir: string): readonly string[] => [...searchStacks(dir).stacks.keys()];

test('every stack file at or below the directory is found, in natural order', async () => {
  const dir = await directory({
    'sluice.yaml': file,
    'team/r10/sluice.yaml': file,
    'team/r2/sluice.yaml': file,
    'team/r2/inner/sluice.yaml': file,
    'docs/readme.md': '',
  });
  expect(pathsIn(dir)).toEqual(['.', 'team/r2', 'team/r2/inner', 'team/r10']);
});

test('hidden directories, node_modules and symbolic links are not searched', async () => {
  const outside = await directory({ 'shop/sluice.yaml': file });
  const dir = await directory({
    'a/sluice.yaml': file,
    '.git/sluice.yaml': file,
    'node_modules/x/sluice.yaml': file,
    'b/readme.md': '',
  });
  await symlink(join(outside, 'shop'), join(dir, 'link'));
  await symlink(join(outside, 'shop/sluice.yaml'), join(dir, 'b/sluice.yaml'));
  expect(pathsIn(dir)).toEqual(['a']);
});

test('a directory that is itself a link, as of git-sync, is searched', async () => {
  const dir = await directory({ 'worktree/a/sluice.yaml': file });
  await symlink(join(dir, 'worktree'), join(dir, 'current'));
  expect(pathsIn(join(dir, 'current'))).toEqual(['a']);
});

test('a changed stack file has another text', async () => {
  const dir = await directory({ 'a/sluice.yaml': file });
  const before = searchStacks(dir).stacks.get('a');
  expect(searchStacks(dir).stacks.get('a')).toBe(before);
  await writeFile(join(dir, 'a/sluice.yaml'), `${file}# longer\n`);
  expect(searchStacks(dir).stacks.get('a')).not.toBe(before);
});

test('a directory that cannot be read is a failure, not a directory without stacks', async () => {
  const dir = await directory();
  expect(searchStacks(join(dir, 'gone')).failure).toContain('gone');
});
