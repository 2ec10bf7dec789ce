import type { WatchFailure, WatchStatus } from './watch-status.ts';

// A retry mends none of these: a revoked key, an account that lost most of its resources, manifests without resources.
const codes: readonly string[] = ['ACCESS_DENIED', 'MANY_RESOURCES_MISSING', 'NO_RESOURCES_DEFINED'];

/** The first failure that stays until a person acts. */
export function stuckFailure({ failures }: Pick<WatchStatus, 'failures'>): WatchFailure | undefined {
  return failures.find(({ code }) => codes.includes(code));
}
