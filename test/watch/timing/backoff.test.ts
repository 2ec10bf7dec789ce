import { describe, expect, test } from 'vitest';
import { atMostEvery } from '../../../src/watch/timing/at-most-every.ts';
import { nextRetry, type RetryState } from '../../../src/watch/timing/backoff.ts';
import { handDriven } from '../hand-driven.ts';

describe('a failure', () => {
  test('is retried after twice the time of the last one, up to the limit, and says since when', () => {
    const limits = { first: 1_000, most: 5_000 };
    const waits: number[] = [];
    let state: RetryState | undefined;
    for (let now = 100, n = 0; n < 5; n++, now = state.nextAttempt) {
      state = nextRetry(state, now, limits, 0);
      waits.push(state.nextAttempt - now);
    }
    expect([waits, state?.since, state?.attempts]).toEqual([[1_000, 2_000, 4_000, 5_000, 5_000], 100, 5]);
  });

  test('is retried up to a fifth earlier, as chance has it', () => {
    expect(nextRetry(undefined, 0, { first: 1_000, most: 5_000 }, 0.5).nextAttempt).toBe(900);
    expect(nextRetry(undefined, 0, { first: 1_000, most: 5_000 }, 1).nextAttempt).toBe(800);
  });

  test('of years is retried after the limit', () => {
    const years = { since: 0, attempts: 5_000, nextAttempt: 0 };
    expect(nextRetry(years, 7, { first: 1_000, most: 1e13 }, 0).nextAttempt).toBe(7 + 1_000 * 2 ** 30);
  });
});

describe('what is done at most once in an interval', () => {
  async function passed(time: ReturnType<typeof handDriven>): Promise<void> {
    time.jump();
    await time.quiet();
  }

  test('is done at once, and once more at the end of the interval if it was asked for meanwhile', async () => {
    const time = handDriven(0);
    const done: number[] = [];
    const { request } = atMostEvery(1_000, time.clock, () => void done.push(time.now()));
    request();
    request();
    request();
    expect(done).toEqual([0]);
    await passed(time);
    expect(done).toEqual([0, 1_000]);
    await passed(time);
    expect(done).toEqual([0, 1_000]);
    request();
    expect(done).toEqual([0, 1_000, 2_000]);
  });

  test('is not done any more once it is stopped', async () => {
    const time = handDriven(0);
    let done = 0;
    const { request, stop } = atMostEvery(1_000, time.clock, () => (done += 1));
    request();
    request();
    stop();
    await passed(time);
    request();
    expect(done).toBe(1);
  });
});
