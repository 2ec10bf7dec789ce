import { expect, test } from 'vitest';
import { Failures, type FailureDetails } from '../../src/watch/failures.ts';
import type { Ports } from '../../src/watch/ports.ts';
import { steadyTime } from '../../src/watch/timing/steady-time.ts';
import { addresses } from './company-files.ts';
import { rig } from './rig.ts';

test('a change that fails again and again is pending since its first failure', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  watch.account.emulator.intercept((exchange, next) =>
    exchange.method === 'POST' ? { status: 503, headers: {}, body: '{}' } : next(),
  );
  watch.write({ 'a.yaml': addresses('mqtt', 'smtp') });
  const { now: first } = await watch.until(({ failures }) => failures.length > 0);
  const last = await watch.until(
    ({ failures, pending }) => failures.some(({ attempts }) => attempts === 3) && pending.length > 0,
  );
  expect(last.now).toBeGreaterThan(first + 5_000);
  expect(last.pending.map(({ since }) => since)).toEqual(last.failures.map(({ since }) => since));
  expect(last.failures[0]?.since).toBeLessThanOrEqual(first);
});

const limits = { first: 1_000, most: 60_000 };
const cannotWrite: FailureDetails = { code: 'STATE_NOT_WRITTEN', message: 'no space left on device' };

function failures(): { readonly all: Failures; readonly later: () => void; readonly log: string[] } {
  let now = 0;
  const log: string[] = [];
  const clock = { random: () => 0, now: () => now, sleep: () => Promise.resolve() };
  const all = new Failures(
    { clock, log: (_level, event) => void log.push(event) },
    steadyTime(clock.now, clock),
    () => limits,
  );
  return { all, later: () => void (now += 10_000), log };
}

test('what fails again in the reconciliation in which it seemed to work has not recovered', () => {
  const { all, later, log } = failures();
  all.record('account', cannotWrite);
  all.endReconcile();
  later();
  all.recovering('account');
  expect(all.all).toEqual([]);
  all.record('account', cannotWrite);
  all.endReconcile();
  expect(all.all).toMatchObject([{ since: 0, attempts: 2 }]);
  expect(log).toEqual(['failed', 'failed']);
});

test('another failure of the same scope has an age of its own', () => {
  const { all, later, log } = failures();
  all.record('account', cannotWrite);
  later();
  all.recovering('account');
  all.record('account', { code: 'ACCESS_DENIED', message: 'the key was revoked' });
  all.endReconcile();
  expect(all.all).toMatchObject([{ since: 10_000, attempts: 1 }]);
  expect(log).toEqual(['failed', 'failed', 'recovered']);
});

test('what works until the end of its reconciliation has recovered', () => {
  const { all, later, log } = failures();
  all.record('account', cannotWrite);
  later();
  all.recovering('account');
  all.endReconcile();
  later();
  all.record('account', cannotWrite);
  expect(all.all).toMatchObject([{ since: 20_000, attempts: 1 }]);
  expect(log).toEqual(['failed', 'recovered', 'failed']);
});

test('what is tried again now is due at once, is a failure until it works, and is listed last when it fails again', () => {
  const { all, later } = failures();
  all.record('account', cannotWrite);
  all.record('HTTPSEdge/shop', cannotWrite);
  expect([all.retryAt('account'), all.next(), all.awaitingRetry('account')?.scope]).toEqual([1_000, 1_000, 'account']);
  all.retryNow();
  expect([all.retryAt('account'), all.next(), all.awaitingRetry('account')]).toEqual([
    undefined,
    Number.POSITIVE_INFINITY,
    undefined,
  ]);
  expect(all.all.map(({ scope, attempts }) => [scope, attempts])).toEqual([
    ['account', 0],
    ['HTTPSEdge/shop', 0],
  ]);
  later();
  all.record('account', cannotWrite);
  all.record('lock', cannotWrite);
  expect(all.all.map(({ scope }) => scope)).toEqual(['account', 'lock', 'HTTPSEdge/shop']);
  all.retryNow();
  all.record('account', cannotWrite);
  expect(all.all.map(({ scope, since }) => [scope, since])).toEqual([
    ['lock', 10_000],
    ['account', 0],
    ['HTTPSEdge/shop', 0],
  ]);
});

test('a failure that goes on keeps its place, and that of a resource without a change is dropped', () => {
  const { all } = failures();
  for (const scope of ['account', 'HTTPSEdge/shop', 'HTTPSEdge/api', 'account']) all.record(scope, cannotWrite);
  all.retain((address) => address === 'HTTPSEdge/api');
  expect(all.all.map(({ scope }) => scope)).toEqual(['account', 'HTTPSEdge/api']);
  all.clear();
  expect(all.all).toEqual([]);
});

test('what recovers says after how many failures, unless it was to be tried again', () => {
  const reported: string[] = [];
  const clock = { random: () => 0, now: () => 0, sleep: () => Promise.resolve() };
  const log: Ports['log'] = (_level, _event, message, facts) =>
    void reported.push(`${message} ${JSON.stringify(facts ?? {})}`);
  let first = 1_000;
  const all = new Failures({ clock, log }, steadyTime(clock.now, clock), () => ({ ...limits, first }));
  all.record('HTTPSEdge/shop', { ...cannotWrite, hint: 'free some space' });
  all.recovered('HTTPSEdge/shop');
  all.recovered('HTTPSEdge/shop');
  first = 1_001;
  all.record('account', cannotWrite);
  all.retryNow();
  all.recovered('account');
  expect(reported).toEqual([
    'HTTPSEdge/shop: no space left on device; retry in 1 s {"code":"STATE_NOT_WRITTEN","attempts":1,"address":"HTTPSEdge/shop","hint":"free some space"}',
    'HTTPSEdge/shop: recovered after 1 failure {}',
    'state: no space left on device; retry in 2 s {"code":"STATE_NOT_WRITTEN","attempts":1}',
    'state: recovered {}',
  ]);
});

test('what fails as a whole is listed before single resources, however many failed earlier', () => {
  const { all } = failures();
  for (const scope of ['ReservedAddr/a', 'account', 'ReservedAddr/b', 'watch-state']) all.record(scope, cannotWrite);
  expect(all.all.map(({ scope }) => scope)).toEqual(['account', 'watch-state', 'ReservedAddr/a', 'ReservedAddr/b']);
});
