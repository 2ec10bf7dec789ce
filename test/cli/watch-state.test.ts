import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mustKeepState } from '../../src/cli/commands/watch-state.ts';
import type { OpenStack } from '../../src/cli/open-stack.ts';
import { UsageError } from '../../src/cli/usage-error.ts';
import { directory } from './terminal.ts';

test('a directory that is swapped away while watch begins is a reason to end, and no defect', async () => {
  const root = await directory();
  const dir = join(root, 'current');
  await symlink('worktrees/gone', dir);
  const path = join(root, 'state/state.json');
  const open = { dir, settings: { state: { path } } } as OpenStack;
  await expect(mustKeepState(open, path)).rejects.toThrow(UsageError);
  await expect(mustKeepState(open, path)).rejects.toThrow('current cannot be read any more: ENOENT');
});
