import type { ApplyRecord, WatchStatus } from '../../src/model/watch-status.ts';
import { conditionsOf } from '../../src/watch/status/conditions.ts';
import { company, day, hour, minute, noon, second } from './company.ts';

/** The revision of the made-up statuses. */
export const revision = {
  content: '5c1e7a90d2b4',
  commit: '4f2d1c8a9b3e5d7f6a1c2b3d4e5f60718293a4b5',
  branch: 'main',
  subject: 'shop: let the Dutch branch in',
};

/** The one before. */
export const earlier = {
  ...revision,
  commit: 'b81e00dd4f2d1c8a9b3e5d7f6a1c2b3d4e5f6071',
  subject: 'api: partners sign their requests',
};

/** A digest that begins so, as long as real ones. */
export const digestFrom = (start: string): string => `sha256:${start.repeat(8)}`;

/** A plan of theirs. */
export const plan = `sluice will make 2 changes to company

  ~ HTTPSEdgeRoute/shop:console                  manifests/shop.yaml:30
      oauth.provider.google.email_domains
        + example.nl
      manifest changed

  ~ HTTPSEdge/shop                               manifests/shop.yaml:1
      description   "Public shop" → "Public shop, now in Dutch too"
      manifest changed

2 to update; 2 API requests.
`;

/** An apply that ended so long ago. */
export function applied(ago: number, facts: Partial<ApplyRecord> = {}): ApplyRecord {
  const startedAt = noon - ago;
  return {
    startedAt,
    finishedAt: startedAt + 3 * second,
    trigger: 'revision',
    revision,
    digest: digestFrom('5c1e7a90'),
    approvals: [],
    outcome: [
      { address: 'HTTPSEdgeRoute/shop:console', action: 'update', ending: 'done' },
      { address: 'HTTPSEdge/shop', action: 'update', ending: 'done' },
    ],
    requests: 2,
    plan,
    ...facts,
  };
}

/** The last applies, the newest so long ago. */
export const historySince = (ago: number): readonly ApplyRecord[] => [
  applied(ago),
  applied(ago + 5 * hour, {
    trigger: 'drift',
    digest: digestFrom('91b2cc04'),
    revision: earlier,
    outcome: [{ address: 'ReservedAddr/mqtt-eu', action: 'update', ending: 'done' }],
    requests: 1,
    plan: '  ~ ReservedAddr/mqtt-eu\n      description   "by hand" → "MQTT, Europe"\n      drift\n\n1 to update; 1 API request.\n',
  }),
  applied(ago + 2 * day, {
    digest: digestFrom('0d44e1f7'),
    revision: earlier,
    outcome: [
      {
        address: 'HTTPSEdgeRoute/api:partners',
        action: 'update',
        ending: 'failed',
        message: 'the service answered 422: unknown signer',
        code: 'INVALID',
        status: 422,
      },
      { address: 'HTTPSEdgeRoute/api:orders', action: 'create', ending: 'done' },
    ],
  }),
];

/** A status with the conditions that a watch derives from its facts, all since then. */
export function statusSince(since: number, facts: Omit<WatchStatus, 'conditions'>): WatchStatus {
  return { ...facts, conditions: conditionsOf(facts, []).map((one) => ({ ...one, since })) };
}

/** Everything is as it should be. */
export const allWell = statusSince(noon - 17 * minute, {
  stack: { name: 'company', id: '5c1e7a90' },
  version: '0.1.0',
  startedAt: noon - 9 * day,
  now: noon,
  role: 'leader',
  revision,
  lastGood: revision,
  observed: revision,
  applied: revision,
  resources: company,
  pending: [],
  history: historySince(18 * minute),
  driftConflicts: [],
  exposures: [],
  ruleBreaches: [],
  approvalWays: [],
  failures: [],
  diagnostics: [],
  lastRefresh: noon - 40 * second,
  lastSuccess: noon - 40 * second,
  nextRefresh: noon + 4 * minute,
  dueBy: noon + 6 * minute,
});
