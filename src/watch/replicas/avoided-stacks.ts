import type { AvoidReason } from '../../model/status/fleet-status.ts';
import { shortestSince, type Instant } from '../../state/lease/lease-time.ts';

/** How long each lasts: in intervals of the stack, or in lease durations. */
const lasts = {
  behind: { intervals: 1, leases: 0 },
  'not-planned': { intervals: 10, leases: 0 },
  'given-back': { intervals: 0, leases: 1 },
} as const;

/** For how many intervals a replica tries to plan a stack before it gives it back. */
export const intervalsToPlan = 2;

/** The stacks that a replica leaves to others for a while. */
export interface AvoidedStacks {
  readonly add: (stack: string, reason: AvoidReason, intervalMs: number) => void;
  /** Those of now, each with the reason. */
  readonly now: () => ReadonlyMap<string, AvoidReason>;
}

/** Begins with none. */
export function createAvoidedStacks(now: () => Instant, leaseMs: number): AvoidedStacks {
  const all = new Map<string, { readonly reason: AvoidReason; readonly at: Instant; readonly ms: number }>();
  return {
    add: (stack, reason, intervalMs) => {
      const { intervals, leases } = lasts[reason];
      all.set(stack, { reason, at: now(), ms: intervals * intervalMs + leases * leaseMs });
    },
    now: () => {
      for (const [stack, { at, ms }] of all) if (shortestSince(at, now()) >= ms) all.delete(stack);
      return new Map([...all].map(([stack, { reason }]) => [stack, reason]));
    },
  };
}
