import type { WatchStatus } from './watch-status.ts';

/** Whether a process leaves the stack to its leader. One that cannot take the lock knows of none. */
export function isOnStandby({ role, failures }: Pick<WatchStatus, 'role' | 'failures'>): boolean {
  return role === 'standby' && failures.every(({ scope }) => scope !== 'lock');
}
