import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { LockHeld } from '../../src/diagnostics/errors.ts';
import { acquireLock, type Lock } from '../../src/state/lock.ts';

let path: string;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-lock-'));
  path = join(folder, 'lock');
  onTestFinished(() => rm(folder, { recursive: true }));
});

test('a lock is held by one, who is named to the others, until it is given back', async () => {
  const lock = await acquireLock(path, 'sluice apply', new Date('2026-01-02T03:04:05Z'));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const error = await acquireLock(path, 'sluice destroy').catch((error: unknown) => error);
  expect(error).toBeInstanceOf(LockHeld);
  expect(String(error)).toContain('`sluice apply` of ');
  expect(String(error)).toContain(`on ${hostname()} (process ${process.pid}, since 2026-01-02T03:04:05.000Z)`);
  await lock.release();
  await (await acquireLock(path, 'sluice destroy')).release();
});

test('a lock whose process is gone is taken over', async () => {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  await leaveBehind({ pid: child.pid });
  await acquireLock(path, 'sluice apply');
  expect(await readFile(path, 'utf8')).toContain(String(process.pid));
});

test('a lock of another machine is not judged', async () => {
  await leaveBehind({ pid: 1, host: 'another-machine' });
  await expect(acquireLock(path, 'sluice apply')).rejects.toThrow(/on another-machine/);
});

test('a lock that cannot be read is held by somebody', async () => {
  await writeFile(path, '');
  await expect(acquireLock(path, 'sluice apply')).rejects.toThrow('somebody is at work on this stack');
});

test('giving back twice, or what somebody else has taken since, takes nothing away', async () => {
  const first = await acquireLock(path, 'sluice apply');
  await rm(path);
  const second = await acquireLock(path, 'sluice destroy');
  await first.release();
  await expect(acquireLock(path, 'sluice plan')).rejects.toThrow('`sluice destroy`');
  await second.release();
  await second.release();
});

test('of many who find an abandoned lock at once, one gets it', async () => {
  await leaveBehind({ pid: 2 ** 22 + 1 });
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => acquireLock(path, 'sluice apply')));
  const locks = tries.filter((result): result is PromiseFulfilledResult<Lock> => result.status === 'fulfilled');
  expect(locks).toHaveLength(1);
});

async function leaveBehind(facts: { pid: number | undefined; host?: string }): Promise<void> {
  const holder = {
    owner: 'ann',
    host: hostname(),
    command: 'sluice apply',
    started: '2026-01-01T00:00:00Z',
    token: 't',
  };
  await writeFile(path, JSON.stringify({ ...holder, ...facts }));
}
