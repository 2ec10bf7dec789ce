import type { PendingChange, RunningChange, WatchStatus } from '../../src/model/status/watch-status.ts';
import { applyingApproved, applyingRetried, conflicted, drifted, refused, reverted } from './asking-statuses.ts';
import { allWell, digestFrom, earlier, historySince, oldest, revision, statusSince } from './calm-status.ts';
import { company, day, hour, minute, noon, second, standing } from './company.ts';
import { huge, large } from './large-statuses.ts';
import { revoked, stalled } from './unreadable-account.ts';
import { awaitedDigest, awaiting } from './waiting-statuses.ts';

export { allWell, awaitedDigest, awaiting, huge, large };

/** An apply that has come as far as so many of its five changes. */
export function applying(done: number): WatchStatus {
  const order = [
    'HTTPSEdge/shop',
    'HTTPSEdgeRoute/shop:storefront',
    'HTTPSEdgeRoute/shop:checkout',
    'HTTPSEdgeRoute/shop:console',
    'HTTPSEdgeRoute/api:orders',
  ];
  const changes = order.map((address, at): RunningChange => ({
    address,
    action: at === 1 ? 'create' : 'update',
    progress: at < done ? 'done' : at < done + 2 ? 'running' : 'to-do',
  }));
  return statusSince(noon - 4 * second, {
    ...allWell,
    resources: standing(company, { changes }),
    applied: earlier,
    history: allWell.history.slice(1),
    applying: {
      startedAt: noon - 4 * second,
      trigger: 'revision',
      revision,
      digest: digestFrom('77ab01e2'),
      approvals: [],
      changes,
    },
  });
}

const badSigner = 'PATCH /edges/https/edghts_2x/routes/edghtsrt_9k returned 422: unknown signer';

const broken: PendingChange = {
  address: 'HTTPSEdge/shop',
  action: 'none',
  reason: 'plan-error',
  message: 'unknown field `hostport` in HTTPSEdge.spec',
  hazards: [],
  details: '',
  fields: [],
  since: noon - 7 * minute,
};

const refusedUpdate: PendingChange = {
  address: 'HTTPSEdgeRoute/api:partners',
  action: 'update',
  reason: 'refused',
  message: badSigner,
  hazards: [],
  cause: 'revision',
  introduced: { revision: earlier, isExact: true },
  details: 'webhook_verification.provider: github -> gitlab  (manifest changed)',
  fields: [{ pointer: '/webhook_verification/provider', desired: 'gitlab', actual: 'github' }],
  since: noon - 50 * minute,
  until: noon + 8 * minute,
};

const troubles = [broken, refusedUpdate, reverted];

/** Broken manifests, a service that refuses, and others who undo what sluice does. */
export const inTrouble = statusSince(
  noon - 7 * minute,
  {
    ...allWell,
    applied: oldest,
    history: historySince(7 * hour),
    revision: {
      ...revision,
      content: 'e01f55aa9c21',
      commit: 'c0ffee1288a9b3e5d7f6a1c2b3d4e5f60718293a',
      subject: 'shop: a second domain',
    },
    resources: standing(company, { pending: troubles }),
    pending: troubles,
    driftConflicts: conflicted.driftConflicts,
    failures: [
      {
        scope: 'HTTPSEdgeRoute/api:partners',
        code: 'INVALID',
        message: badSigner,
        status: 422,
        since: noon - 50 * minute,
        attempts: 6,
        nextAttempt: noon + 8 * minute,
      },
    ],
    diagnostics: [
      {
        code: 'UNKNOWN_FIELD',
        severity: 'error',
        message: 'unknown field `hostport` in HTTPSEdge.spec',
        hint: 'did you mean `hostports`?',
        address: 'HTTPSEdge/shop',
        place: {
          file: 'manifests/shop.yaml',
          line: 6,
          col: 3,
          excerpt: '  hostport: [shop.example.com:443, shop.example.nl:443]',
          span: 8,
        },
      },
      {
        code: 'UNKNOWN_REFERENCE',
        severity: 'error',
        message: 'no manifest defines CertificateAuthority/partner-2026',
        hint: 'did you mean `partners-2026`?',
        address: 'HTTPSEdgeRoute/shop:console',
        place: {
          file: 'manifests/shop.yaml',
          line: 34,
          col: 47,
          excerpt: '    mutual_tls: {certificate_authority_ids: [{ref: partner-2026}]}',
          span: 12,
          caret: 52,
        },
      },
    ],
  },
  [
    noon - 6 * hour,
    {
      resources: standing(company, { pending: [reverted] }),
      pending: [reverted],
      driftConflicts: conflicted.driftConflicts,
    },
  ],
  [
    noon - 50 * minute,
    { resources: standing(company, { pending: [refusedUpdate, reverted] }), pending: [refusedUpdate, reverted] },
  ],
);

