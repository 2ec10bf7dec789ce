import type { FleetStatus } from '../../model/status/fleet-status.ts';
import { isLive, type ProbeResult } from '../status/health.ts';

/** Whether the process still works. A single stack whose loop is overdue is its own trouble: a restart would stop all others too. */
export function isFleetLive({ searchDueBy, stacks }: FleetStatus, now: number): ProbeResult {
  const search = isLive(searchDueBy === undefined ? {} : { dueBy: searchDueBy }, now);
  if (!search.ok) return { ok: false, reason: 'the search for stacks is overdue' };
  const started = stacks.flatMap(({ status }) => (status === undefined ? [] : [status]));
  if (started.length === 0 || started.some((status) => isLive(status, now).ok)) return { ok: true };
  return { ok: false, reason: 'the reconcile loops of all stacks are overdue' };
}

/** Whether it is ready: it has searched for stacks, has joined the other replicas, and works. */
export function isFleetReady(fleet: FleetStatus, now: number): ProbeResult {
  if (fleet.isStopping) return { ok: false, reason: 'sluice is stopping' };
  if (fleet.searchDueBy === undefined) return { ok: false, reason: 'the first search for stacks has not finished' };
  if (fleet.isJoining === true)
    return { ok: false, reason: 'waiting for the shared store of the replicas (--replicas)' };
  return isFleetLive(fleet, now);
}
