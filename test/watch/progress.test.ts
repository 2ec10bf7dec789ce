/* A status goes through all resources, so it is not published for each of thousands of changes. */
import { expect, test } from 'vitest';
import { runningProgress } from '../../src/render/status/status-activity.ts';
import { address, addresses } from './company-files.ts';
import { rig } from './rig.ts';
import { runningIn } from './running-in.ts';

const many = Array.from({ length: 60 }, (_, n) => `a${n}`);

test('an apply of many changes publishes its progress seldom, and its end', async () => {
  const watch = rig({ 'a.yaml': addresses('ssh') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  const before = watch.publications();
  watch.write({ 'a.yaml': addresses('ssh', ...many) });
  const status = await watch.rests();
  expect(status.resources.filter(({ syncStatus }) => syncStatus === 'in-sync')).toHaveLength(61);
  expect(status.applying).toBeUndefined();
  expect(watch.publications() - before).toBeLessThan(30);
});

test('what runs is shown a moment later, although nothing else happens', async () => {
  const watch = rig({ 'a.yaml': addresses('ssh') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  const letGo = watch.holdUp('POST');
  watch.write({ 'a.yaml': addresses('ssh', ...many) });
  const { applying, resources } = await watch.until((status) => runningIn(status.applying).length > 0);
  expect(runningProgress({ changes: applying?.changes ?? [] })).toMatchObject({ done: 0, total: 60 });
  expect(resources.filter(({ syncStatus }) => syncStatus === 'applying').map(({ address }) => address)).toEqual(
    runningIn(applying),
  );
  letGo();
  expect((await watch.rests()).resources.every(({ syncStatus }) => syncStatus === 'in-sync')).toBe(true);
});

test('many changes that fail are published together', async () => {
  const watch = rig({ 'a.yaml': addresses('ssh') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  const before = watch.publications();
  watch.account.emulator.intercept(({ method }, next) =>
    method === 'POST' ? { status: 422, headers: {}, body: '{}' } : next(),
  );
  watch.write({ 'a.yaml': addresses('ssh', ...many) });
  const { failures } = await watch.rests();
  expect(failures).toHaveLength(60);
  expect(watch.publications() - before).toBeLessThan(30);
});

test.each([
  [422, 'refused'],
  [400, 'refused'],
  [503, 'retry'],
])(
  'a change that fails with %i is pending (%s) while the apply still runs, and is not counted twice',
  async (code, reason) => {
    const watch = rig({ 'a.yaml': addresses('ssh') });
    await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
    const letGo = watch.holdUp('PATCH');
    watch.account.emulator.intercept(({ method }, next) =>
      method === 'POST' ? { status: code, headers: {}, body: '{}' } : next(),
    );
    watch.write({ 'a.yaml': addresses('mqtt') + address('ssh', 'Shell') });
    const during = await watch.until(({ failures }) => failures.length > 0);
    expect(runningProgress({ changes: during.applying?.changes ?? [] })).toMatchObject({
      done: 0,
      failed: 1,
      total: 2,
    });
    expect(during.pending).toMatchObject([{ address: 'ReservedAddr/mqtt', reason, cause: 'revision' }]);
    expect(during.resources).toMatchObject([{ syncStatus: 'failed' }, { syncStatus: 'applying' }]);
    expect(during.failures).toMatchObject([{ scope: 'ReservedAddr/mqtt', attempts: 1 }]);
    expect(during.resources.map(({ note }) => note)).toEqual([during.failures[0]?.message, undefined]);
    letGo();
    const after = await watch.until(({ applying }) => applying === undefined);
    expect(after.failures).toMatchObject([{ scope: 'ReservedAddr/mqtt', attempts: 1 }]);
  },
);

test('an interrupted apply writes one line for everything that was not started', async () => {
  const watch = rig({ 'a.yaml': addresses('ssh') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  const letGo = watch.holdUp('POST');
  watch.write({ 'a.yaml': addresses('ssh', ...many) });
  await watch.until(({ applying }) => runningIn(applying).length === 10);
  watch.write({ 'a.yaml': addresses('ssh') });
  await watch.pass(2_000);
  letGo();
  await watch.rests();
  expect(watch.log.filter((line) => line.includes('not started'))).toEqual([
    'warn change: ReservedAddr/a10, ReservedAddr/a11, ReservedAddr/a12 and 47 more: not started',
  ]);
});
