import type { FleetJson } from '../../../render/status/fleet/fleet-json-schema.ts';
import type { StatusJson } from '../../../render/status/status-json-schema.ts';
import { exitCodes } from '../../exit-code.ts';

interface ExitFacts {
  readonly role: StatusJson['role'] | undefined;
  readonly ready: Pick<StatusJson['conditions'][number], 'status' | 'reason'> | undefined;
  readonly failures: number;
  readonly pending: number;
}

/** 0 where everything is in sync, and for a standby; 2 where changes are pending or being applied; 1 where something failed, or nothing is known yet. */
export function exitCodeOfStatus({
  role,
  conditions,
  failures_total: failures,
  pending_total: pending,
}: StatusJson): number {
  const ready = conditions.find(({ type }) => type === 'Ready');
  return exitCodeOf({ role, ready, failures, pending });
}

/** That of each stack, as its own status has it: 1 where it is 1 for one of them, else 2 where it is 2 for one; a stack of another replica has that of a standby. */
export function exitCodeOfFleet({ stacks, search_failure: failure }: FleetJson): number {
  if (failure !== undefined) return exitCodes.failed;
  const codes = new Set(stacks.map(exitCodeOfRow));
  return [exitCodes.failed, exitCodes.pending].find((code) => codes.has(code)) ?? exitCodes.done;
}

function exitCodeOfRow({ elsewhere, role, ready, ...row }: FleetJson['stacks'][number]): number {
  if (elsewhere?.replica !== undefined) return exitCodes.done;
  return exitCodeOf({ role, ready, failures: row.failures_total, pending: row.pending_total });
}

function exitCodeOf({ role, ready, failures, pending }: ExitFacts): number {
  // A standby knows nothing of the account: it waits, as it should, unless it cannot take the lock.
  if (role === 'standby' && failures === 0) return exitCodes.done;
  if (ready?.status === 'True') return exitCodes.done;
  const isOutOfSync = pending > 0 || ready?.reason === 'OutOfSync';
  return failures === 0 && isOutOfSync ? exitCodes.pending : exitCodes.failed;
}
