import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findStacks } from '../../../src/stack/all/find-stacks.ts';
import { directory } from '../../cli/terminal.ts';

test('stacks are found at and below a directory, in natural order; links, hidden directories and packages are not searched', async () => {
  const found = ['sluice.yaml', 'eu/b10/sluice.yaml', 'eu/b9/sluice.yaml'];
  const others = ['.git/sluice.yaml', 'node_modules/x/sluice.yaml', 'eu/sluice.yml', 'us/sluice.yaml/readme'];
  const dir = await directory(Object.fromEntries([...found, ...others].map((name) => [name, ''])));
  symlinkSync('eu', join(dir, 'linked'));
  expect(await findStacks(dir)).toEqual([dir, join(dir, 'eu/b9'), join(dir, 'eu/b10')]);
});

test('a directory that cannot be read ends the search: a stack in it would be left out silently', async () => {
  const missing = join(await directory(), 'missing');
  await expect(findStacks(missing)).rejects.toThrow(`the directory ${missing} does not exist`);
});
