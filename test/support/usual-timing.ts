import type { LeaseTiming } from '../../src/state/lease/lease-timing.ts';

/** The usual durations. */
export const usualTiming: LeaseTiming = {
  durationMs: 60_000,
  heartbeatMs: 10_000,
  storeDeadlineMs: 5_000,
  writeDeadlineMs: 30_000,
  marginMs: 10_000,
};
