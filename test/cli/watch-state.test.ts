import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requireDurableState } from '../../src/watch/require-durable-state.ts';
import type { StackConfig } from '../../src/stack/settings/stack-config.ts';
import { UsageError } from '../../src/stack/usage-error.ts';
import { directory } from './terminal.ts';

test('a directory that is swapped away while watch begins is a reason to end, and no defect', async () => {
  const root = await directory();
  const dir = join(root, 'current');
  await symlink('worktrees/gone', dir);
  const path = join(root, 'state/state.json');
  const open = { dir, settings: { state: { path } } } as StackConfig;
  await expect(requireDurableState(open)).rejects.toThrow(UsageError);
  await expect(requireDurableState(open)).rejects.toThrow(
    'current can no longer be read: no such file or directory (ENOENT)',
  );
});

test('so is a directory that is moved away, also where the state is in a store', async () => {
  const dir = join(await directory(), 'team/gone');
  for (const state of [{ postgres: { url: 'postgres://db' } }, { path: '/tmp/state.json' }]) {
    const open = { dir, settings: { state } } as unknown as StackConfig;
    await expect(requireDurableState(open)).rejects.toThrow(UsageError);
    await expect(requireDurableState(open)).rejects.toThrow(
      'team/gone can no longer be read: no such file or directory (ENOENT)',
    );
  }
});
