import type { FleetStatus } from '../../model/status/fleet-status.ts';
import { whyNotLive } from '../status/health.ts';

/** Why the process works no longer, if so. A single stack whose loop is overdue is its own trouble: a restart would stop all others too. */
export function whyFleetNotLive({ searchDueBy = Infinity, stacks }: FleetStatus, now: number): string | undefined {
  if (now > searchDueBy) return 'the search for stacks is overdue';
  const started = stacks.flatMap(({ status }) => (status === undefined ? [] : [status]));
  const areAllOverdue = started.length > 0 && started.every((status) => whyNotLive(status, now) !== undefined);
  return areAllOverdue ? 'the reconcile loops of all stacks are overdue' : undefined;
}

/** Why it is not ready, if so: it has not searched for stacks, has not joined the other replicas, or does not work. */
export function whyFleetNotReady(fleet: FleetStatus, now: number): string | undefined {
  if (fleet.isStopping) return 'sluice is stopping';
  if (fleet.searchDueBy === undefined) return 'the first search for stacks has not finished';
  if (fleet.isJoining === true) return 'waiting for the shared store of the replicas (--replicas)';
  return whyFleetNotLive(fleet, now);
}
