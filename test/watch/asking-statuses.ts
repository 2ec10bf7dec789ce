import type { PendingChange, WatchStatus } from '../../src/model/watch-status.ts';
import { allWell, digestFrom, earlier, historySince, revision, statusSince } from './calm-status.ts';
import { company, hour, minute, noon, second, stand } from './company.ts';

const refusal = 'PATCH /edges/https/edghts_2x/routes/edghtsrt_9k returned 422: unknown signer';

/** The service refuses one change, whatever is tried. */
export const refused = statusSince(noon - 50 * minute, {
  ...allWell,
  applied: earlier,
  lastSuccess: noon - 50 * minute,
  history: historySince(51 * minute),
  resources: stand(company, [['HTTPSEdgeRoute/api:partners', 'failed', refusal]]),
  pending: [
    {
      address: 'HTTPSEdgeRoute/api:partners',
      action: 'update',
      reason: 'refused',
      message: refusal,
      hazards: [],
      cause: 'revision',
      introduced: { revision, isExact: true },
      details: 'webhook_verification.provider: github -> gitlab  (manifest changed)',
      fields: [{ pointer: '/webhook_verification/provider', desired: 'gitlab', actual: 'github' }],
      since: noon - 50 * minute,
      until: noon + 8 * minute,
    },
  ],
  failures: [
    {
      scope: 'HTTPSEdgeRoute/api:partners',
      code: 'INVALID',
      status: 422,
      message: refusal,
      since: noon - 50 * minute,
      attempts: 6,
      nextAttempt: noon + 8 * minute,
    },
  ],
});

/** Somebody changed fields by hand, and the watch only reports it. */
export const drifted = statusSince(noon - 35 * minute, {
  ...allWell,
  lastSuccess: noon - 35 * minute,
  history: historySince(5 * hour),
  resources: stand(company, [
    ['HTTPSEdge/shop', 'drifted', 'drifted; watch.heal_drift is off for this kind'],
    ['ReservedAddr/mqtt-eu', 'drifted', 'drifted; watch.heal_drift is off for this kind'],
  ]),
  pending: [
    byHand('HTTPSEdge/shop', '/description', 'Public shop', 'Public shop (test)'),
    byHand('ReservedAddr/mqtt-eu', '/metadata', 'team: iot', '(not set)'),
  ],
});

function byHand(address: string, pointer: string, desired: string, actual: string): PendingChange {
  return {
    address,
    action: 'update',
    reason: 'manual',
    message: 'drifted; watch.heal_drift is off for this kind',
    hazards: [],
    cause: 'drift',
    details: `${pointer.slice(1)}: ${actual} -> ${desired}  (drift)`,
    fields: [{ pointer, desired, actual }],
    since: noon - 35 * minute,
  };
}

/** Another client changes a field back each time. */
export const conflicted = statusSince(noon - 6 * hour, {
  ...allWell,
  lastSuccess: noon - 6 * hour,
  history: historySince(7 * hour),
  resources: stand(company, [
    [
      'HTTPSEdgeRoute/shop:console',
      'drift-conflict',
      'drift conflict: another client keeps reverting it, so sluice leaves it unchanged',
    ],
  ]),
  pending: [
    {
      address: 'HTTPSEdgeRoute/shop:console',
      action: 'update',
      reason: 'drift-conflict',
      message: 'drift conflict: another client keeps reverting it, so sluice leaves it unchanged',
      hazards: [],
      cause: 'drift',
      details: 'oauth.session_lifetime: 720h -> 8h  (drift)',
      fields: [{ pointer: '/oauth/session_lifetime', desired: '8h', actual: '720h' }],
      since: noon - 6 * hour,
    },
  ],
  driftConflicts: [
    {
      address: 'HTTPSEdgeRoute/shop:console',
      pointer: '/oauth/session_lifetime',
      desired: '8h',
      actual: '720h',
      count: 4,
      since: noon - 6 * hour,
    },
  ],
});

/** An apply that a person approved, with one change that could not be done. */
export const applyingApproved: WatchStatus = statusSince(noon - 9 * second, {
  ...allWell,
  applied: earlier,
  history: historySince(5 * hour),
  resources: stand(company, [
    ['ReservedAddr/mqtt-us', 'applying'],
    ['HTTPSEdge/api', 'out-of-sync'],
    ['HTTPSEdgeRoute/shop:console', 'out-of-sync'],
  ]),
  applying: {
    startedAt: noon - 9 * second,
    trigger: 'approval',
    revision,
    digest: digestFrom('91b2cc04'),
    approvals: [{ digest: digestFrom('91b2cc04'), by: 'ada', at: noon - 12 * second, reason: 'CHG-1042' }],
    total: 4,
    done: 2,
    changes: [
      { address: 'HTTPSEdgeRoute/shop:checkout', action: 'update', progress: 'done' },
      { address: 'HTTPSEdgeRoute/shop:console', action: 'update', progress: 'failed' },
      { address: 'ReservedAddr/mqtt-us', action: 'delete', progress: 'running' },
      { address: 'HTTPSEdge/api', action: 'update', progress: 'to-do' },
    ],
  },
});
