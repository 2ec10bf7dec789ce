import type { Clock } from '../../src/api/clock.ts';

/** A clock that jumps to the next sleeper whenever everybody sleeps. Chance is a fixed sequence. */
export interface VirtualClock extends Clock {
  /** Runs the work to its end, advancing time as needed; a bound keeps a mistake from looping for ever. */
  readonly run: <T>(work: Promise<T>) => Promise<T>;
}

/** Makes such a clock; it stands at 0. */
export function virtualClock(chance: readonly number[] = [0.5]): VirtualClock {
  let now = 0;
  let draws = 0;
  let sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  return {
    now: () => now,
    random: () => chance[draws++ % chance.length] ?? 0.5,
    sleep: (ms, signal) =>
      new Promise((wake, fail) => {
        if (signal?.aborted === true) fail(new Error('aborted'));
        sleepers.push({ at: now + ms, wake });
        signal?.addEventListener('abort', () => fail(new Error('aborted')), { once: true });
      }),
    run: async (work) => {
      const over = { yet: false };
      const done = work.finally(() => (over.yet = true));
      done.catch(() => undefined);
      for (let jumps = 0; jumps < 100_000; jumps++) {
        await new Promise((resolve) => setImmediate(resolve));
        if (over.yet) break;
        const next = Math.min(...sleepers.map(({ at }) => at));
        if (next === Infinity) continue;
        now = Math.max(now, next);
        const due = sleepers.filter(({ at }) => at <= now);
        sleepers = sleepers.filter(({ at }) => at > now);
        for (const { wake } of due) wake();
      }
      return done;
    },
  };
}
