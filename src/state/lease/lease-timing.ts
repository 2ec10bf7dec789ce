/** The durations of a lease, in milliseconds. */
export interface LeaseTiming {
  /** A holder whose lease has not changed for so long is dead. */
  readonly durationMs: number;
  readonly heartbeatMs: number;
  /** How long one request to the store may take. */
  readonly storeDeadlineMs: number;
  /** How long one write to the service may take. */
  readonly writeDeadlineMs: number;
  /** What is left for clocks that run at different rates and for what no deadline covers. */
  readonly marginMs: number;
}

/** The longest duration. A record with a longer one is read as damaged. */
export const longestLeaseMs = 3_600_000;

/** For how long after the last confirmed heartbeat was sent a write may start. */
export function windowMs({ durationMs, writeDeadlineMs, marginMs }: LeaseTiming): number {
  return durationMs - writeDeadlineMs - marginMs;
}

/** How long an outage of the store may last before a run ends: two lease durations. */
export function outageMs({ durationMs }: LeaseTiming): number {
  return 2 * durationMs;
}

/** What makes durations unsafe, if anything: text for a person. */
export function unsafeTiming(timing: LeaseTiming): string | undefined {
  const { durationMs, heartbeatMs, storeDeadlineMs, writeDeadlineMs, marginMs } = timing;
  if (durationMs > longestLeaseMs)
    return `the lease duration (${seconds(durationMs)}) must be at most ${seconds(longestLeaseMs)}`;
  if (marginMs * 11 < durationMs)
    return `the margin (${seconds(marginMs)}) must be at least an eleventh of the duration (${seconds(durationMs)})`;
  if (windowMs(timing) < heartbeatMs + storeDeadlineMs)
    return `duration (${seconds(durationMs)}) minus write_deadline (${seconds(writeDeadlineMs)}) and margin (${seconds(marginMs)}) must be at least heartbeat plus store_deadline (${seconds(heartbeatMs + storeDeadlineMs)})`;
  return undefined;
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}
