import { allWell, historySince, statusSince } from './calm-status.ts';
import { company, hour, minute, noon } from './company.ts';

/** The key was revoked: nothing can be read. */
export const revoked = statusSince(noon - 2 * hour, {
  ...allWell,
  lastRefresh: noon - 2 * hour,
  history: historySince(2 * hour),
  nextRefresh: noon + 6 * minute,
  resources: company.map((one) => ({ ...one, syncStatus: 'unknown' })),
  failures: [
    {
      scope: 'account',
      code: 'ACCESS_DENIED',
      message: 'GET /edges/https returned 401: the API key is not valid',
      hint: 'set a valid API key; sluice reads the file named by SLUICE_API_KEY_FILE again at the next attempt, but reads an environment variable only when `sluice watch` starts',
      since: noon - 2 * hour,
      attempts: 14,
      nextAttempt: noon + 6 * minute,
    },
  ],
});

/** The service does not answer. */
export const stalled = statusSince(noon - 20 * minute, {
  ...revoked,
  lastRefresh: noon - 20 * minute,
  nextRefresh: noon + 2 * minute,
  failures: [
    {
      scope: 'account',
      code: 'REQUEST_TIMEOUT',
      message: 'GET /edges/https got no response within 30 s',
      since: noon - 20 * minute,
      attempts: 5,
      nextAttempt: noon + 2 * minute,
    },
  ],
});
