/* What a watch does while it cannot take the lock, or has no stack: as on a disk that became read-only, or after a takeover beside a broken `sluice.yaml`. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { statusPage } from '../support/status-page.ts';
import { statusJson } from '../../src/render/status/status-json.ts';
import { verdictOf } from '../../src/render/status/status-verdict.ts';
import { whyNotReady } from '../../src/watch/status/health.ts';
import { addresses } from './company-files.ts';
import { rig, type Rig } from './rig.ts';

const minute = 60_000;

const attemptsIn = ({ log }: Rig, what: string): number =>
  log.filter((line) => line.startsWith(`error failed: ${what}: `)).length;

/** Takes the directory of lock and state away from a watch; what it returns puts it back. */
function loseDirectory({ dir }: Rig): () => void {
  renameSync(dir, `${dir}-away`);
  writeFileSync(dir, '');
  return () => {
    rmSync(dir);
    renameSync(`${dir}-away`, dir);
  };
}

const isRefreshed = ({ nextRefresh }: ReturnType<Rig['status']>): boolean => nextRefresh !== undefined;

test('a lock that cannot be taken is tried again after growing delays, at least once a minute, also once a refresh is overdue', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') }, { intervalMs: 5 * minute });
  await watch.until(isRefreshed);
  const putBack = loseDirectory(watch);
  await watch.until(({ failures }) => failures.some(({ scope }) => scope === 'lock'));
  await watch.pass(30 * minute);
  expect(attemptsIn(watch, 'lock')).toBeGreaterThan(25);
  expect(attemptsIn(watch, 'lock')).toBeLessThan(45);
  putBack();
  const since = watch.now();
  await watch.until(({ role }) => role === 'leader');
  expect(watch.now() - since).toBeLessThan(1.1 * minute);
});

test('pauses and approvals that cannot be read are read again at least once a minute: nothing is done until they can be', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.until(isRefreshed);
  mkdirSync(join(watch.dir, 'watch-requests.json'));
  await watch.until(({ failures }) => failures.some(({ scope }) => scope === 'requests'));
  await watch.pass(30 * minute);
  expect(attemptsIn(watch, 'pauses and approvals')).toBeGreaterThan(25);
  expect(attemptsIn(watch, 'pauses and approvals')).toBeLessThan(45);
});

test('a process that cannot take the lock reports that, and not that another one is the leader', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.until(isRefreshed);
  const putBack = loseDirectory(watch);
  const status = await watch.until(({ failures }) => failures.some(({ scope }) => scope === 'lock'));
  expect(status.role).toBe('standby');
  expect(verdictOf(status)).toMatchObject({ tone: 'bad', headline: 'The lock cannot be taken' });
  const { conditions, activity } = statusJson(status);
  expect(conditions.map(({ type, status: is, reason }) => [type, is, reason])).toEqual([
    ['Ready', 'False', 'ActionRequired'],
    ['Reconciling', 'False', 'ActionRequired'],
    ['Stalled', 'True', 'ActionRequired'],
  ]);
  expect(activity.type).toBe('waiting-for-retry');
  putBack();
  const { lastRefresh: _, lastSuccess: __, ...unread } = status;
  expect([whyNotReady(status, 0), whyNotReady(unread, 0)]).toEqual([undefined, 'the account has not been read yet']);
  const text = statusPage(status)
    .html.replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
  expect(text).toContain('Action required: each attempt fails until the cause is corrected.');
  expect(text).not.toMatch(/is the leader|of the leader|takes over/);
});

test('a sluice.yaml with errors is read again after growing delays, also by a process that has never read a valid one', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.until(isRefreshed);
  await watch.request((before) => ({ ...before, pause: { until: watch.now() + minute } }));
  await watch.until(({ role }) => role === 'paused');
  watch.spoil();
  await watch.until(({ role, failures }) => role === 'leader' && failures.length > 0);
  await watch.pass(60 * minute);
  expect(attemptsIn(watch, 'manifests')).toBeGreaterThan(8);
  expect(attemptsIn(watch, 'manifests')).toBeLessThan(20);
});

test('whoever cannot find out whether files have changed refreshes at its interval, and reads them then', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') }, { intervalMs: 5 * minute });
  await watch.until(isRefreshed);
  watch.deafen();
  const turns = watch.turns();
  watch.write({ 'a.yaml': addresses('mqtt', 'smtp') });
  await watch.until(() => watch.spec('ReservedAddr/smtp') !== undefined);
  await watch.pass(30 * minute);
  expect(watch.turns() - turns).toBeLessThan(12);
});
