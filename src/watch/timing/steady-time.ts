import type { Clock } from '../../api/clock.ts';

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

// What was gained longer ago is not taken back any more.
const mostGains = 50;

/** Time that the wall clock gained at once. */
interface Gain {
  /** The steady time until then. */
  readonly at: number;
  readonly by: number;
  /** What of it the wall clock lost again: it was no time that had passed. */
  readonly undone: number;
}

/** Makes such a time from the wall clock and a monotonic one. */
export function steadyTime(wall: () => number, { now: monotonic }: Pick<Clock, 'now'>): SteadyTime {
  let begin = wall() - monotonic();
  let ahead = 0;
  let gains: readonly Gain[] = [];
  const now = (): number => {
    const time = begin + monotonic();
    const gained = wall() + ahead - time;
    if (gained < -toleranceMs) {
      ahead -= gained;
      gains = withoutLatest(gains, -gained);
    }
    if (gained <= toleranceMs) return time;
    begin += gained;
    gains = withoutOldest([...gains, { at: time, by: gained, undone: 0 }]);
    return time + gained;
  };
  return {
    now,
    onWall: (moment) => {
      now();
      const undone = gains.reduce((sum, gain) => (moment <= gain.at ? sum + gain.undone : sum), 0);
      return Math.round(moment - ahead + undone);
    },
  };
}

/** The gains after the wall clock lost so much, of which the latest are undone first. */
function withoutLatest(gains: readonly Gain[], lost: number): readonly Gain[] {
  let left = lost;
  return gains
    .toReversed()
    .map((gain) => {
      const undone = Math.min(left, gain.by - gain.undone);
      left -= undone;
      return { ...gain, undone: gain.undone + undone };
    })
    .toReversed();
}

/** As many as are kept: of those that were not taken back, the latest. */
function withoutOldest(gains: readonly Gain[]): readonly Gain[] {
  if (gains.length <= mostGains) return gains;
  const oldest = Math.max(
    0,
    gains.findIndex(({ undone }) => undone === 0),
  );
  return gains.toSpliced(oldest, 1);
}
