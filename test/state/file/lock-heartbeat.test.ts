import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newLease, readLease, type Lease } from '../../../src/state/lease/lease.ts';
import { lockHeartbeat, openOwnLock, leaseText } from '../../../src/state/file/lock-heartbeat.ts';
import { LeaseWindow, windowBytes } from '../../../src/state/lease/lease-window.ts';

const noon = Date.parse('2026-01-02T12:00:00Z');
const second = 1_000;

test('A heartbeat reports when it was sent, and the lock is held for another lease duration', async () => {
  const { pass, heartbeat, window, written } = await lockOf({ lapses: true });
  pass(14 * second);
  await heartbeat();
  pass(14 * second);
  expect([window.state, await written()]).toEqual(['open', '2026-01-02T12:00:14.000Z']);
  pass(second);
  expect(window.state).not.toBe('open');
});

test('None is sent while the main thread has not responded for five minutes', async () => {
  const { pass, heartbeat, window, written } = await lockOf({ lapses: false });
  for (let seconds = 0; seconds < 360; seconds += 5) {
    pass(5 * second);
    await heartbeat();
  }
  expect(await written()).toBe('2026-01-02T12:05:00.000Z');
  window.sign();
  await heartbeat();
  expect(await written()).toBe('2026-01-02T12:06:00.000Z');
});

test('A process that was suspended for longer than the lease duration does not renew what has lapsed', async () => {
  const { pass, heartbeat, window, written } = await lockOf({ lapses: true });
  pass(16 * second);
  await heartbeat();
  expect([window.state, await written()]).toEqual(['lost', '2026-01-02T12:00:00.000Z']);
});

test('A heartbeat does not reach the lock of whoever has taken over', async () => {
  const { pass, heartbeat, path, written } = await lockOf({ lapses: false });
  await writeFile(`${path}.next`, leaseText(newLease('sluice apply', new Date(noon))));
  await rename(`${path}.next`, path);
  pass(5 * second);
  await heartbeat();
  expect(await written()).toBe('2026-01-02T12:00:00.000Z');
});

test('A thread that begins after another run has taken over finds no lock of its own', async () => {
  const { path } = await lockOf({ lapses: false });
  expect(await openOwnLock(path, newLease('sluice apply', new Date(noon)))).toBeUndefined();
});

interface HeldLock {
  readonly path: string;
  readonly pass: (ms: number) => void;
  readonly heartbeat: () => Promise<void>;
  readonly window: LeaseWindow;
  /** The heartbeat in the lock file. */
  readonly written: () => Promise<string | undefined>;
}

/** A lock that was taken at noon, with a lease of 15 seconds. */
async function lockOf({ lapses }: { readonly lapses: boolean }): Promise<HeldLock> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-heartbeat-'));
  const path = join(folder, 'lock');
  const lease: Lease = newLease('sluice watch', new Date(noon));
  await writeFile(path, leaseText(lease));
  let now = noon;
  const time = { now: () => ({ monotonic: now, wall: now }) };
  const timing = { durationMs: 15_000, heartbeatMs: 5_000, storeDeadlineMs: 0, writeDeadlineMs: 0, marginMs: 0 };
  const window = new LeaseWindow(timing, time, new SharedArrayBuffer(windowBytes));
  window.sign();
  window.confirm(time.now());
  const file = await openOwnLock(path, lease);
  if (file === undefined) throw new Error('the lock is not its own');
  onTestFinished(async () => {
    await file.close();
    await rm(folder, { recursive: true });
  });
  return {
    path,
    window,
    pass: (ms) => (now += ms),
    heartbeat: lockHeartbeat({ file, lease, lapses, window, time }),
    written: async () => readLease(await readFile(path, 'utf8'))?.heartbeat,
  };
}
