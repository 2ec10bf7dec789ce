import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { namedDirectory } from '../../../src/cli/commands/watch/watch-command.ts';
import { directory } from '../terminal.ts';

test('a directory is named with the links that the shell came by, if they lead there', async () => {
  const dir = await directory({ 'one/a': '', 'two/a': '' });
  const [one, two, current] = ['one', 'two', 'current'].map((name) => join(dir, name)) as [string, string, string];
  await symlink(one, current);
  const named = (pwd?: string): string => namedDirectory({ cwd: one, env: { PWD: pwd } });
  expect(named(current)).toBe(current);
  expect(named(one)).toBe(one);
  for (const pwd of [undefined, '', two, 'current', join(dir, 'gone')]) expect(named(pwd)).toBe(one);
});
