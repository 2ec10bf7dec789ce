/** Timers and dates of the whole process, which pass only when they are advanced. */
export interface FakeTimers {
  /** Milliseconds since they were put in. */
  readonly now: () => number;
  /** How many timers are due at some time. */
  readonly count: () => number;
  /** Goes to the time of the next timer, and fires all that are due then. */
  readonly advance: () => void;
  readonly restore: () => void;
}

interface Timer {
  readonly at: number;
  readonly id: number;
  readonly fire: () => void;
}

/** Puts them in the place of `setTimeout`, `clearTimeout`, `Date` and `performance.now`, beginning at a time. */
export function fakeTimers(begin: number): FakeTimers {
  const real = { setTimeout, clearTimeout, Date };
  const due = new Map<number, Timer>();
  let now = 0;
  let drawn = 0;
  let isFiring = false;

  function setFake(callback: (...given: unknown[]) => void, ms: number | undefined, ...given: unknown[]): unknown {
    const id = ++drawn;
    // What a timer sets without a delay comes after it, not with it.
    const delay = Math.trunc(ms ?? 0) || Number(isFiring);
    due.set(id, { at: now + delay, id, fire: () => callback(...given) });
    const timer = { ref: () => timer, unref: () => timer, hasRef: () => true, [Symbol.toPrimitive]: () => id };
    return timer;
  }

  function next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of due.values()) if (first === undefined || timer.at < first.at) first = timer;
    return first;
  }

  class FakeDate extends real.Date {
    constructor(...given: unknown[]) {
      if (given.length === 0) super(begin + now);
      else super(...(given as [number]));
    }

    static override now(): number {
      return begin + now;
    }
  }

  Object.assign(globalThis, {
    setTimeout: setFake,
    clearTimeout: (timer: unknown) => void due.delete(Number(timer ?? 0)),
    Date: FakeDate,
  });
  performance.now = () => now;
  return {
    now: () => now,
    count: () => due.size,
    advance: () => {
      isFiring = true;
      now = Math.max(now, next()?.at ?? now);
      for (let timer = next(); timer !== undefined && timer.at <= now; timer = next()) {
        due.delete(timer.id);
        timer.fire();
      }
      isFiring = false;
    },
    restore: () => {
      Object.assign(globalThis, real);
      // Its own one is its prototype's.
      Reflect.deleteProperty(performance, 'now');
    },
  };
}
