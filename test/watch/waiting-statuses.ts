import type { AccessComparison } from '../../src/model/exposure/access-comparison.ts';
import type { ExposureMap } from '../../src/model/exposure/exposed-urls.ts';
import type { PendingChange } from '../../src/model/status/watch-status.ts';
import { allWell, awaitedOf, digestFrom, earlier, historySince, oldest, revision, statusSince } from './calm-status.ts';
import { company, hour, minute, noon, resource, standing } from './company.ts';

/** The plan of what `awaiting` asks to approve. */
export const approvalPlan = `sluice will make 2 changes to company

! OPENS_ACCESS  HTTPSEdge/api: requests to https://api.example.com/… are no longer subject to \`mutual_tls\`
! LOSES_ADDRESS  ReservedAddr/mqtt-us: mqtt-us.example.com:1883 is lost; a deleted address cannot be recovered

  ~ HTTPSEdge/api                                manifests/api.yaml:1
      mutual_tls: CertificateAuthority/partners-2025 -> (not set)
      manifest changed

  - ReservedAddr/mqtt-us                         not in the manifests

1 to update, 1 to delete; 2 API requests.
`;

/** What `awaiting` asks to approve. */
export const awaitedDigest = digestFrom('91b2cc04');

const lost = 'mqtt-us.example.com:1883 is lost; a deleted address cannot be recovered';

/** An address that is deleted. */
export const gone: PendingChange = {
  address: 'ReservedAddr/mqtt-us',
  action: 'delete',
  reason: 'approval',
  message: `LOSES_ADDRESS: ${lost}`,
  hazardCode: 'LOSES_ADDRESS',
  cause: 'removal',
  introduced: { revision, isExact: true },
  hazards: [{ code: 'LOSES_ADDRESS', address: 'ReservedAddr/mqtt-us', message: lost }],
  details: 'not in the manifests\n- description: "MQTT, America"\n- region: us\n- addr: mqtt-us.example.com:1883',
  fields: [],
  since: noon - 26 * minute,
};

/** What the hazard of that says. */
export const openText = 'requests to https://api.example.com/… are no longer subject to `mutual_tls`';

/** An edge that no longer asks for client certificates. */
export const opened: PendingChange = {
  address: 'HTTPSEdge/api',
  action: 'update',
  reason: 'approval',
  message: `OPENS_ACCESS: ${openText}`,
  hazardCode: 'OPENS_ACCESS',
  cause: 'revision',
  introduced: { revision, isExact: true },
  hazards: [{ code: 'OPENS_ACCESS', address: 'HTTPSEdge/api', message: openText }],
  details: 'mutual_tls: CertificateAuthority/partners-2025 -> (not set)  (manifest changed)',
  fields: [{ pointer: '/mutual_tls', desired: '(not set)', actual: 'CertificateAuthority/partners-2025' }],
  since: noon - 26 * minute,
};

const office: PendingChange = {
  address: 'AgentIngress/office',
  action: 'replace-delete-first',
  reason: 'protected',
  message: 'the resource is protected; to delete or replace it, first set `lifecycle: {protect: false}` and apply',
  cause: 'revision',
  introduced: { revision: earlier, isExact: true },
  hazards: [],
  details: 'domain: office.example.com -> hq.example.com  (manifest changed; cannot change in place)',
  fields: [{ pointer: '/domain', desired: 'hq.example.com', actual: 'office.example.com' }],
  since: noon - 3 * hour,
};

const pem = Array.from({ length: 18 }, (_, at) => `-   MIIB${String(at).padStart(2, '0')}…`);

const unused: PendingChange = {
  address: 'CertificateAuthority/partners-2025',
  action: 'delete',
  reason: 'dependency',
  waitsFor: 'HTTPSEdge/api',
  message: 'HTTPSEdge/api still depends on this resource',
  cause: 'removal',
  introduced: { revision, isExact: true },
  hazards: [],
  details: ['not in the manifests', '- ca_pem: |', ...pem].join('\n'),
  fields: [],
  since: noon - 26 * minute,
};

const partnersOnly = 'mutual TLS (CertificateAuthority/partners-2025) and authentication (group partners)';
const served = 'anyone, unless the endpoint configuration of the address restricts access';

/** Who can reach what `awaiting` asks about, now and after. */
export const compared: AccessComparison = {
  rows: [
    {
      effect: 'opened',
      urls: ['https://api.example.com/orders…', 'https://api.example.com/partners…'],
      total: 2,
      now: { audience: 'restricted', who: partnersOnly },
      after: { audience: 'restricted', who: 'authentication (group partners)' },
    },
    {
      effect: 'gone',
      urls: ['mqtt-us.example.com:1883'],
      total: 1,
      now: { audience: 'outside', who: served },
      after: { audience: 'nobody', who: 'nobody' },
    },
  ],
  omitted: 0,
};

const reachable: ExposureMap = {
  rows: [
    {
      audience: 'restricted',
      who: partnersOnly,
      urls: ['https://api.example.com/orders…', 'https://api.example.com/partners…'],
      edge: 'HTTPSEdge/api',
      route: 'HTTPSEdgeRoute/api:orders',
    },
  ],
  addresses: [
    { at: 'mqtt-eu.example.com:1883', resource: 'ReservedAddr/mqtt-eu', who: served },
    { at: 'mqtt-us.example.com:1883', resource: 'ReservedAddr/mqtt-us', who: served },
  ],
  variants: [],
};

const waiting = [office, unused, opened, gone];

const ofAwaiting = [...company, resource('CertificateAuthority/partners-2025')];

/** Changes that wait: for a person, and for each other. */
export const awaiting = statusSince(
  noon - 26 * minute,
  {
    ...allWell,
    applied: oldest,
    approvalWays: ['page', 'commit'],
    refusedApproval: 'commit 4f2d1c8a9b3e does not approve these changes: the commit has no SSH signature',
    history: historySince(3 * hour),
    resources: standing(ofAwaiting, { pending: waiting }),
    pending: waiting,
    awaited: { ...awaitedOf(waiting, '91b2cc04', approvalPlan, [unused.address]), access: compared },
    exposure: reachable,
  },
  [noon - 3 * hour, { resources: standing(ofAwaiting, { pending: [office] }), pending: [office] }],
);
