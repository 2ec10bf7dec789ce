import type { Clock } from '../../src/api/clock.ts';
import type { Chance } from './chance.ts';
import { fakeTimers } from './fake-timers.ts';

/** Time that passes only while everybody waits: of timers, of `Date` and of a clock for sluice alike. */
export interface SimulatedTime {
  readonly clock: Clock;
  /** Runs work to its end. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
  /** Lets everything that is still due happen. */
  readonly drain: () => Promise<void>;
  readonly isAnythingDue: () => boolean;
  readonly end: () => void;
}

// Chains of work that only waits for the event loop are shorter than this.
const quietTurns = 6;
const mostJumps = 100_000;

/** From here on time is simulated, until `end`. It stands still while anything is on its way. */
export function simulatedTime(chance: Chance, isQuiet: () => boolean = () => true): SimulatedTime {
  const timers = fakeTimers(Date.UTC(2026, 10, 21, 12));
  const settle = async (over = { yet: false }): Promise<void> => {
    for (let turn = 0; turn < quietTurns && !over.yet; turn = isQuiet() ? turn + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve));
  };
  const jump = async (over = { yet: false }): Promise<void> => {
    timers.advance();
    await settle(over);
  };
  const drain = async (): Promise<void> => {
    await settle();
    for (let jumps = 0; timers.count() > 0 && jumps < mostJumps; jumps++) await jump();
  };
  return {
    clock: {
      now: timers.now,
      random: chance,
      sleep: (ms, signal) =>
        new Promise((wake, fail) => {
          if (signal?.aborted === true) fail(new Error('aborted'));
          // Fractions would be cut off, and the clock would stand still.
          setTimeout(wake, Math.ceil(ms));
          signal?.addEventListener('abort', () => fail(new Error('aborted')), { once: true });
        }),
    },
    run: async (work) => {
      const over = { yet: false };
      const done = work().finally(() => (over.yet = true));
      done.catch(() => undefined);
      await settle(over);
      for (let jumps = 0; !over.yet && jumps < mostJumps; jumps++) await jump(over);
      if (!over.yet) throw new Error('the work never ended: it waits for something that does not come');
      return done;
    },
    drain,
    isAnythingDue: () => timers.count() > 0,
    end: timers.restore,
  };
}
