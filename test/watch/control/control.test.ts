import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { WatchStatus } from '../../../src/model/status/watch-status.ts';
import { sluice } from '../../cli/terminal.ts';
import { addresses } from '../company-files.ts';
import { rig, type Rig } from '../rig.ts';
import { address, startWatch } from '../start-watch.ts';

/** Asks for a reconciliation, and lets time pass only if it is needed. */
async function reconciled(watch: Rig): Promise<WatchStatus> {
  let answer: WatchStatus | undefined;
  void watch.control.reconcile().then((status) => (answer = status));
  await watch.until(() => answer !== undefined);
  return answer!;
}

test('a reconciliation that is asked for repairs drift before the next refresh, and answers how it ended', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  const { nextRefresh = 0 } = await watch.rests();
  await watch.byHand('PATCH', 'ReservedAddr/mqtt', { description: 'by hand' });
  const status = await reconciled(watch);
  expect(watch.spec('ReservedAddr/mqtt')).toMatchObject({ description: 'mqtt' });
  expect(status.conditions[0]).toMatchObject({ type: 'Ready', status: 'True' });
  expect(watch.now()).toBeLessThan(nextRefresh);
  // The answer is of the end: it says when the watch refreshes next.
  expect(status.nextRefresh).toBeGreaterThan(watch.now());
});

test('it retries at once what failed, and answers that it fails again', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.rests();
  const works = watch.account.emulator.intercept(() => ({ status: 401, headers: {}, body: '{}' }));
  await watch.until(({ failures }) => failures.some(({ attempts }) => attempts > 6));
  const { failures } = await reconciled(watch);
  expect(failures).toMatchObject([{ scope: 'account', code: 'ACCESS_DENIED', attempts: 1 }]);
  works();
  expect((await reconciled(watch)).failures).toEqual([]);
});

test('a paused watch answers at once, and reconciles nothing', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.rests();
  await watch.request((before) => ({ ...before, pause: { until: watch.now() + 3_600_000, by: 'ada' } }));
  await watch.until(({ role }) => role === 'paused');
  const turns = watch.turns();
  expect((await reconciled(watch)).role).toBe('paused');
  expect(watch.turns()).toBe(turns);
});

test('a pause that arrives while the account is refreshed or changed is the answer, and not what was interrupted', async () => {
  for (const method of ['GET', 'PATCH']) {
    const watch = rig({ 'a.yaml': addresses('mqtt', 'ssh') });
    await watch.rests();
    await watch.byHand('PATCH', 'ReservedAddr/mqtt', { description: 'by hand' });
    const letGo = watch.holdUp(method);
    let answer: WatchStatus | undefined;
    void watch.control.reconcile().then((status) => (answer = status));
    await watch.until(({ nextRefresh }) => nextRefresh === undefined);
    await watch.request((before) => ({ ...before, pause: { until: watch.now() + 3_600_000, by: 'ada' } }));
    await watch.pass(2_000);
    letGo();
    await watch.until(() => answer !== undefined);
    expect(answer).toMatchObject({ role: 'paused', pause: { by: 'ada' } });
  }
});

test('a revision that arrives meanwhile is part of the answer', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.rests();
  const letGo = watch.holdUp('GET');
  let answer: WatchStatus | undefined;
  void watch.control.reconcile().then((status) => (answer = status));
  await watch.until(({ nextRefresh }) => nextRefresh === undefined);
  watch.write({ 'a.yaml': addresses('mqtt', 'ssh') });
  await watch.pass(2_000);
  letGo();
  await watch.until(() => answer !== undefined);
  expect(answer?.conditions[0]).toMatchObject({ type: 'Ready', status: 'True' });
  expect(answer?.resources.map(({ address }) => address)).toEqual(['ReservedAddr/mqtt', 'ReservedAddr/ssh']);
});

test('the socket of a leader that somebody removed is there again after a while', async () => {
  const watch = await startWatch('heal_drift: true', { 'a.yaml': address('A') });
  const socket = join(watch.dir, '.sluice/watch.sock');
  await watch.until(() => existsSync(socket));
  await rm(socket);
  await watch.until(() => existsSync(socket));
  await watch.until(async () => (await sluice(watch.dir, 'status', { env: watch.env })).code === 0);
});
