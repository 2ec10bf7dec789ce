import type { WatchStatus } from '../model/status/watch-status.ts';

/** What a refresh has found that a person may have to resolve, before anything is found. */
export const noFindings: Pick<WatchStatus, 'driftConflicts' | 'exposures' | 'ruleBreaches'> = {
  driftConflicts: [],
  exposures: [],
  ruleBreaches: [],
};
