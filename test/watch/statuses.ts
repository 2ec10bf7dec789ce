import type { PendingChange, RunningChange, WatchStatus } from '../../src/model/watch-status.ts';
import { company, hour, hugeAccount, largeAccount, minute, noon, second, stand } from './company.ts';
import { conflicted, drifted, refused, applyingApproved } from './asking-statuses.ts';
import { allWell, applied, digestFrom, earlier, historySince, plan, revision, statusSince } from './calm-status.ts';
import { revoked, stalled } from './unreadable-account.ts';

export { allWell };

/** An apply that has come as far as so many of its five changes. */
export function applying(done: number): WatchStatus {
  const order = [
    'HTTPSEdge/shop',
    'HTTPSEdgeRoute/shop:storefront',
    'HTTPSEdgeRoute/shop:checkout',
    'HTTPSEdgeRoute/shop:console',
    'HTTPSEdgeRoute/api:orders',
  ];
  const running = order.slice(done, done + 2);
  const toCome = order.slice(done + 2);
  const changes = order.map((address, at): RunningChange => ({
    address,
    action: at === 1 ? 'create' : 'update',
    progress: at < done ? 'done' : at < done + 2 ? 'running' : 'to-do',
  }));
  return statusSince(noon - 4 * second, {
    ...allWell,
    resources: stand(company, [
      ...running.map((one) => [one, 'applying'] as const),
      ...toCome.map((one) => [one, 'out-of-sync'] as const),
    ]),
    applied: earlier,
    history: historySince(18 * minute).slice(1),
    applying: {
      startedAt: noon - 4 * second,
      trigger: 'revision',
      revision,
      digest: digestFrom('77ab01e2'),
      approvals: [],
      total: order.length,
      done,
      changes,
    },
  });
}

const came = { cause: 'revision', introduced: { revision, isExact: true } } as const;

/** What `awaiting` asks to approve. */
export const awaitedDigest = digestFrom('91b2cc04');

const partners = Array.from({ length: 20 }, (_, at) => `ip_restriction.rules.${String(at)}: 192.0.2.${String(at)}/32`);

const gone: PendingChange = {
  address: 'ReservedAddr/mqtt-us',
  action: 'delete',
  reason: 'approval',
  message: '1 deletion in one plan: policy.max_deletes allows 0',
  cause: 'removal',
  introduced: { revision, isExact: true },
  hazards: [
    {
      code: 'LOSES_ADDRESS',
      address: 'ReservedAddr/mqtt-us',
      message: 'mqtt-us.example.com:1883 is lost; a deleted address cannot be recovered',
    },
  ],
  details: 'not in the manifests\n- description: "MQTT, America"\n- region: us\n- addr: mqtt-us.example.com:1883',
  fields: [],
  since: noon - 26 * minute,
};

/** Changes that wait: for a person, and for each other. */
export const awaiting = statusSince(noon - 26 * minute, {
  ...allWell,
  applied: earlier,
  approvalWays: ['page', 'commit'],
  refusedApproval: 'commit 4f2d1c8a90b3 does not approve these changes: the commit has no SSH signature',
  lastSuccess: noon - 3 * hour,
  history: historySince(3 * hour),
  resources: stand(company, [
    ['ReservedAddr/mqtt-us', 'pending', 'not in the manifests; its deletion is pending approval'],
    ['HTTPSEdge/api', 'pending', 'opens access; pending approval'],
    ['HTTPSEdgeRoute/api:partners', 'pending', 'depends on HTTPSEdge/api'],
    ['AgentIngress/office', 'pending', 'protected; it would be replaced'],
  ]),
  pending: [
    gone,
    {
      address: 'HTTPSEdge/api',
      action: 'update',
      reason: 'approval',
      message: 'OPENS_ACCESS: requests to https://api.example.com/… are no longer subject to `mutual_tls`',
      hazardCode: 'OPENS_ACCESS',
      ...came,
      hazards: [
        {
          code: 'OPENS_ACCESS',
          address: 'HTTPSEdge/api',
          message: 'requests to https://api.example.com/… are no longer subject to `mutual_tls`',
        },
      ],
      details: 'mutual_tls: CertificateAuthority/partners-2026 -> (not set)  (manifest changed)',
      fields: [{ pointer: '/mutual_tls', desired: '(not set)', actual: 'CertificateAuthority/partners-2026' }],
      since: noon - 26 * minute,
    },
    {
      address: 'AgentIngress/office',
      action: 'replace-delete-first',
      reason: 'protected',
      message: 'it is protected; set `lifecycle: {protect: false}` and apply that first',
      cause: 'revision',
      introduced: { revision: earlier, isExact: true },
      hazards: [],
      details: 'domain: office.example.com -> hq.example.com  (manifest changed; cannot change in place)',
      fields: [{ pointer: '/domain', desired: 'hq.example.com', actual: 'office.example.com' }],
      since: noon - 3 * hour,
    },
    {
      address: 'HTTPSEdgeRoute/api:partners',
      action: 'update',
      reason: 'dependency',
      message: 'depends on HTTPSEdge/api, which is pending itself',
      ...came,
      hazards: [],
      details: partners.map((one) => `+ ${one}`).join('\n'),
      fields: [],
      since: noon - 26 * minute,
    },
  ],
  awaited: { digest: awaitedDigest, plan },
});

