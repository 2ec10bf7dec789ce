import type { WatchStatus } from '../../src/model/watch-status.ts';
import { allWell } from './calm-status.ts';
import { company, hour, minute, noon } from './company.ts';

/** The key was revoked: nothing can be read. */
export const revoked: WatchStatus = {
  ...allWell,
  lastRefresh: noon - 2 * hour,
  lastSuccess: noon - 2 * hour,
  nextRefresh: noon + 6 * minute,
  conditions: [
    {
      type: 'Ready',
      status: 'Unknown',
      reason: 'AccountUnreadable',
      message: 'the service refuses the API key (401)',
      since: noon - 2 * hour,
    },
    { type: 'Reconciling', status: 'True', reason: 'Retrying', message: '', since: noon - 2 * hour },
    {
      type: 'Stalled',
      status: 'True',
      reason: 'AccountUnreadable',
      message: 'retries do not resolve this',
      since: noon - 2 * hour,
    },
  ],
  resources: company.map((one) => ({ ...one, syncStatus: 'unknown' })),
  failures: [
    {
      scope: 'account',
      code: 'ACCESS_DENIED',
      message: 'GET /edges/https: the service refuses the API key (401)',
      hint: 'set SLUICE_API_KEY to a key that is valid',
      since: noon - 2 * hour,
      attempts: 14,
      nextAttempt: noon + 6 * minute,
    },
  ],
};

/** The service does not answer. */
export const stalled: WatchStatus = {
  ...revoked,
  lastRefresh: noon - 20 * minute,
  lastSuccess: noon - 20 * minute,
  nextRefresh: noon + 2 * minute,
  conditions: revoked.conditions.map((one) => ({
    ...one,
    since: noon - 20 * minute,
    message: one.type === 'Ready' ? 'no answer within 30 s' : '',
    ...(one.type === 'Stalled' ? { status: 'False', reason: 'NothingHolds' } : {}),
  })),
  failures: [
    {
      scope: 'account',
      code: 'NO_ANSWER',
      message: 'GET /edges/https: no answer within 30 s',
      since: noon - 20 * minute,
      attempts: 5,
      nextAttempt: noon + 2 * minute,
    },
  ],
};
