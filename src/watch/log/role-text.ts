import type { WatchRole } from '../../model/status/watch-status.ts';

/** A role as the log has it: a standby with its leader. */
export function roleText(role: WatchRole, leader: string | undefined): string {
  if (role !== 'standby') return role;
  return leader === undefined ? 'standby' : `standby: the leader is ${leader}`;
}
