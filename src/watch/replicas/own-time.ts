import type { AvoidReason } from '../../model/status/fleet-status.ts';
import { shortestSince, type Instant } from '../../state/lease/lease-time.ts';
import type { ReplicaClaims } from './divide-stacks.ts';

/** How long each lasts: in intervals of the stack, or in lease durations. */
const lasts = {
  behind: { intervals: 1, leases: 0 },
  'not-planned': { intervals: 10, leases: 0 },
  'given-back': { intervals: 0, leases: 1 },
} as const;

/** For how many intervals a replica tries to plan a stack before it gives it back. */
export const intervalsToPlan = 2;

/** The stacks that a replica leaves to others for a while, each with the reason; none at first. */
export function createAvoidedStacks(
  now: () => Instant,
  leaseMs: number,
): {
  readonly add: (stack: string, reason: AvoidReason, intervalMs: number) => void;
  readonly now: () => ReadonlyMap<string, AvoidReason>;
} {
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

/** For how long nobody has had a stack, as far as this replica has seen. */
export function createFreeStacks(now: () => Instant): {
  readonly note: (stacks: readonly string[], claims: Iterable<ReplicaClaims>) => void;
  readonly ms: (stack: string) => number;
} {
  const since = new Map<string, Instant>();
  return {
    note: (stacks, claims) => {
      const claimed = new Set([...claims].flatMap(({ holds, awaits }) => [...holds, ...awaits]));
      const free = new Set(stacks.filter((stack) => !claimed.has(stack)));
      for (const stack of since.keys()) if (!free.has(stack)) since.delete(stack);
      for (const stack of free) if (!since.has(stack)) since.set(stack, now());
    },
    ms: (stack) => {
      const at = since.get(stack);
      return at === undefined ? 0 : shortestSince(at, now());
    },
  };
}
