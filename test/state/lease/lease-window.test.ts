import { expect, test } from 'vitest';
import { usualTiming } from '../../support/usual-timing.ts';
import { LeaseWindow, windowBytes } from '../../../src/state/lease/lease-window.ts';

/** A window at a time that a test sets, and what the other thread sees of it. */
function windows() {
  const time = { monotonic: 0, wall: 0 };
  const shared = new SharedArrayBuffer(windowBytes);
  const clock = { now: () => ({ ...time }) };
  return {
    time,
    here: new LeaseWindow(usualTiming, clock, shared),
    there: new LeaseWindow(usualTiming, clock, shared),
  };
}

test.each(['monotonic', 'wall'] as const)(
  'a write may start for 20 seconds after a heartbeat, and a run goes on for two minutes, by the %s clock',
  (clock) => {
    const { time, here, there } = windows();
    time.monotonic = 1_000;
    time.wall = 5_000;
    there.confirm({ ...time });
    const begin = time[clock];
    for (const [ms, state] of [
      [0, 'open'],
      [19_999, 'open'],
      [20_000, 'closed'],
      [119_999, 'closed'],
      [120_000, 'over'],
    ] as const) {
      time[clock] = begin + ms;
      expect([ms, here.state]).toEqual([ms, state]);
    }
    there.confirm({ ...time });
    expect(here.state).toBe('open');
    there.lose();
    expect(here.state).toBe('lost');
  },
);

test('a main thread that has given no sign for more than five minutes does not come back', () => {
  const { time, here, there } = windows();
  time.monotonic = 1_000;
  here.sign();
  time.monotonic += 300_000;
  expect(there.isAbandoned).toBe(false);
  time.monotonic += 1;
  expect(there.isAbandoned).toBe(true);
  here.sign();
  expect(there.isAbandoned).toBe(false);
});
