import { failedSubject } from './failed-subject.ts';
import type { WatchStatus } from './watch-status.ts';

/** What may have to end before approved changes are applied. */
export const approvalObstacles = [
  'paused',
  'unreadable',
  'state-unusable',
  'no-resources',
  'unsaved',
  'unlocked',
  'applying',
  'queued',
] as const;

/** One of them. */
export type ApprovalObstacle = (typeof approvalObstacles)[number];

// A failure of what was to be compared with the account.
const bySubject: Readonly<Record<string, ApprovalObstacle>> = { state: 'state-unusable', manifests: 'no-resources' };

/** What has to end before approved changes are applied; undefined: nothing, they are applied at once. */
export function approvalObstacle({
  role,
  failures,
  applying,
  isQueued,
}: Pick<WatchStatus, 'role' | 'failures' | 'applying' | 'isQueued'>): ApprovalObstacle | undefined {
  if (role === 'paused') return 'paused';
  const fails = (what: string): boolean => failures.some(({ scope }) => scope === what);
  const account = failures.find(({ scope }) => scope === 'account');
  if (account !== undefined) return bySubject[failedSubject(account)] ?? 'unreadable';
  // What was accepted has to be kept, so that each approval counts once.
  if (fails('watch-state')) return 'unsaved';
  if (fails('lock')) return 'unlocked';
  if (applying !== undefined) return 'applying';
  return isQueued === true ? 'queued' : undefined;
}
