import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkedOut } from '../../../src/stack/git/git-head.ts';
import { directory } from '../../cli/terminal.ts';

const commit = 'c0ffee'.repeat(6).concat('c0de');

test.each<[string, Record<string, string>, object | undefined]>([
  ['a commit', { HEAD: `${commit}\n` }, { commit }],
  ['a branch', { HEAD: 'ref: refs/heads/main\n', 'refs/heads/main': commit }, { commit, branch: 'main' }],
  ['a packed branch', { HEAD: 'ref: refs/heads/x', 'packed-refs': `${commit} refs/heads/x` }, { commit, branch: 'x' }],
  ['a branch without a commit', { HEAD: 'ref: refs/heads/main' }, undefined],
  ['no commit', { HEAD: 'c0ffee' }, undefined],
  ['a file outside the repository', { HEAD: 'ref: refs/../../secret' }, undefined],
])('what HEAD names is checked out: %s', async (_, files, expected) => {
  const given = Object.entries(files).map(([name, text]) => [`.git/${name}`, text]);
  const dir = await directory({ ...(Object.fromEntries(given) as typeof files), secret: commit });
  expect(checkedOut(dir)).toEqual(expected && { ...expected, gitDir: join(dir, '.git') });
});

test('links are followed to what is checked out, and a worktree that is gone has nothing checked out', async () => {
  const dir = await directory({ 'one/.git/HEAD': commit });
  symlinkSync('one', join(dir, 'current'));
  expect(checkedOut(join(dir, 'current'))?.commit).toBe(commit);
  rmSync(join(dir, 'one'), { recursive: true });
  expect(checkedOut(join(dir, 'current'))).toBeUndefined();
});
