import type { SyncStatus, PendingChange, WatchRole, WatchStatus } from '../../model/watch-status.ts';

/** What asks for attention most comes first. */
export const syncStatuses: readonly SyncStatus[] = [
  'failed',
  'fight',
  'waiting',
  'drifted',
  'applying',
  'changing',
  'unknown',
  'in-sync',
];

/** Each standing in words. */
export const syncStatusWords: Readonly<Record<SyncStatus, string>> = {
  failed: 'failed',
  fight: 'fought over',
  waiting: 'waiting',
  drifted: 'drifted',
  applying: 'being applied',
  changing: 'to be changed',
  unknown: 'not looked at yet',
  'in-sync': 'in sync',
};

/** What a role means. */
export const roleWords: Readonly<Record<WatchRole, string>> = {
  leading: 'leading',
  'standing-by': 'standing by',
  paused: 'paused',
  stopping: 'stopping',
};

/** What a change waits for, in words. */
export const pendingWords: Readonly<Record<PendingChange['for'], string>> = {
  approval: 'waits for approval',
  protected: 'is protected',
  switch: 'is not for watch to do',
  retry: 'is tried again',
  fight: 'is fought over',
  resolve: 'is unresolved',
  another: 'waits for another',
  manifest: 'has a broken manifest',
};

/** Whether nothing but a person can let a change go on. */
export function needsPerson({ for: what }: PendingChange): boolean {
  return what !== 'retry' && what !== 'fight' && what !== 'another';
}

/** How many resources stand in each way, in the order of attention; ways in which none stands are left out. */
export function countSyncStatuses({
  resources,
}: Pick<WatchStatus, 'resources'>): readonly (readonly [SyncStatus, number])[] {
  const counts = new Map<SyncStatus, number>();
  for (const { standing } of resources) counts.set(standing, (counts.get(standing) ?? 0) + 1);
  return syncStatuses.flatMap((standing) => {
    const count = counts.get(standing);
    return count === undefined ? [] : [[standing, count] as const];
  });
}
