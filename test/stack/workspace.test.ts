import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { libraryContext } from '../../src/stack/library-context.ts';
import { openWorkspace, type Workspace } from '../../src/stack/workspace.ts';
import { stack } from '../cli/terminal.ts';

/** Opens a stack for a command, which is closed after the test. */
async function opened(dir: string, writes: boolean, env: NodeJS.ProcessEnv = {}): Promise<Workspace> {
  const context = libraryContext({ dir, env });
  const workspace = await openWorkspace(context, { parallelism: 1, command: 'apply', writes, lockTimeout: 0 });
  onTestFinished(workspace.close);
  return workspace;
}

test('a command that writes has the lock until it is closed; one that reads has none, and records no run', async () => {
  const dir = await stack();
  const writing = await opened(dir, true);
  const reading = await opened(dir, false);
  await expect(opened(dir, true)).rejects.toMatchObject({ code: 'LOCK_HELD' });
  expect([writing.mayWrite(), reading.mayWrite()]).toEqual([true, false]);
  expect([writing.beginRun === undefined, reading.beginRun === undefined]).toEqual([false, true]);
  // Whoever reads sees the earlier runs all the same.
  expect(await reading.runs(1)).toEqual([]);
  await writing.close();
  await expect(opened(dir, true)).resolves.toBeDefined();
});

test.each([
  ['the account of the emulator', '.sluice/emulator.json', 'is not an emulator account file'],
  ['the state', '.sluice/state.json', 'state'],
])('the lock is not kept where %s cannot be read', async (_, name, message) => {
  const dir = await stack();
  mkdirSync(join(dir, '.sluice'));
  writeFileSync(join(dir, name), 'neither of both');
  await expect(opened(dir, true)).rejects.toThrow(message);
  rmSync(join(dir, name));
  await expect(opened(dir, true)).resolves.toBeDefined();
});

test('only the emulator and a service on this machine count as local, so that an empty account of another is refused', async () => {
  const isLocal = async (env: NodeJS.ProcessEnv): Promise<boolean> => (await opened(await stack(), false, env)).isLocal;
  const at = (SLUICE_BASE_URL: string) => ({ SLUICE_BASE_URL, SLUICE_API_KEY: 'any' });
  expect(await isLocal({})).toBe(true);
  expect(await isLocal(at('http://127.0.0.1:1'))).toBe(true);
  expect(await isLocal(at('https://api.example.com'))).toBe(false);
});
