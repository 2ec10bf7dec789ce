/** An account of a service that lets so many requests through in any minute, and answers 429 to the others. */
export interface SimulatedAccount {
  readonly name: string;
  /** As in `api.rate_limit`; undefined: those who send must learn it. */
  readonly rateLimit: string | undefined;
  readonly request: () => { readonly status: number; readonly retryAfterMs?: number };
  readonly counts: { sent: number; refused: number; mostInAMinute: number };
}

/** The number of requests that each account allows in a minute. */
export const quota = 20;

// Clocks differ, and two replicas use the share of a stack that one of them hands to the other.
const allowed = quota * 1.15;
const minuteMs = 60_000;

/** Makes one that has had no request yet. */
export function simulatedAccount(name: string, isStated: boolean, now: () => number): SimulatedAccount {
  const counts = { sent: 0, refused: 0, mostInAMinute: 0 };
  let passed: number[] = [];
  return {
    name,
    rateLimit: isStated ? `${String(quota)}/60s` : undefined,
    counts,
    request: () => {
      passed = passed.filter((at) => now() - at < minuteMs);
      counts.sent += 1;
      if (passed.length >= allowed) {
        counts.refused += 1;
        return { status: 429, retryAfterMs: Math.ceil((minuteMs - now() + (passed[0] ?? 0)) / 1000) * 1000 };
      }
      passed.push(now());
      counts.mostInAMinute = Math.max(counts.mostInAMinute, passed.length);
      return { status: 200 };
    },
  };
}
