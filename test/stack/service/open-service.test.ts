import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../../src/emulator/emulator.ts';
import { libraryContext } from '../../../src/stack/library-context.ts';
import { openService, type Service } from '../../../src/stack/service/open-service.ts';
import { directory, stack, stackFile } from '../../cli/terminal.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

/** Opens the service for a directory, with these variables. */
async function opened(dir: string, env: Readonly<Record<string, string>> = {}, writes = false): Promise<Service> {
  const service = await openService(libraryContext({ dir, env }), { command: 'endpoints', writes });
  onTestFinished(service.close);
  return service;
}

test.each<[Readonly<Record<string, string>>, string]>([
  [{}, 'SLUICE_BASE_URL and SLUICE_VENDOR are not set'],
  [{ SLUICE_BASE_URL: '', SLUICE_VENDOR: 'example' }, 'SLUICE_BASE_URL is not set'],
  [{ SLUICE_BASE_URL: 'https://api.example.com', SLUICE_VENDOR: '' }, 'SLUICE_VENDOR is not set'],
  [{ SLUICE_BASE_URL: 'embedded', SLUICE_VENDOR: 'example' }, 'the embedded emulator needs a stack directory'],
])('without a stack, and with the variables %j, there is no service', async (env, message) => {
  await expect(opened(await directory(), { SLUICE_API_KEY: 'k3y', ...env })).rejects.toThrow(message);
});

test('without a stack, the service is the one that the environment names, until it is closed', async () => {
  const emulator = await createEmulator().listen({});
  onTestFinished(emulator.close);
  const env = { SLUICE_BASE_URL: emulator.url, SLUICE_VENDOR: 'example', SLUICE_API_KEY: 'k3y' };
  const { reader, close } = await opened(await directory(), env);
  await expect(reader.get('/reserved_addrs')).resolves.toMatchObject({ reserved_addrs: [] });
  await close();
  await expect(reader.get('/reserved_addrs')).rejects.toThrow();
});

test('who writes to the emulator inside sluice has the lock of the stack until it is closed, who reads has none', async () => {
  const dir = await stack();
  const writing = await opened(dir, {}, true);
  const reading = await opened(dir);
  await expect(opened(dir, {}, true)).rejects.toMatchObject({ code: 'LOCK_HELD' });
  await expect(reading.reader.get('/reserved_addrs')).resolves.toMatchObject({ reserved_addrs: [] });
  await writing.close();
  await expect(opened(dir, {}, true)).resolves.toBeDefined();
});

test('who writes to a service elsewhere needs no lock: it orders what it is sent', async () => {
  const emulator = await createEmulator().listen({});
  onTestFinished(emulator.close);
  const [dir, env] = [await stack(), { SLUICE_BASE_URL: emulator.url, SLUICE_API_KEY: 'k3y' }];
  await opened(dir, env, true);
  await expect(opened(dir, env, true)).resolves.toBeDefined();
});

test('the lock is not kept where the account of the emulator cannot be read', async () => {
  const dir = await stack();
  const account = join(dir, '.sluice/emulator.json');
  await mkdir(join(dir, '.sluice'));
  await writeFile(account, 'no account');
  await expect(opened(dir, {}, true)).rejects.toThrow('is not an emulator account file');
  await rm(account);
  await expect(opened(dir, {}, true)).resolves.toBeDefined();
});

test('a stack that limits its request rate limits it here as well', async () => {
  const emulator = await createEmulator().listen({});
  onTestFinished(emulator.close);
  const limited = stackFile.replace('vendor: example', 'vendor: example, rate_limit: 1/60s');
  const passed = async (file: string): Promise<number> => {
    const clock = virtualClock();
    const env = { SLUICE_BASE_URL: emulator.url, SLUICE_API_KEY: 'k3y' };
    const { io, ...context } = libraryContext({ dir: await stack(undefined, file), env });
    const service = await openService({ ...context, io: { ...io, clock } }, { command: 'endpoints', writes: false });
    onTestFinished(service.close);
    for (let left = 3; left > 0; left--) await clock.run(service.reader.get('/reserved_addrs'));
    return clock.now();
  };
  expect(await passed(limited)).toBeGreaterThanOrEqual(60_000);
  expect(await passed(stackFile)).toBeLessThan(60_000);
});
