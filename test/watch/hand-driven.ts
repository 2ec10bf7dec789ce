import type { Clock } from '../../src/api/clock.ts';

/** Time that goes by only when it is asked to, and only while nobody has real work to do. */
export interface HandDriven {
  readonly clock: Clock;
  readonly now: () => number;
  /** How many sleep. */
  readonly sleepers: () => number;
  /** Says when somebody has work to do that takes real time, and none on this clock. Answers how to say that it is over. */
  readonly waitsFor: (isBusy: () => boolean) => () => void;
  /** From now on such work is held up by the test, until it lets go: time goes by meanwhile. */
  readonly holdUp: () => () => void;
  /** Resolves once everybody sleeps, or is held up. */
  readonly quiet: () => Promise<void>;
  /** To the next one who wakes. Whether anybody sleeps. */
  readonly jump: () => boolean;
  /** So far at once, as a machine that was asleep: whoever should have woken meanwhile wakes late. */
  readonly leap: (ms: number) => void;
  /** Sets the time of the day, which `now` is, so much forward or, below 0, back; the clock goes on as before. */
  readonly setWall: (ms: number) => void;
}

// Whoever is not held up has gone on as far as it goes after so many turns of the event loop, and once no file is worked on.
const heldUpAfter = 50;
const isAtFiles = (): boolean => process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));

// Real work that takes longer than so many milliseconds never ends.
const mostMs = 200_000;

/** Makes a clock that stands at some moment. Chance is a fixed sequence. */
export function handDriven(start: number): HandDriven {
  let now = start;
  let wallAhead = 0;
  let draws = 0;
  let holds = 0;
  const chance = [0.1, 0.9, 0.5, 0.3];
  const works = new Set<() => boolean>();
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  const sleep: Clock['sleep'] = (ms, signal) =>
    new Promise((done, fail) => {
      if (signal?.aborted === true) {
        fail(new Error('aborted'));
        return;
      }
      const aborted = (): void => {
        sleepers.delete(sleeper);
        fail(new Error('aborted'));
      };
      const sleeper = {
        at: now + ms,
        wake: () => {
          signal?.removeEventListener('abort', aborted);
          done();
        },
      };
      signal?.addEventListener('abort', aborted, { once: true });
      sleepers.add(sleeper);
    });
  return {
    clock: { now: () => now, random: () => chance[draws++ % chance.length] ?? 0.5, sleep },
    now: () => now + wallAhead,
    sleepers: () => sleepers.size,
    waitsFor: (isBusy) => {
      works.add(isBusy);
      return () => void works.delete(isBusy);
    },
    holdUp: () => {
      holds += 1;
      return () => void (holds -= 1);
    },
    quiet: async () => {
      const began = performance.now();
      for (let turns = 0; ; turns++) {
        await new Promise((resolve) => setImmediate(resolve));
        if (![...works].some((isBusy) => isBusy()) || (holds > 0 && turns >= heldUpAfter && !isAtFiles())) return;
        if (performance.now() - began > mostMs) throw new Error('somebody works without end');
        if (turns % 5 === 4) await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
    leap: (ms) => void (now += ms),
    setWall: (ms) => void (wallAhead += ms),
    jump: () => {
      const next = Math.min(...[...sleepers].map(({ at }) => at));
      if (next === Number.POSITIVE_INFINITY) return false;
      now = Math.max(now, next);
      for (const sleeper of [...sleepers].filter(({ at }) => at <= now)) {
        sleepers.delete(sleeper);
        sleeper.wake();
      }
      return true;
    },
  };
}
