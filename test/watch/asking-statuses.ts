import type { PendingChange, RunningApply, RunningChange, WatchStatus } from '../../src/model/status/watch-status.ts';
import { allWell, digestFrom, earlier, historySince, revision, statusSince } from './calm-status.ts';
import { company, hour, minute, noon, second, standing } from './company.ts';

const refusal = 'PATCH /edges/https/edghts_2x/routes/edghtsrt_9k returned 422: unknown signer';

const partnersRefused: PendingChange = {
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
};

/** The service refuses one change, whatever is tried. */
export const refused = statusSince(noon - 50 * minute, {
  ...allWell,
  applied: earlier,
  history: historySince(51 * minute),
  resources: standing(company, { pending: [partnersRefused] }),
  pending: [partnersRefused],
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

const byOthers = [
  byHand('HTTPSEdge/shop', '/description', 'Public shop', 'Public shop (test)'),
  byHand('ReservedAddr/mqtt-eu', '/metadata', 'team: iot', '(not set)'),
];

/** Somebody changed fields by hand, and the watch only reports it. */
export const drifted = statusSince(noon - 35 * minute, {
  ...allWell,
  history: historySince(5 * hour, revision),
  resources: standing(company, { pending: byOthers }),
  pending: byOthers,
});

/** A field that somebody changed by hand, of a kind whose drift is only reported. */
export function byHand(address: string, pointer: string, desired: string, actual: string): PendingChange {
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

/** A change that another client reverts each time. */
export const reverted: PendingChange = {
  address: 'HTTPSEdgeRoute/shop:console',
  action: 'update',
  reason: 'drift-conflict',
  message: 'drift conflict: another client keeps reverting the field, so sluice does not change it',
  hazards: [],
  cause: 'drift',
  details: 'oauth.session_lifetime: 720h -> 8h  (drift)',
  fields: [{ pointer: '/oauth/session_lifetime', desired: '8h', actual: '720h' }],
  since: noon - 6 * hour,
};

/** Another client changes a field back each time. */
export const conflicted = statusSince(noon - 6 * hour, {
  ...allWell,
  history: historySince(7 * hour, revision),
  resources: standing(company, { pending: [reverted] }),
  pending: [reverted],
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

const approvedChanges: readonly RunningChange[] = [
  { address: 'HTTPSEdgeRoute/shop:checkout', action: 'update', progress: 'done' },
  { address: 'HTTPSEdgeRoute/shop:console', action: 'update', progress: 'failed' },
  { address: 'ReservedAddr/mqtt-us', action: 'delete', progress: 'running' },
  { address: 'HTTPSEdge/api', action: 'update', progress: 'to-do' },
];

const consoleRefusal = 'PATCH /edges/https/edghts_1s/routes/edghtsrt_4c returned 422: unknown group `staff`';

const consoleRefused: PendingChange = {
  address: 'HTTPSEdgeRoute/shop:console',
  action: 'update',
  reason: 'refused',
  message: consoleRefusal,
  hazards: [],
  cause: 'revision',
  introduced: { revision, isExact: true },
  details: 'oauth.authorized_groups: [admins] -> [admins, staff]  (manifest changed)',
  fields: [{ pointer: '/oauth/authorized_groups', desired: '[admins, staff]', actual: '[admins]' }],
  since: noon - 3 * second,
  until: noon + 5 * second,
};

const toApprove = approvedChanges.map((one): PendingChange => ({
  ...consoleRefused,
  address: one.address,
  action: one.action,
  reason: 'approval',
}));
const begun = approvedChanges.map((one): RunningChange => ({ ...one, progress: 'to-do' }));

const approvedApply: RunningApply = {
  startedAt: noon - 9 * second,
  trigger: 'approval',
  revision,
  digest: digestFrom('91b2cc04'),
  approvals: [{ digest: digestFrom('91b2cc04'), by: 'ada', at: noon - 12 * second, reason: 'CHG-1042' }],
  changes: approvedChanges,
};

/** An apply that a person approved, with one change that the service refuses. */
export const applyingApproved: WatchStatus = statusSince(
  noon - 3 * second,
  {
    ...allWell,
    applied: earlier,
    history: historySince(5 * hour),
    resources: standing(company, { pending: [consoleRefused], changes: approvedChanges }),
    pending: [consoleRefused],
    failures: [
      {
        scope: 'HTTPSEdgeRoute/shop:console',
        code: 'INVALID',
        status: 422,
        message: consoleRefusal,
        since: noon - 3 * second,
        attempts: 1,
        nextAttempt: noon + 5 * second,
      },
    ],
    applying: approvedApply,
  },
  [noon - 26 * minute, { resources: standing(company, { pending: toApprove }), pending: toApprove }],
  [
    noon - 9 * second,
    { resources: standing(company, { changes: begun }), applying: { ...approvedApply, changes: begun } },
  ],
);

const retriedChanges: readonly RunningChange[] = [
  { address: 'HTTPSEdge/shop', action: 'update', progress: 'done' },
  { address: 'HTTPSEdge/api', action: 'update', progress: 'failed' },
  {
    address: 'HTTPSEdgeRoute/api:partners',
    action: 'update',
    progress: 'skipped',
    failedDependency: 'HTTPSEdge/api',
  },
  { address: 'HTTPSEdgeRoute/shop:checkout', action: 'update', progress: 'running' },
];

const unavailable = 'PATCH /edges/https/edghts_2x returned 503: try again later';

const apiRetried: PendingChange = {
  address: 'HTTPSEdge/api',
  action: 'update',
  reason: 'retry',
  message: unavailable,
  hazards: [],
  cause: 'revision',
  introduced: { revision, isExact: true },
  details: 'description: "API" -> "API of the shop"  (manifest changed)',
  fields: [{ pointer: '/description', desired: 'API of the shop', actual: 'API' }],
  since: noon - 2 * second,
  until: noon + 4 * second,
};

/** An apply of which one change failed for now, and another one was skipped because of it. */
export const applyingRetried: WatchStatus = statusSince(noon - 7 * second, {
  ...allWell,
  applied: earlier,
  history: historySince(5 * hour),
  resources: standing(company, { pending: [apiRetried], changes: retriedChanges }),
  pending: [apiRetried],
  failures: [
    {
      scope: 'HTTPSEdge/api',
      code: 'SERVICE_UNAVAILABLE',
      status: 503,
      message: unavailable,
      since: noon - 2 * second,
      attempts: 1,
      nextAttempt: noon + 4 * second,
    },
  ],
  applying: {
    startedAt: noon - 7 * second,
    trigger: 'revision',
    revision,
    digest: digestFrom('77ab01e2'),
    approvals: [],
    changes: retriedChanges,
  },
});
