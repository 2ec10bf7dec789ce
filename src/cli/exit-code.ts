import { NotAllowed } from '../api/api-errors.ts';
import {
  InvalidInput,
  LockHeld,
  Refused,
  SluiceError,
  Stale,
  StoreNotAllowed,
  StoreRefused,
} from '../diagnostics/errors.ts';
import { hasWritten, type Outcome } from '../model/outcome.ts';
import { UsageError } from '../stack/usage-error.ts';

/** The exit codes; a contract with every pipeline that calls sluice. */
export const exitCodes = {
  done: 0,
  failed: 1,
  pending: 2,
  refused: 3,
  stale: 4,
  locked: 5,
  inPart: 6,
  notAllowed: 7,
  invalid: 8,
  interrupted: 130,
} as const;

// Errors in settings that only the client checks.
const settings = new Set([
  'INVALID_BASE_URL',
  'INVALID_VENDOR',
  'INVALID_API_KEY',
  'INVALID_PROXY',
  'INVALID_CA_FILE',
  'PLAN_FILE_DAMAGED',
  'NOT_A_PLAN_FILE',
  'SNAPSHOT_DAMAGED',
]);

/** The exit code of a command that ended with an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof NotAllowed || error instanceof StoreNotAllowed) return exitCodes.notAllowed;
  if (error instanceof LockHeld) return exitCodes.locked;
  if (error instanceof Stale) return exitCodes.stale;
  if (error instanceof InvalidInput || error instanceof UsageError || error instanceof StoreRefused)
    return exitCodes.invalid;
  if (error instanceof Refused) return exitCodes.refused;
  if (!(error instanceof SluiceError)) return exitCodes.failed;
  if (error.code === 'INTERRUPTED') return exitCodes.interrupted;
  return settings.has(error.code) ? exitCodes.invalid : exitCodes.failed;
}

/** The exit code of an apply by how its changes ended: the first that fits (decisions/0031). */
export function exitCodeOfOutcome({ changes, interrupted, unresolved, duplicates, stateError }: Outcome): number {
  const open = changes.filter(({ ending }) => ending !== 'done');
  if (interrupted) return exitCodes.interrupted;
  if (unresolved.length + duplicates.length > 0) return exitCodes.inPart;
  if (open.length === 0 && stateError === undefined) return exitCodes.done;
  if (hasWritten(changes)) return exitCodes.inPart;
  const hasEndedBy = (code: string): boolean => [stateError, ...open].some((one) => one?.code === code);
  if (hasEndedBy('STORE_ACCESS_DENIED')) return exitCodes.notAllowed;
  if (hasEndedBy('LOCK_LOST')) return exitCodes.locked;
  return exitCodeOfRefusals(open.map(({ status }) => status));
}

// The first that applies to a run (decisions/0031).
const precedence = [
  exitCodes.interrupted,
  exitCodes.inPart,
  exitCodes.notAllowed,
  exitCodes.locked,
  exitCodes.stale,
  exitCodes.invalid,
  exitCodes.refused,
  exitCodes.failed,
  exitCodes.pending,
];

/** The exit code of a run of several stacks by theirs: the first that applies, of the run as a whole (decisions/0076). */
export function exitCodeOfAll(codes: readonly number[], hasWritten: boolean): number {
  const first = precedence.find((code) => codes.includes(code)) ?? exitCodes.done;
  const isComplete = first === exitCodes.done || first === exitCodes.interrupted;
  return hasWritten && !isComplete ? exitCodes.inPart : first;
}

/** The exit code if nothing was done, by the statuses that the service returned. */
export function exitCodeOfRefusals(statuses: readonly (number | undefined)[]): number {
  return statuses.some((status) => status === 401 || status === 403) ? exitCodes.notAllowed : exitCodes.failed;
}
