import type { WatchFailure, WatchStatus } from './watch-status.ts';

// A retry mends none of these: a revoked key, an account that lost most of its resources, manifests without resources, an operation
// that the service does not have, a state or a file beside it that cannot be used as it is.
const codes: ReadonlySet<string> = new Set([
  'ACCESS_DENIED',
  'FILE_NOT_WRITTEN',
  'JOURNAL_DAMAGED',
  'MANY_RESOURCES_MISSING',
  'NO_RESOURCES_DEFINED',
  'OPERATION_NOT_SUPPORTED',
  'STATE_DAMAGED',
  'STATE_LOST',
  'STATE_TOO_NEW',
  'STATE_UNREADABLE',
]);

// The same change gets the same answer: the service understood it and said no. What asks to wait (408, 425, 429) is not among them.
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 451]);

/** Whether a failure stays until a person acts, however often it is retried. */
export function isLasting({ code, status }: Pick<WatchFailure, 'code' | 'status'>): boolean {
  return codes.has(code) || (status !== undefined && refusals.has(status));
}

/** The first failure that stays until a person acts. */
export function stuckFailure({ failures }: Pick<WatchStatus, 'failures'>): WatchFailure | undefined {
  return failures.find(isLasting);
}
