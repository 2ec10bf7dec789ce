import type { Clock } from '../api/clock.ts';

/**
 * Time for what is due. It goes on with the monotonic clock, so that nothing is late after the wall clock was set back. Where
 * the wall clock gained, the machine was suspended or the clock was set forward: that time is over, too.
 */
export interface SteadyTime {
  /** Milliseconds; equal to those since 1970 until the wall clock is set back. */
  readonly now: () => number;
  /** A moment of this time by the wall clock as it is set now, for people. */
  readonly onWall: (moment: number) => number;
}

// The two clocks never run at quite the same pace.
const toleranceMs = 1_000;

/** Makes such a time from the wall clock and a monotonic one. */
export function steadyTime(wall: () => number, { now: monotonic }: Pick<Clock, 'now'>): SteadyTime {
  let begin = wall() - monotonic();
  let ahead = 0;
  const now = (): number => {
    const time = begin + monotonic();
    const gained = wall() + ahead - time;
    if (gained < -toleranceMs) ahead -= gained;
    if (gained <= toleranceMs) return time;
    begin += gained;
    return time + gained;
  };
  return {
    now,
    onWall: (moment) => {
      now();
      return Math.round(moment - ahead);
    },
  };
}
