import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Backend } from '../../src/state/backend.ts';
import { openBackend, openFiles, socketVariable } from '../../src/stack/open-backend.ts';
import { directory } from '../cli/terminal.ts';

/** Where a stack in a directory has its state, with a path in its settings or without. */
function backendOf(dir: string, path?: string, env: Readonly<Record<string, string>> = {}): Promise<Backend> {
  const settings = { state: path === undefined ? {} : { path } };
  return openBackend({ io: { env, cwd: '/srv' } } as never, { dir, settings, untrusted: [], network: {} } as never);
}

test('a stack has its state in a file beside it, or where its settings say', async () => {
  const dir = await directory();
  expect((await backendOf(dir)).location).toBe(join(dir, '.sluice/state.json'));
  expect((await backendOf(dir, '../kept/state.json')).location).toBe(join(dir, '../kept/state.json'));
  expect(openFiles(dir).location).toBe(join(dir, '.sluice/state.json'));
  expect(openFiles(dir, 'old.json').location).toBe(join(dir, 'old.json'));
});

test('the socket of a watch is beside the state, or where the environment says', async () => {
  const dir = await directory();
  const { socketPath } = await backendOf(dir);
  expect(socketPath).toMatch(new RegExp(`^${join(dir, '.sluice')}/`));
  expect((await backendOf(dir, undefined, { [socketVariable]: '' })).socketPath).toBe(socketPath);
  expect((await backendOf(dir, undefined, { [socketVariable]: 'run/shop.sock' })).socketPath).toBe(
    '/srv/run/shop.sock',
  );
});

test('a state inside .git is refused, also behind a link: git could delete it', async () => {
  const dir = await directory();
  mkdirSync(join(dir, '.git'));
  symlinkSync('.git', join(dir, 'kept'));
  symlinkSync('.git/absent.json', join(dir, 'linked.json'));
  for (const path of ['.git/state.json', 'kept/state.json', 'linked.json'])
    await expect(backendOf(dir, path)).rejects.toMatchObject({
      code: 'STATE_PATH_IN_GIT',
      message: `the state file ${path} is inside a .git directory`,
    });
  // Also where the state is moved to it.
  expect(() => openFiles(dir, '.git/state.json')).toThrow('the state file .git/state.json is inside a .git directory');
});
