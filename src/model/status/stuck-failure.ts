import type { WatchFailure, WatchStatus } from './watch-status.ts';

// A retry mends none of these: a revoked key, an account that lost most of its resources or has some twice, manifests without resources,
// an operation that the service does not have, a state or a file beside it that cannot be used as it is or belongs to another stack or
// account, a store that refuses what is asked.
const codes: ReadonlySet<string> = new Set([
  'ACCESS_DENIED',
  'DUPLICATES',
  'FILE_NOT_WRITTEN',
  'JOURNAL_DAMAGED',
  'JOURNAL_MISMATCH',
  'LEASE_DAMAGED',
  'LEASE_OUTDATED',
  'LOCK_NOT_ACQUIRED',
  'MANY_RESOURCES_MISSING',
  'NO_RESOURCES_DEFINED',
  'OPERATION_NOT_SUPPORTED',
  'OPERATOR_REQUESTS_UNREADABLE',
  'RESTART_REQUIRED',
  'STACK_ID_IN_USE',
  'STATE_ACCOUNT_MISMATCH',
  'STATE_DAMAGED',
  'STATE_LOST',
  'STATE_MOVED',
  'STATE_NOT_WRITTEN',
  'STATE_STACK_MISMATCH',
  'STATE_TOO_NEW',
  'STATE_UNREADABLE',
  'STORE_ACCESS_DENIED',
  'STORE_CANNOT_SWAP',
  'STORE_NOT_DURABLE',
  'STORE_NOT_FOUND',
  'STORE_NOT_PREPARED',
  'STORE_READ_ONLY',
  'STORE_REQUEST_REFUSED',
  'WATCH_STATE_UNREADABLE',
]);

// A repeated request gets the same answer: the service understood it and refuses it. Statuses that ask to wait (408, 425, 429) are not among them.
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 451]);

/** Whether a failure stays until a person acts, however often it is retried. */
export function isLasting({ code, status }: { readonly code: string; readonly status?: number | undefined }): boolean {
  return codes.has(code) || (status !== undefined && refusals.has(status));
}

/** The failures that stay until a person acts, those of changes that the service refuses last. */
export function stuckFailures({ failures }: Pick<WatchStatus, 'failures'>): readonly WatchFailure[] {
  const lasting = failures.filter(isLasting);
  return [...lasting.filter((one) => !isRefusedByService(one)), ...lasting.filter(isRefusedByService)];
}

/** Whether a failure is the answer of the service to a change, and stays. */
export function isRefusedByService(failure: Pick<WatchFailure, 'code' | 'status'>): boolean {
  return failure.status !== undefined && isLasting(failure);
}
