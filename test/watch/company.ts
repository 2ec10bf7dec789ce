import { splitAddress } from '../../src/model/address.ts';
import type {
  PendingChange,
  ResourceStatus,
  RunningApply,
  RunningChange,
  SyncStatus,
} from '../../src/model/status/watch-status.ts';
import { syncStatusOf } from '../../src/watch/decide/resource-statuses.ts';

/** The moment the made-up statuses tell of. */
export const noon = Date.UTC(2026, 2, 14, 12);

/** In milliseconds. */
export const second = 1_000;
/** In milliseconds. */
export const minute = 60 * second;
/** In milliseconds. */
export const hour = 60 * minute;
/** In milliseconds. */
export const day = 24 * hour;

/** A resource that stands as the manifests say, by default. */
export function resource(
  address: string,
  dependsOn: readonly string[] = [],
  facts: Partial<ResourceStatus> = {},
): ResourceStatus {
  return {
    address,
    kind: splitAddress(address).kind,
    syncStatus: 'in-sync',
    dependsOn,
    source: 'manifests/shop.yaml:1',
    ...facts,
  };
}

/** The company's account, all well. */
export const company: readonly ResourceStatus[] = [
  resource('CertificateAuthority/partners-2026', [], {
    source: 'manifests/partners.yaml:3',
    expiresAt: noon + 41 * day,
  }),
  resource('CertificateAuthority/office', [], { source: 'manifests/office.yaml:2', expiresAt: noon + 800 * day }),
  resource('ReservedAddr/mqtt-eu', [], { source: 'manifests/addresses.yaml:1' }),
  resource('ReservedAddr/mqtt-us', [], { source: 'manifests/addresses.yaml:9' }),
  resource('HTTPSEdge/shop', ['CertificateAuthority/partners-2026'], { source: 'manifests/shop.yaml:1' }),
  resource('HTTPSEdgeRoute/shop:storefront', ['HTTPSEdge/shop'], { source: 'manifests/shop.yaml:12' }),
  resource('HTTPSEdgeRoute/shop:checkout', ['HTTPSEdge/shop'], { source: 'manifests/shop.yaml:21' }),
  resource('HTTPSEdgeRoute/shop:console', ['HTTPSEdge/shop', 'CertificateAuthority/office'], {
    source: 'manifests/shop.yaml:30',
  }),
  resource('HTTPSEdge/api', ['CertificateAuthority/partners-2026', 'CertificateAuthority/office'], {
    source: 'manifests/api.yaml:1',
  }),
  resource('HTTPSEdgeRoute/api:orders', ['HTTPSEdge/api'], { source: 'manifests/api.yaml:14' }),
  resource('HTTPSEdgeRoute/api:partners', ['HTTPSEdge/api', 'CertificateAuthority/partners-2026'], {
    source: 'manifests/api.yaml:25',
  }),
  resource('AgentIngress/office', [], { source: 'manifests/office.yaml:9' }),
  resource('SSHHostCertificate/bastion', [], { source: 'manifests/office.yaml:20', expiresAt: noon + 12 * day }),
  resource('EventSubscription/audit', [], { source: 'manifests/audit.yaml:1' }),
];

/** What changes the statuses of resources. */
interface Standing {
  readonly pending?: readonly PendingChange[];
  readonly changes?: readonly RunningChange[];
}

const duringApply: Readonly<Record<RunningChange['progress'], SyncStatus>> = {
  failed: 'failed',
  skipped: 'out-of-sync',
  running: 'applying',
  'to-do': 'out-of-sync',
  done: 'in-sync',
};

/** The same resources as a watch finds them with these pending changes, while these are applied. */
export function standing(
  resources: readonly ResourceStatus[],
  { pending = [], changes = [] }: Standing,
): readonly ResourceStatus[] {
  const waits = new Map(pending.map((one) => [one.address, one]));
  const running = new Map(changes.map((one) => [one.address, duringApply[one.progress]]));
  return resources.map((one) => {
    const wait = waits.get(one.address);
    const syncStatus =
      wait === undefined ? running.get(one.address) : syncStatusOf(wait, { isDrifted: wait.cause === 'drift' });
    return syncStatus === undefined
      ? one
      : { ...one, syncStatus, ...(wait === undefined ? {} : { note: wait.message }) };
  });
}

/** An account of 300 resources. */
export function largeAccount(): readonly ResourceStatus[] {
  const teams = Array.from({ length: 50 }, (_, index) => `team-${String(index + 1).padStart(2, '0')}`);
  const shared = ['CertificateAuthority/staff', 'CertificateAuthority/partners', 'CertificateAuthority/devices'];
  return [
    ...shared.map((address) => resource(address)),
    ...teams.flatMap((team, index) => {
      const edge = `HTTPSEdge/${team}`;
      const authority = shared[index % 3] ?? '';
      return [
        resource(edge, index % 2 === 0 ? [authority] : []),
        ...['web', 'api', 'admin', 'hooks'].map((name) => resource(`HTTPSEdgeRoute/${team}:${name}`, [edge])),
      ];
    }),
    ...teams.slice(0, 47).map((team) => resource(`ReservedAddr/${team}-mqtt`)),
  ];
}

/** The apply that runs in it. */
export const largeApply: RunningApply = {
  startedAt: noon - 6 * second,
  trigger: 'revision',
  isRequested: true,
  digest: `sha256:${'77ab01e2'.repeat(8)}`,
  approvals: [],
  changes: [
    { address: 'HTTPSEdge/team-17', action: 'update', progress: 'done' },
    { address: 'HTTPSEdgeRoute/team-18:web', action: 'update', progress: 'done' },
    { address: 'HTTPSEdgeRoute/team-19:web', action: 'update', progress: 'done' },
    { address: 'HTTPSEdgeRoute/team-17:web', action: 'update', progress: 'running' },
    { address: 'HTTPSEdgeRoute/team-17:api', action: 'update', progress: 'running' },
    { address: 'HTTPSEdgeRoute/team-17:admin', action: 'create', progress: 'to-do' },
  ],
};

/** An account of 10,000 resources. */
export function hugeAccount(): readonly ResourceStatus[] {
  return Array.from({ length: 2_000 }, (_, team) => {
    const edge = `HTTPSEdge/team-${String(team + 1)}`;
    return [
      resource(edge, [`CertificateAuthority/authority-${String(team % 40)}`]),
      ...['web', 'api', 'admin'].map((name) => resource(`HTTPSEdgeRoute/team-${String(team + 1)}:${name}`, [edge])),
      team < 40
        ? resource(`CertificateAuthority/authority-${String(team)}`)
        : resource(`ReservedAddr/team-${String(team + 1)}-mqtt`),
    ];
  }).flat();
}
