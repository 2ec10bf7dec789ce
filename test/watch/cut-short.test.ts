import { expect, test } from 'vitest';
import type { ChangeOutcome, Outcome } from '../../src/model/outcome.ts';
import { addresses, shopOfTwo } from './company-files.ts';
import { rig, type Rig } from './rig.ts';

test('what newer manifests cut short has not failed, and is done at once', async () => {
  const watch = rig({ 'a.yaml': shopOfTwo('/a', '/b') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  const letGo = watch.holdUp('PATCH');
  watch.write({ 'a.yaml': shopOfTwo('/b', '/a') });
  await watch.until(({ applying }) => applying !== undefined);
  watch.write({ 'a.yaml': shopOfTwo('/b', '/a', 'The shop') });
  await watch.pass(1_000);
  letGo();
  await watch.rests();
  expect(watch.log.join('\n')).toContain('interrupted');
  expect(watch.log.filter((line) => line.startsWith('error'))).toEqual([]);
  expect(watch.spec('HTTPSEdge/shop')).toMatchObject({ description: 'The shop' });
  expect(watch.spec('HTTPSEdgeRoute/shop:one')).toMatchObject({ match: '/b' });
  expect(watch.status()).toMatchObject({ failures: [], pending: [] });
});

test('what could not be finished because something else failed reports that', async () => {
  const watch = rig({ 'a.yaml': shopOfTwo('/a', '/b') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  let patches = 0;
  const over = watch.account.emulator.intercept(({ method }, next) =>
    method === 'PATCH' && (patches += 1) === 2 ? { status: 422, headers: {}, body: '{}' } : next(),
  );
  watch.write({ 'a.yaml': shopOfTwo('/b', '/a') });
  const { failures } = await watch.rests();
  over();
  expect(failures.map(({ message }) => message)).not.toContain('failed');
  expect(failures.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^started, but depends on HTTPSEdgeRoute\/shop:(one|two), which did not complete$/),
  );
});

test('a request that newer manifests broke off has not failed', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  const { apply } = watch.account;
  const broken: ChangeOutcome = {
    ...{ address: 'ReservedAddr/ssh', action: 'create', ending: 'unknown' },
    ...{ code: 'INTERRUPTED', message: 'the run was interrupted' },
  };
  const breakOff: Rig['account']['apply'] = async (_plan, { signal, onEvent } = {}): Promise<Outcome> => {
    Object.assign(watch.account, { apply });
    await new Promise((done) => signal?.addEventListener('abort', done));
    onEvent?.({ type: 'finished', outcome: broken, done: 0, total: 1 });
    return { changes: [broken], requests: 1, interrupted: true, unresolved: [], duplicates: [] };
  };
  Object.assign(watch.account, { apply: breakOff });
  const letGo = watch.holdUp('POST');
  watch.write({ 'a.yaml': addresses('mqtt', 'ssh') });
  await watch.until(({ applying }) => applying !== undefined);
  watch.write({ 'a.yaml': addresses('mqtt', 'ssh', 'smtp') });
  await watch.pass(1_000);
  letGo();
  await watch.rests();
  expect(watch.log.filter((line) => line.startsWith('error'))).toEqual([]);
  expect(watch.spec('ReservedAddr/ssh')).toBeDefined();
});
