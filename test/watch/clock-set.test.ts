import { expect, test } from 'vitest';
import { whyNotLive } from '../../src/watch/status/health.ts';
import { steadyTime } from '../../src/watch/timing/steady-time.ts';
import { addresses } from './company-files.ts';
import { rig, start } from './rig.ts';

const hour = 3_600_000;
const minute = 60_000;

/** A watch whose creation of an address has failed twice, and will. */
async function twiceFailed(): Promise<ReturnType<typeof rig>> {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.rests();
  watch.account.emulator.intercept((exchange, next) =>
    exchange.method === 'POST' ? { status: 503, headers: {}, body: '{}' } : next(),
  );
  watch.write({ 'a.yaml': addresses('mqtt', 'smtp') });
  await watch.until(({ failures }) => failures.some(({ attempts }) => attempts === 2));
  return watch;
}

test('a clock that is set back delays no refresh, and the status shows its time by the clock as it is set', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') }, { intervalMs: 5 * minute });
  await watch.rests();
  await watch.pass(10 * minute);
  const turns = watch.turns();
  watch.setWall(-hour);
  const { nextRefresh = 0, lastRefresh = 0, now } = await watch.pass(16 * minute);
  expect(watch.turns()).toBeGreaterThanOrEqual(turns + 3);
  expect(now).toBeLessThan(start);
  expect(nextRefresh - now).toBeLessThanOrEqual(6 * minute);
  expect(lastRefresh).toBeLessThanOrEqual(now);
  expect(lastRefresh).toBeGreaterThan(now - 6 * minute);
});

test('a clock that is set back delays no retry, and a failure keeps its age', async () => {
  const watch = await twiceFailed();
  watch.setWall(-hour);
  const { failures, now } = await watch.pass(5 * minute);
  expect(failures).toMatchObject([{ scope: 'ReservedAddr/smtp' }]);
  expect(failures[0]?.attempts).toBeGreaterThan(3);
  expect(now - (failures[0]?.since ?? 0)).toBeGreaterThan(4 * minute);
  expect(now - (failures[0]?.since ?? 0)).toBeLessThan(7 * minute);
  expect((failures[0]?.nextAttempt ?? 0) - now).toBeLessThan(11 * minute);
});

test('a loop that hangs is found out although the clock is set back', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') }, { intervalMs: 5 * minute });
  const before = await watch.rests();
  watch.setWall(-hour);
  expect(whyNotLive(before, start + 10 * minute)).toBeDefined();
  const after = await watch.pass(6 * minute);
  expect(whyNotLive(after, start + 8 * minute)).toBeUndefined();
  expect(whyNotLive(after, start + 20 * minute)).toBeDefined();
});

test('a pause ends at the time of the day that was asked for', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.rests();
  const pause = { until: watch.now() + 2 * hour, reason: 'maintenance' };
  await watch.request((before) => ({ ...before, pause }));
  await watch.until(({ role }) => role === 'paused');
  watch.setWall(-hour);
  expect((await watch.pass(2.5 * hour)).role).toBe('paused');
  expect((await watch.pass(hour)).role).toBe('leader');
});

test('a clock that is set forward, or a suspended machine, makes due what is due by the wall clock', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') }, { intervalMs: 5 * minute });
  await watch.rests();
  const turns = watch.turns();
  watch.setWall(hour);
  await watch.pass(minute);
  expect(watch.turns()).toBe(turns + 1);
  const { nextRefresh = 0, now } = watch.status();
  expect(nextRefresh - now).toBeLessThanOrEqual(6 * minute);
});

test('the steady time follows clocks that run at slightly different paces, and is never set back', () => {
  let wall = 1_000_000;
  let monotonic = 5;
  const time = steadyTime(() => wall, { now: () => monotonic });
  const pass = (ms: number, onWall = ms): number => {
    monotonic += ms;
    wall += onWall;
    return time.now();
  };
  expect([time.now(), pass(10_000), pass(10_000, 10_900)]).toEqual([1_000_000, 1_010_000, 1_020_000]);
  // The wall clock gained more than the tolerance.
  expect([pass(10_000, 10_900), time.onWall(time.now())]).toEqual([1_031_800, wall]);
  expect([pass(0, -hour), time.onWall(time.now())]).toEqual([1_031_800, wall]);
  expect([pass(1_000), time.onWall(time.now() + 500)]).toEqual([1_032_800, wall + 500]);
  expect([pass(0, hour), time.onWall(time.now())]).toEqual([1_032_800 + hour, wall]);
});

test('a clock that is set forward and back again leaves ages as they are', async () => {
  const watch = await twiceFailed();
  for (const by of [hour, -hour, hour, -hour]) {
    watch.setWall(by);
    await watch.pass(minute);
  }
  const { failures, now } = await watch.pass(11 * minute);
  const age = (now - (failures[0]?.since ?? 0)) / minute;
  expect([age > 5, age < 16]).toEqual([true, true]);
});

test('the part of a gain that is taken back is no time that has passed; a suspension is', () => {
  let [wall, monotonic] = [start, 0];
  const time = steadyTime(() => wall, { now: () => monotonic });
  const pass = (ms: number): void => void ([wall, monotonic] = [wall + ms, monotonic + ms]);
  const before = time.now();
  pass(minute);
  wall += 2 * hour;
  const between = time.now();
  pass(minute);
  wall -= hour;
  const ages = [before, between, time.now()].map((moment) => (wall - time.onWall(moment)) / minute);
  expect(ages).toEqual([62, 1, 0]);
  wall -= 3 * hour;
  expect((wall - time.onWall(before)) / minute).toBe(2);
});

test('what a clock gained and lost is no time that has passed after many suspensions either', () => {
  let wall = start;
  const time = steadyTime(() => wall, { now: () => 0 });
  const before = time.now();
  for (const by of [hour, -hour]) {
    wall += by;
    time.now();
  }
  for (let times = 0; times < 100; times += 1) {
    wall += minute;
    time.now();
  }
  expect((wall - time.onWall(before)) / minute).toBe(100);
});
