import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { link, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { LockHeld } from '../../src/diagnostics/errors.ts';
import { newLease, readLease, type Lease } from '../../src/state/lease/lease.ts';
import { leaseText } from '../../src/state/file/lock-heartbeat.ts';
import { acquireLock, lockOf, type Lock } from '../../src/state/lock.ts';
import { notBuilt } from '../support/processes.ts';

const noon = new Date('2026-01-02T12:00:00Z');
let path: string;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-lock-'));
  path = join(folder, 'lock');
  onTestFinished(() => rm(folder, { recursive: true }));
});

describe('a lock', () => {
  test('is held by one, who is named to the others, until it is given back', async () => {
    const lock = await acquireLock(path, 'sluice apply', { now: () => noon });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const error = await acquireLock(path, 'sluice destroy').catch((error: unknown) => error);
    expect(error).toBeInstanceOf(LockHeld);
    expect(String(error)).toContain('`sluice apply` of ');
    expect(String(error)).toContain(`on ${hostname()} (process ${process.pid}, since 2026-01-02T12:00:00.000Z)`);
    await lock.release();
    expect(await names()).toEqual([]);
    await (await acquireLock(path, 'sluice destroy')).release();
  });

  test('that was released while its directory was elsewhere is free when the directory is back', async () => {
    const [folder, away] = [dirname(path), `${dirname(path)}-away`];
    const lock = await acquireLock(path, 'sluice watch');
    await rename(folder, away);
    await lock.release();
    await rename(away, folder);
    expect(await names()).toEqual(['lock']);
    await (await acquireLock(path, 'sluice watch')).release();
    expect(await names()).toEqual([]);
  });

  test('that lapses is lost to a holder that was held up for longer than it may be silent, and can be had anew', async () => {
    const time = { now: noon.getTime() };
    const options = { now: () => new Date(time.now), leaseMs: 15_000 };
    const lock = await acquireLock(path, 'sluice watch', { ...options, lapses: true });
    time.now += 14_000;
    expect(lock.isMine()).toBe(true);
    time.now += 16_000;
    expect([lock.isMine(), lock.isMine()]).toEqual([false, false]);
    await lock.release();
    const again = await acquireLock(path, 'sluice apply', options);
    time.now += 3_600_000;
    expect(again.isMine()).toBe(true);
    await again.release();
  });

  test('stands beside the state it is for', () => {
    expect(lockOf('/srv/shop/.sluice/state.json')).toBe('/srv/shop/.sluice/lock');
    expect(lockOf('/srv/states/shop.json')).toBe('/srv/states/shop.json.lock');
  });

  test('that cannot be read is held by somebody', async () => {
    await writeFile(path, '');
    await expect(acquireLock(path, 'sluice apply')).rejects.toThrow('the stack is locked by another process');
  });

  test('that is given back twice, or belongs to somebody else by then, takes nothing away', async () => {
    const first = await acquireLock(path, 'sluice apply');
    await rm(path);
    const second = await acquireLock(path, 'sluice destroy');
    expect([first.isMine(), second.isMine()]).toEqual([false, true]);
    await first.release();
    await expect(acquireLock(path, 'sluice plan')).rejects.toThrow('`sluice destroy`');
    await second.release();
    await second.release();
  });

  test('in a directory that cannot be, reports that', async () => {
    await writeFile(path, '');
    await expect(acquireLock(join(path, 'lock'), 'sluice apply')).rejects.toMatchObject({
      code: 'LOCK_NOT_ACQUIRED',
      hint: 'use a path in an existing directory',
    });
  });

  test('whose directory goes away while it is being taken, at whichever moment, reports that', async () => {
    const folder = join(dirname(path), 'states');
    for (let turns = 0; turns < 150; turns++) {
      const taking = acquireLock(join(folder, 'lock'), 'sluice apply').catch((error: unknown) => error);
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      await rename(folder, `${folder}-${turns}`).catch(() => undefined);
      const lock = await taking;
      if (!(lock instanceof Error)) {
        await (lock as Lock).release();
        continue;
      }
      expect(lock).toMatchObject({ code: 'LOCK_NOT_ACQUIRED' });
      // What it left there is no lock of this process, which would wait for itself.
      await (await acquireLock(join(`${folder}-${turns}`, 'lock'), 'sluice apply')).release();
    }
  });

  test('is taken although what another run left beside it cannot be read', async () => {
    await mkdir(`${path}.by-0123456789abcdef`);
    const lock = await acquireLock(path, 'sluice watch');
    expect(lock.isMine()).toBe(true);
    await lock.release();
  });
});

describe('a holder that computes for longer than the lease without a turn of its event loop', () => {
  const leaseMs = 4_000;
  const thread = pathToFileURL(resolve('dist/lock-heartbeat.cjs'));

  test.skipIf(notBuilt !== '')('keeps the lock, since a thread of its own sends the heartbeats', async () => {
    const lock = await acquireLock(path, 'sluice watch', { leaseMs, lapses: true, thread });
    expect(computeUntilHeartbeatAfter(1.25 * leaseMs)).toBe(true);
    expect(lock.isMine()).toBe(true);
    await lock.release();
    expect(await names()).toEqual([]);
  });

  test('loses it where its own thread sends them', async () => {
    const lock = await acquireLock(path, 'sluice watch', { leaseMs: 100, lapses: true });
    const begun = performance.now();
    while (performance.now() - begun < 150);
    expect([lock.isMine(), lock.isMine()]).toEqual([false, false]);
    await lock.release();
  });
});

