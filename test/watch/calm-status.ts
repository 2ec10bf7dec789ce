import { splitAddress } from '../../src/model/address.ts';
import type {
  ApplyRecord,
  AwaitedApproval,
  Condition,
  PendingChange,
  WatchStatus,
} from '../../src/model/status/watch-status.ts';
import { approvalSummary } from '../../src/render/plan/approval-summary.ts';
import { conditionsOf } from '../../src/watch/status/conditions.ts';
import { company, day, hour, minute, noon, second, standing } from './company.ts';

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

/** The one before that. */
export const oldest = {
  ...revision,
  commit: 'a7c9e03d4f2d1c8a9b3e5d7f6a1c2b3d4e5f6072',
  subject: 'audit: keep events for a year',
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

/** What is asked to be approved: the pending changes that need it, and the pending changes that only wait for those. */
export function awaitedOf(
  pending: readonly PendingChange[],
  start: string,
  text: string,
  follows: readonly string[] = [],
): AwaitedApproval {
  const changes = pending.filter(({ reason }) => reason === 'approval');
  return {
    digest: digestFrom(start),
    plan: text,
    summary: approvalSummary({
      changes: changes.map(({ action, address }) => ({ action, kind: splitAddress(address).kind })),
      hazards: changes.flatMap(({ hazards }) => hazards),
    }),
    follows: pending.flatMap(({ action, address }) => (follows.includes(address) ? [{ action, address }] : [])),
  };
}

/** The last applies, the newest so long ago. */
export const historySince = (ago: number, latest = earlier): readonly ApplyRecord[] => [
  applied(ago, { revision: latest }),
  applied(ago + 5 * hour, {
    trigger: 'drift',
    digest: digestFrom('91b2cc04'),
    revision: latest === revision ? earlier : oldest,
    outcome: [{ address: 'ReservedAddr/mqtt-eu', action: 'update', ending: 'done' }],
    requests: 1,
    plan: '  ~ ReservedAddr/mqtt-eu\n      description   "by hand" → "MQTT, Europe"\n      drift\n\n1 to update; 1 API request.\n',
  }),
  applied(ago + 2 * day, {
    digest: digestFrom('0d44e1f7'),
    revision: oldest,
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

const changing = standing(company, { changes: [{ address: 'HTTPSEdge/shop', action: 'update', progress: 'to-do' }] });

type Facts = Omit<WatchStatus, 'conditions' | 'lastSuccess'>;

/**
 * A status as a watch comes to it: in sync since it started, but for its last apply and what was `earlier`, and with these facts since
 * a moment. Conditions and the last success are those that the watch derives.
 */
export function statusSince(
  since: number,
  facts: Facts,
  ...earlier: readonly (readonly [at: number, facts: Partial<Facts>])[]
): WatchStatus {
  const [last] = facts.history;
  const phases: (readonly [number, Partial<Facts>])[] = [[facts.startedAt, {}]];
  if (last !== undefined) phases.push([last.startedAt, { resources: changing }], [last.finishedAt, {}]);
  const conditions = [...phases, ...earlier, [since, facts] as const].reduce<readonly Condition[]>(
    (before, [now, then]) => conditionsOf({ ...calm, ...then, now }, before),
    [],
  );
  const ready = conditions.find(({ type }) => type === 'Ready');
  const lastSuccess = ready?.status === 'True' ? facts.lastRefresh : ready?.since;
  return { ...facts, conditions, ...(lastSuccess === undefined ? {} : { lastSuccess }) };
}

const calm: Facts = {
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
  history: historySince(18 * minute, revision),
  driftConflicts: [],
  exposures: [],
  ruleBreaches: [],
  approvalWays: [],
  failures: [],
  diagnostics: [],
  lastRefresh: noon - 40 * second,
  nextRefresh: noon + 4 * minute,
  dueBy: noon + 6 * minute,
};

/** Everything is as it should be. */
export const allWell = statusSince(noon - 18 * minute, calm);
