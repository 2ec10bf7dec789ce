import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { isGone, ownIdentity } from '../../src/files/process-identity.ts';

test('a process is the one with its number and its beginning, on its machine', () => {
  const own = ownIdentity();
  expect(own).toEqual(ownIdentity());
  expect([own.pid, own.machine === '', own.machine === hostname()]).toEqual([process.pid, false, false]);
  expect(own.machine).toMatch(/^\S+ \S+$/);
  expect(own.processStart).toMatch(/^\d+$/);
  expect(isGone(own)).toBe(false);
  expect(isGone({ ...own, processStart: '1' })).toBe(true);
  expect(isGone({ ...own, processStart: '' })).toBe(false);
  expect(isGone({ ...own, machine: 'elsewhere' })).toBeUndefined();
  expect(isGone({ ...own, machine: 'elsewhere', processStart: '1' })).toBeUndefined();
});

test('a process that has ended is gone', async () => {
  const running = spawn('sleep', ['600'], { stdio: 'ignore' });
  const pid = running.pid ?? 0;
  expect(isGone({ ...ownIdentity(), pid, processStart: '' })).toBe(false);
  expect(isGone({ ...ownIdentity(), pid, processStart: '1' })).toBe(true);
  running.kill('SIGKILL');
  await once(running, 'exit');
  expect(isGone({ ...ownIdentity(), pid, processStart: '' })).toBe(true);
});
