import { countEach } from '../../diagnostics/counted.ts';
import type { ApprovalObstacle } from '../../model/status/approval-obstacle.ts';
import {
  syncStatuses,
  type ApplyRecord,
  type SyncStatus,
  type Revision,
  type WatchStatus,
} from '../../model/status/watch-status.ts';

/** The label of each sync status. */
export const syncStatusWords: Readonly<Record<SyncStatus, string>> = {
  failed: 'failed',
  'drift-conflict': 'drift conflict',
  blocked: 'blocked',
  'requires-approval': 'requires approval',
  'requires-manual-apply': 'requires a manual apply',
  drifted: 'drifted',
  applying: 'applying',
  'out-of-sync': 'out of sync',
  waiting: 'waiting',
  unknown: 'unknown',
  'in-sync': 'in sync',
};

const ofSeveral: Partial<Record<SyncStatus, string>> = {
  'requires-approval': 'require approval',
  'requires-manual-apply': 'require a manual apply',
};

/** The label of a sync status after the number of resources that have it. */
export function syncStatusWordsOf(syncStatus: SyncStatus, count: number): string {
  return (count === 1 ? undefined : ofSeveral[syncStatus]) ?? syncStatusWords[syncStatus];
}

/** What triggered an apply, in words. */
export const triggerWords: Readonly<Record<ApplyRecord['trigger'], string>> = {
  revision: 'new revision',
  drift: 'drift',
  approval: 'approval',
  renewal: 'renewal',
  retry: 'retry',
};

/** The number of resources by sync status, the most urgent first; a status without resources is omitted. */
export function countSyncStatuses({ resources }: Pick<WatchStatus, 'resources'>): [SyncStatus, number][] {
  return countEach(syncStatuses, resources, ({ syncStatus }) => syncStatus);
}

const approvalStarts: Readonly<Record<ApprovalObstacle, string>> = {
  paused: 'after the pause ends',
  unreadable: 'when the account can be read again',
  'state-unusable': 'when the state can be read and written again',
  'no-resources': 'when the manifests contain resources again',
  unsaved: 'when the watch state can be written again',
  unlocked: 'when this process has the state lock again',
  applying: 'after the apply that is running now',
  queued: 'after other stacks of the fleet have reconciled',
};

/** When approved changes are applied, in words. */
export function approvalStartText(obstacle: ApprovalObstacle | undefined): string {
  return obstacle === undefined ? 'immediately' : approvalStarts[obstacle];
}

/** What an approval does, and when, as a sentence without its end. */
export function approvalEffectText(obstacle: ApprovalObstacle | undefined): string {
  return obstacle === 'unsaved'
    ? 'Changes cannot be approved until the watch state can be written again'
    : `Approved changes are applied ${approvalStartText(obstacle)}`;
}

/** A revision in brief: the commit, or the digest of what was read. */
export function revisionName({ commit, content, isUncommitted }: Revision): string {
  if (commit === undefined) return content;
  return `${isUncommitted === true ? 'uncommitted changes on top of ' : ''}${commit.slice(0, 7)}`;
}
