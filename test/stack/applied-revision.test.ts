import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkedOutCommit } from '../../src/stack/plan/applied-revision.ts';

test('the commit of a worktree is known until git-sync removes it, and then it is not', () => {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-applied-'));
  const git = (...line: string[]): string => execFileSync('git', ['-C', dir, ...line], { encoding: 'utf8' }).trim();
  git('init', '-q');
  git('-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'one');
  expect(checkedOutCommit(dir)).toBe(git('rev-parse', 'HEAD'));
  rmSync(dir, { recursive: true });
  expect(checkedOutCommit(dir)).toBeUndefined();
});