/** Blocks the event loop until a heartbeat reports that so much time has gone by since the lock was taken, or far too much has. */
function computeUntilHeartbeatAfter(ms: number): boolean {
  const begun = performance.now();
  while (performance.now() - begun < 60_000) {
    const lease = readLease(readFileSync(path, 'utf8'));
    if (lease !== undefined && Date.parse(lease.heartbeat) - Date.parse(lease.started) > ms) return true;
  }
  return false;
}

describe('whoever waits for a lock', () => {
  test('gets it when it is given back, and reports once for whom it waits', async () => {
    const lock = await acquireLock(path, 'sluice apply');
    const reported: string[] = [];
    const waiting = acquireLock(path, 'sluice destroy', {
      patience: 60_000,
      onWait: (holder) => {
        reported.push(holder);
        void lock.release();
      },
    });
    expect((await waiting).isMine()).toBe(true);
    expect(reported).toEqual([expect.stringContaining('`sluice apply`')]);
  });

  test('asks once where it has no patience, and waits for nobody', async () => {
    await acquireLock(path, 'sluice apply');
    const reported: string[] = [];
    const once = acquireLock(path, 'sluice destroy', {
      now: () => noon,
      onWait: (holder) => void reported.push(holder),
      signal: AbortSignal.timeout(60_000),
    });
    await expect(once).rejects.toBeInstanceOf(LockHeld);
    expect(reported).toEqual([]);
  });

  test('does not wait longer than it would, and not after an interruption', async () => {
    await acquireLock(path, 'sluice apply');
    await expect(acquireLock(path, 'sluice destroy', { patience: 20 })).rejects.toBeInstanceOf(LockHeld);
    // However the wall clock is set.
    const stopped = acquireLock(path, 'sluice destroy', {
      patience: 20,
      now: () => noon,
      signal: AbortSignal.timeout(60_000),
    });
    await expect(stopped).rejects.toBeInstanceOf(LockHeld);
    const controller = new AbortController();
    const waiting = acquireLock(path, 'sluice destroy', {
      patience: 60_000,
      signal: controller.signal,
      onWait: () => controller.abort(),
    });
    await expect(waiting).rejects.toMatchObject({ code: 'INTERRUPTED' });
  });
});

describe('a holder is dead', () => {
  test('when its process is gone', async () => {
    await leaveBehind({ pid: await pidOfTheDead() });
    expect((await acquireLock(path, 'sluice apply')).isMine()).toBe(true);
    expect(await names()).toEqual(['lock']);
  });

  test('when its number belongs to another process now', async () => {
    await leaveBehind({ processStart: '1' });
    expect((await acquireLock(path, 'sluice apply')).isMine()).toBe(true);
  });

  test('when it is on another machine and has been silent for a minute by the clock of the file system', async () => {
    await leaveBehind({ machine: 'elsewhere', host: 'another-machine', pid: 1 });
    await expect(acquireLock(path, 'sluice apply')).rejects.toMatchObject({
      message: expect.stringContaining('on another-machine') as string,
      hint: 'wait with --lock-timeout; if that process no longer runs, the lock expires 60 s after the last heartbeat',
    });
    const past = new Date(Date.now() - 61_000);
    await utimes(path, past, past);
    expect((await acquireLock(path, 'sluice apply')).isMine()).toBe(true);
  });

  test('when a person declares it, whatever it is doing: then it is notified', async () => {
    const paused = await acquireLock(path, 'sluice apply');
    const { token } = JSON.parse(await readFile(path, 'utf8')) as Lease;
    const next = await acquireLock(path, 'sluice state unlock', { declaredDead: token });
    expect([paused.isMine(), next.isMine()]).toEqual([false, true]);
    await paused.release();
    expect(next.isMine()).toBe(true);
  });

  test('when it died while it took over from another, or while it gave the lock back', async () => {
    const dead = await pidOfTheDead();
    const first = await leaveBehind({ pid: dead });
    const second = await leaveBehind({ pid: dead }, `${path}.after-${first.token}`);
    await link(`${path}.after-${first.token}`, `${path}.by-${second.token}`);
    expect((await acquireLock(path, 'sluice apply')).isMine()).toBe(true);
    expect(await names()).toEqual(['lock']);

    await rm(path);
    const third = await leaveBehind({ pid: dead });
    await link(path, `${path}.after-${third.token}`);
    expect((await acquireLock(path, 'sluice apply')).isMine()).toBe(true);
    expect(await names()).toEqual(['lock']);
  });
});

describe('of many who find a dead holder at once', () => {
  test.each([3, 20])('among %i, exactly one is next, each time', async (many) => {
    const dead = await pidOfTheDead();
    for (let round = 0; round < 10; round++) {
      const first = await leaveBehind({ pid: dead });
      if (round % 2 === 1) await leaveBehind({ pid: dead }, `${path}.after-${first.token}`);
      const tries = await Promise.allSettled(Array.from({ length: many }, () => acquireLock(path, 'sluice apply')));
      const locks = tries.filter((result): result is PromiseFulfilledResult<Lock> => result.status === 'fulfilled');
      expect(locks.map(({ value }) => value.isMine())).toEqual([true]);
      for (const { reason } of tries.filter((result) => result.status === 'rejected'))
        expect(reason).toBeInstanceOf(LockHeld);
      await locks[0]?.value.release();
      await rm(path, { force: true });
    }
    expect((await names()).filter((name) => name.includes('.by-'))).toEqual([]);
  });
});

/** The names in the directory of the lock. */
async function names(): Promise<string[]> {
  return (await readdir(dirname(path))).sort();
}

async function leaveBehind(facts: Partial<Lease>, where = path): Promise<Lease> {
  const lease = { ...newLease('sluice apply', noon), ...facts };
  await writeFile(where, leaseText(lease));
  return lease;
}

async function pidOfTheDead(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}
