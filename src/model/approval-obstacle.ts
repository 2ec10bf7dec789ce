import type { WatchStatus } from './watch-status.ts';

/** What may have to end before approved changes are applied. */
export const approvalObstacles = ['paused', 'unreadable', 'applying'] as const;

/** One of them. */
export type ApprovalObstacle = (typeof approvalObstacles)[number];

/** What has to end before approved changes are applied; undefined: nothing, they are applied at once. */
export function approvalObstacle({
  role,
  failures,
  applying,
}: Pick<WatchStatus, 'role' | 'failures' | 'applying'>): ApprovalObstacle | undefined {
  if (role === 'paused') return 'paused';
  if (failures.some(({ scope }) => scope === 'account')) return 'unreadable';
  return applying === undefined ? undefined : 'applying';
}
