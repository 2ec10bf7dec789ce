import type { Clock } from '../../src/api/clock.ts';

/** A clock on which nobody waits: time passes by sleeping alone. */
export function hastyClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    random: () => 0.5,
    sleep: (ms) => {
      now += ms;
      return new Promise((wake) => setImmediate(wake));
    },
  };
}
