import type { Instant, LeaseTime } from '../../../src/state/lease/lease-time.ts';

/** True time, which goes from one event to the next. Everything that happens at one moment happens in the order it was asked for. */
export interface World {
  readonly now: () => number;
  readonly at: (time: number, happen: () => void) => void;
  /** Lets time pass until nothing more happens, or until so late. Whoever does real work reports when all of it is settled. */
  readonly run: (until: number, settled?: () => Promise<void>) => Promise<void>;
  /** A number from 0 up to, but not including, 1; the same sequence for the same seed. */
  readonly random: () => number;
}

/** Begins at 0. */
export function worldOf(seed: number): World {
  let now = 0;
  const events: { readonly time: number; readonly order: number; readonly happen: () => void }[] = [];
  let order = 0;
  return {
    now: () => now,
    random: randomFrom(seed),
    at: (time, happen) => {
      const event = { time: Math.max(now, time), order: order++, happen };
      const place = events.findLastIndex((other) => other.time <= event.time);
      events.splice(place + 1, 0, event);
    },
    run: async (until, settled = oneTurn) => {
      for (;;) {
        await settled();
        const [next] = events;
        if (next === undefined || next.time > until) return;
        events.shift();
        now = next.time;
        next.happen();
      }
    },
  };
}

/** The same world with numbers of its own: what one does that draws from it does not depend on how much others draw. */
export function branchOf(world: World): World {
  return { ...world, random: randomFrom(Math.floor(world.random() * 1e6)) };
}

function randomFrom(seed: number): World['random'] {
  let state = (seed * 2_654_435_761 + 1) % 2_147_483_647;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

function oneTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A process: its clocks run at a rate of their own, and it can be stopped, suspended and killed. */
export interface Process {
  readonly time: LeaseTime;
  /** Resolves at a true time, or once the process runs again; never once it was killed. */
  readonly wake: (time: number) => Promise<void>;
  /** Stops it for so long; suspended, its monotonic clock stands still as well. */
  readonly pause: (ms: number, isSuspended: boolean) => void;
  readonly setWall: (by: number) => void;
  readonly kill: () => void;
  readonly isKilled: () => boolean;
  readonly isPaused: () => boolean;
}

/** Begins a process. */
export function processIn(world: World, rate: number): Process {
  let asleep = 0;
  let wallOffset = world.random() * 1e9;
  let pausedUntil = 0;
  let suspendedSince: number | undefined;
  let killed = false;
  const monotonic = (): number => (suspendedSince ?? world.now()) * rate - asleep * rate;

  function now(): Instant {
    return { monotonic: monotonic(), wall: world.now() * rate + wallOffset };
  }

  function wake(time: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const happen = (): void => {
        if (killed) return;
        if (world.now() < pausedUntil) world.at(pausedUntil, happen);
        else {
          signal?.removeEventListener('abort', abort);
          resolve();
        }
      };
      const abort = (): void => reject(new Error('aborted'));
      if (signal?.aborted === true) abort();
      signal?.addEventListener('abort', abort, { once: true });
      world.at(time, happen);
    });
  }

  function every(ms: number, work: () => void): () => void {
    let isOver = false;
    const again = async (): Promise<void> => {
      for (;;) {
        await wake(world.now() + ms / rate);
        if (isOver) return;
        work();
      }
    };
    void again();
    return () => (isOver = true);
  }

  return {
    time: { now, sleep: (ms, signal) => wake(world.now() + ms / rate, signal), every },
    wake,
    pause: (ms, isSuspended) => {
      if (world.now() < pausedUntil) return;
      pausedUntil = world.now() + ms;
      if (!isSuspended) return;
      suspendedSince = world.now();
      world.at(pausedUntil, () => {
        asleep += world.now() - (suspendedSince ?? world.now());
        suspendedSince = undefined;
      });
    },
    setWall: (by) => (wallOffset += by),
    kill: () => (killed = true),
    isKilled: () => killed,
    isPaused: () => world.now() < pausedUntil,
  };
}