/** Another replica leads. */
export const standingBy = statusSince(noon - 9 * day, {
  ...allWell,
  role: 'standby',
  leader: 'sluice-7d9f (pid 1)',
  leaderUrl: 'http://10.1.2.3:9470/',
  leaderHeartbeat: noon - 3 * second,
  leaderRecorded: {
    ready: {
      type: 'Ready',
      status: 'False',
      reason: 'WaitingForApproval',
      message: '2 changes need approval; out of sync: 4 of 15 resources',
      since: noon - 26 * minute,
    },
    asked: ['2 changes require approval', '1 change blocked by deletion protection'],
  },
  resources: company.map((one) => ({ ...one, syncStatus: 'unknown' })),
  history: [],
});

/** Somebody said: not now. */
export const paused = statusSince(noon - hour, {
  ...allWell,
  role: 'paused',
  history: historySince(2 * hour, revision),
  nextRefresh: noon - hour + 4 * minute,
  lastRefresh: noon - hour,
  pause: { until: noon + 3 * hour, at: noon - hour, by: 'ada', reason: 'the migration of the shop' },
});

/** Somebody disabled a sign-in in the account. */
export const breached = statusSince(noon - 18 * minute, {
  ...allWell,
  exposure: {
    rows: [
      {
        audience: 'public',
        who: 'anyone',
        urls: ['https://shop.example.com/…', 'https://shop.example.com/console…'],
        edge: 'HTTPSEdge/shop',
        route: 'HTTPSEdgeRoute/shop:console',
      },
      {
        audience: 'restricted',
        who: 'authentication (Google accounts: example.com)',
        urls: ['https://api.example.com/…'],
        edge: 'HTTPSEdge/api',
        route: 'HTTPSEdgeRoute/api:orders',
      },
    ],
    variants: [],
  },
  ruleBreaches: [
    {
      rule: 'admin',
      source: 'operator',
      address: 'HTTPSEdgeRoute/shop:console',
      request: 'GET https://shop.example.com/console/x',
      message:
        'access rule admin (set by the operator policy) is broken: GET https://shop.example.com/console/x reaches HTTPSEdgeRoute/shop:console without authentication of named users',
      place: { file: 'manifests/shop.yaml', line: 30, col: 7 },
      rulePlace: { file: 'policy.yaml', line: 3, col: 7 },
    },
  ],
  exposures: [
    {
      address: 'HTTPSEdge/shop',
      message:
        'https://shop.example.com/console… is public now: anyone can reach it, and access.public does not list it',
      urls: ['https://shop.example.com/console…'],
    },
  ],
});

/** The made-up statuses by name. */
export const statuses: Readonly<Record<string, WatchStatus>> = {
  'all-well': allWell,
  applying: applying(2),
  waiting: awaiting,
  trouble: inTrouble,
  large,
  huge,
  revoked,
  stalled,
  standby: standingBy,
  paused,
  breached,
  refused,
  drifted,
  conflicted,
  'applying-approved': applyingApproved,
  'applying-retried': applyingRetried,
};
