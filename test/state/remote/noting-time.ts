import type { LeaseTime } from '../../../src/state/lease/lease-time.ts';

/** A time that begins at 0, in which sleeping takes none and is counted as if it did; it notes how long each sleep is. */
export function notingTime(onSleep: (now: number) => void = () => undefined): LeaseTime & { readonly slept: number[] } {
  const slept: number[] = [];
  let now = 0;
  return {
    slept,
    now: () => ({ monotonic: now, wall: now }),
    sleep: (ms) => {
      slept.push(ms);
      now += ms;
      onSleep(now);
      return Promise.resolve();
    },
    every: () => () => undefined,
  };
}
