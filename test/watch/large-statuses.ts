import type { AccessComparison } from '../../src/model/exposure/access-comparison.ts';
import type { PendingChange } from '../../src/model/status/watch-status.ts';
import { byHand } from './asking-statuses.ts';
import { allWell, applied, awaitedOf, earlier, historySince, revision, statusSince } from './calm-status.ts';
import { hour, hugeAccount, largeAccount, largeApply, minute, noon, second, standing } from './company.ts';
import { approvalPlan, gone, opened, openText } from './waiting-statuses.ts';

const ofLarge: readonly PendingChange[] = [
  byHand('HTTPSEdge/team-03', '/description', 'Team 3', 'Team 3 (test)'),
  byHand('HTTPSEdge/team-22', '/description', 'Team 22', 'by hand'),
  byHand('ReservedAddr/team-22-mqtt', '/description', 'MQTT of team 22', 'by hand'),
  {
    ...opened,
    address: 'HTTPSEdge/team-31',
    hazards: [{ code: 'OPENS_ACCESS', address: 'HTTPSEdge/team-31', message: openText }],
  },
];

/** 300 resources, of which some drifted, some are applied and one waits for approval. */
export const large = statusSince(
  noon - 6 * second,
  {
    ...allWell,
    applied: earlier,
    history: historySince(5 * hour),
    resources: standing(largeAccount(), { pending: ofLarge, changes: largeApply.changes }),
    pending: ofLarge,
    awaited: awaitedOf(ofLarge, '0d44e1f7', approvalPlan),
    applying: largeApply,
  },
  [
    noon - 35 * minute,
    { resources: standing(largeAccount(), { pending: ofLarge.slice(0, 3) }), pending: ofLarge.slice(0, 3) },
  ],
);

const deleted = hugeAccount().filter(({ kind }, at) => at % 33 === 0 && kind !== 'CertificateAuthority');

const deletions = deleted.map(({ address, kind }): PendingChange => ({
  ...gone,
  address,
  introduced: { revision, isExact: false },
  hazards: kind === 'ReservedAddr' ? [{ code: 'LOSES_ADDRESS', address, message: `${address} is lost` }] : [],
  message: `${String(deleted.length)} deletions in one plan: policy.max_deletes allows none`,
  details: Array.from({ length: 120 }, (_, at) => `- rule ${String(at)}: 192.0.2.${String(at)}/32`).join('\n'),
}));

const goneWithThem: AccessComparison = {
  rows: [
    {
      effect: 'gone',
      urls: deleted.flatMap(({ kind }, at) =>
        kind === 'HTTPSEdgeRoute' ? [`https://host-${String(at)}.example.com/…`] : [],
      ),
      total: deleted.filter(({ kind }) => kind === 'HTTPSEdgeRoute').length,
      now: { audience: 'restricted', who: 'authentication (group staff)' },
      after: { audience: 'nobody', who: 'nobody' },
    },
  ],
  omitted: 0,
};

const deletionPlan = `sluice will make ${String(deletions.length)} changes to company

${deletions.map(({ address }) => `  - ${address.padEnd(44)} not in the manifests`).join('\n')}

${String(deletions.length)} to delete; ${String(deletions.length)} API requests.
`;

const byOthers = hugeAccount()
  .filter(({ kind }, at) => at % 85 === 36 && at % 33 !== 0 && kind === 'HTTPSEdgeRoute')
  .map(({ address }) => byHand(address, '/compression', 'on', 'off'));

const ofHuge = [...deletions.map(({ hazardCode: _, ...one }) => one), ...byOthers];

/** 10,000 resources: some drifted, 300 changes with long differences wait for an approval, and long applies have run. */
export const huge = statusSince(
  noon - 26 * minute,
  {
    ...allWell,
    applied: earlier,
    resources: standing(hugeAccount(), { pending: ofHuge }),
    history: Array.from({ length: 50 }, (_, at) => ({
      ...applied((at + 1) * hour, { revision: earlier }),
      plan: Array.from({ length: 800 }, (_, line) => `  ~ HTTPSEdge/team-${String(line)}: description changed`).join(
        '\n',
      ),
    })),
    pending: ofHuge,
    awaited: { ...awaitedOf(ofHuge, '0d44e1f7', deletionPlan), access: goneWithThem },
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
  },
  [noon - 35 * minute, { resources: standing(hugeAccount(), { pending: byOthers }), pending: byOthers }],
);
