import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { searchStacks } from '../../../src/watch/fleet/fleet-members.ts';
import { directory } from '../../cli/terminal.ts';

const file = 'version: 1\n';

const pathsIn = async (dir: string): Promise<readonly string[]> => [...(await searchStacks(dir)).stacks.keys()];

test('every stack file at or below the directory is found, in natural order', async () => {
  const dir = await directory({
    'sluice.yaml': file,
    'team/r10/sluice.yaml': file,
    'team/r2/sluice.yaml': file,
    'team/r2/inner/sluice.yaml': file,
    'docs/readme.md': '',
  });
  expect(await pathsIn(dir)).toEqual(['.', 'team/r2', 'team/r2/inner', 'team/r10']);
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
  expect(await pathsIn(dir)).toEqual(['a']);
});

test('a directory that is itself a link, as of git-sync, is searched', async () => {
  const dir = await directory({ 'worktree/a/sluice.yaml': file });
  await symlink(join(dir, 'worktree'), join(dir, 'current'));
  expect(await pathsIn(join(dir, 'current'))).toEqual(['a']);
});

test('a changed stack file has another text', async () => {
  const dir = await directory({ 'a/sluice.yaml': file });
  const before = (await searchStacks(dir)).stacks.get('a');
  expect((await searchStacks(dir)).stacks.get('a')).toBe(before);
  await writeFile(join(dir, 'a/sluice.yaml'), `${file}# longer\n`);
  expect((await searchStacks(dir)).stacks.get('a')).not.toBe(before);
});

test('a directory that cannot be read is a failure, not a directory without stacks', async () => {
  const dir = await directory();
  expect((await searchStacks(join(dir, 'gone'))).failure).toContain('gone');
});

test('the stacks that are watched have their turns while a tree is searched', async () => {
  const dir = await directory({ 'a/sluice.yaml': file, 'b/c/sluice.yaml': file });
  let turns = 0;
  const turn = (): void => {
    turns += 1;
  };
  setImmediate(turn);
  await searchStacks(dir);
  expect(turns).toBe(1);
});