/** Broken manifests, a service that refuses, and others who undo what sluice does. */
export const inTrouble = statusSince(noon - 7 * minute, {
  ...allWell,
  lastSuccess: noon - 6 * hour,
  history: historySince(6 * hour),
  revision: {
    ...revision,
    content: 'e01f55aa9c21',
    commit: 'c0ffee1288a9b3e5d7f6a1c2b3d4e5f60718293a',
    subject: 'shop: a second domain',
  },
  resources: stand(company, [
    ['HTTPSEdgeRoute/api:partners', 'failed', 'the service returned 422: unknown signer'],
    ['HTTPSEdgeRoute/shop:console', 'drift-conflict', 'drift conflict on /oauth/session_lifetime'],
    ['HTTPSEdge/shop', 'drifted', 'description: "Public shop (test)" is not what the manifests say'],
  ]),
  pending: [
    {
      address: 'HTTPSEdgeRoute/api:partners',
      action: 'update',
      reason: 'refused',
      message: 'PATCH /edges/https/edghts_2x/routes/edghtsrt_9k returned 422: unknown signer',
      hazards: [],
      cause: 'revision',
      introduced: { revision: earlier, isExact: true },
      details: 'webhook_verification.provider: github -> gitlab  (manifest changed)',
      fields: [{ pointer: '/webhook_verification/provider', desired: 'gitlab', actual: 'github' }],
      since: noon - 50 * minute,
      until: noon + 8 * minute,
    },
    {
      address: 'HTTPSEdge/shop',
      action: 'update',
      reason: 'invalid-manifest',
      message: 'unknown field `hostport` in HTTPSEdge.spec',
      hazards: [],
      details: '',
      fields: [],
      since: noon - 7 * minute,
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
  failures: [
    {
      scope: 'HTTPSEdgeRoute/api:partners',
      code: 'INVALID',
      message: 'PATCH /edges/https/edghts_2x/routes/edghtsrt_9k returned 422: unknown signer',
      hint: 'the manifest is manifests/api.yaml:25',
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
});

/** 300 resources, of which some drifted, some are applied and one failed. */
export const large = statusSince(noon - 4 * second, {
  ...allWell,
  ...largeAccount(),
  pending: awaiting.pending.slice(1, 2).map((one) => ({ ...one, address: 'HTTPSEdge/team-31', hazards: [] })),
  awaited: { digest: digestFrom('0d44e1f7'), plan },
});

/** 10,000 resources: some drifted, 300 changes with long differences wait for an approval, and long applies have run. */
export const huge = statusSince(noon - 26 * minute, {
  ...allWell,
  resources: hugeAccount().map((one, at) =>
    one.syncStatus === 'in-sync' && at % 33 === 0
      ? { ...one, syncStatus: 'pending', note: 'its deletion is pending approval' }
      : one,
  ),
  history: Array.from({ length: 50 }, (_, at) => ({
    ...applied((at + 1) * hour),
    plan: Array.from({ length: 800 }, (_, line) => `  ~ HTTPSEdge/team-${String(line)}: description changed`).join(
      '\n',
    ),
  })),
  pending: hugeAccount()
    .filter((_, at) => at % 33 === 0)
    .map(({ address }) => ({
      ...gone,
      address,
      introduced: { revision, isExact: false },
      hazards: [],
      details: Array.from({ length: 120 }, (_, at) => `- rule ${String(at)}: 192.0.2.${String(at)}/32`).join('\n'),
    })),
  awaited: { digest: digestFrom('0d44e1f7'), plan: plan.repeat(100) },
  exposure: {
    rows: hugeAccount().flatMap(({ address, kind }, at) =>
      kind === 'HTTPSEdgeRoute'
        ? [
            {
              audience: at % 4 === 0 ? ('public' as const) : ('restricted' as const),
              who: at % 4 === 0 ? 'anyone' : `authentication (group ${String(at % 90)})`,
              urls: [`https://host-${String(at)}.example.com/…`],
              edge: address,
              route: address,
            },
          ]
        : [],
    ),
    variants: [],
  },
});

/** Another replica leads. */
export const standingBy = statusSince(noon - hour, {
  ...allWell,
  role: 'standby',
  leader: 'sluice-7d9f (pid 1)',
  leaderUrl: 'http://10.1.2.3:9470/',
  resources: company.map((one) => ({ ...one, syncStatus: 'unknown' })),
  history: [],
});

/** Somebody said: not now. */
export const paused = statusSince(noon - hour, {
  ...allWell,
  role: 'paused',
  history: historySince(2 * hour),
  nextRefresh: noon - hour + 4 * minute,
  lastRefresh: noon - hour,
  lastSuccess: noon - hour,
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
        'access rule admin (set by the operator) is broken: GET https://shop.example.com/console/x reaches HTTPSEdgeRoute/shop:console without authentication of named users',
      place: { file: 'manifests/shop.yaml', line: 14, col: 7 },
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
};
