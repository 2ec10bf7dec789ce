import type { Revision, SyncStatus, PendingChange, WatchRole, WatchStatus } from '../../model/watch-status.ts';
import type { Labels, Metric, Sample } from './exposition.ts';

// Every value a label may take is listed, so that a gauge falls to 0 and does not vanish.
const standings: readonly SyncStatus[] = [
  'unknown',
  'in-sync',
  'changing',
  'applying',
  'drifted',
  'waiting',
  'fight',
  'failed',
];
const roles: readonly WatchRole[] = ['leading', 'standing-by', 'paused', 'stopping'];
const reasons: readonly PendingChange['for'][] = [
  'approval',
  'protected',
  'switch',
  'retry',
  'fight',
  'resolve',
  'another',
  'manifest',
];

// Names of resources are the one label that users choose: so many of them, those that end first.
const mostExpiring = 50;
const day = 86_400_000;

/** What a status says, as gauges. */
export function statusGauges(status: WatchStatus): readonly Metric[] {
  const { resources, now, applying, history, pause } = status;
  const kinds = [...new Set(resources.map(({ kind }) => kind))].sort();
  const expiring = resources
    .flatMap(({ address, expiresAt }) => (expiresAt === undefined ? [] : [{ address, expiresAt }]))
    .sort((a, b) => a.expiresAt - b.expiresAt);
  const last = history[0];
  const amount = (kind: string, standing: SyncStatus): number =>
    resources.filter((one) => one.kind === kind && one.standing === standing).length;
  return [
    gauge('sluice_build_info', 'The version that runs.', [
      { labels: { version: status.version, node: process.version }, value: 1 },
    ]),
    gauge('sluice_stack_info', 'The stack that is kept.', [
      { labels: { stack: status.stack.name, id: status.stack.id }, value: 1 },
    ]),
    gauge(
      'sluice_leader',
      'Whether this process is the one that acts.',
      flag(status.role === 'leading' || status.role === 'paused'),
    ),
    gauge(
      'sluice_role',
      'The role of this process; the one that holds is 1.',
      roles.map((role) => ({ labels: { role }, value: Number(status.role === role) })),
    ),
    gauge('sluice_paused', 'Whether it is paused.', flag(pause !== undefined)),
    gauge(
      'sluice_condition',
      'Conditions; 1 where one holds.',
      status.conditions.map((one) => ({ labels: { type: one.type }, value: Number(one.status) })),
    ),
    gauge(
      'sluice_condition_since_timestamp_seconds',
      'Since when a condition has been as it is.',
      status.conditions.map((one) => ({ labels: { type: one.type }, value: one.since / 1000 })),
    ),
    gauge(
      'sluice_last_success_timestamp_seconds',
      'When all was last found or made as the manifests say.',
      moment(status.lastSuccess),
    ),
    gauge(
      'sluice_last_look_timestamp_seconds',
      'When the account was last looked at as a whole.',
      moment(status.looked),
    ),
    gauge('sluice_next_look_timestamp_seconds', 'When it is looked at next.', moment(status.next)),
    gauge('sluice_revision_info', 'The manifests as last read, and those in force.', [
      ...revisionInfo('read', status.revision),
      ...revisionInfo('in_force', status.inForce),
    ]),
    gauge(
      'sluice_manifest_errors',
      'Errors in the manifests as last read.',
      one(status.diagnostics.filter(({ severity }) => severity === 'error').length),
    ),
    gauge(
      'sluice_resources',
      'Resources by kind and by how they stand.',
      kinds.flatMap((kind) =>
        standings.map((standing) => ({ labels: { kind, standing }, value: amount(kind, standing) })),
      ),
    ),
    gauge(
      'sluice_drifted_resources',
      'Resources that others changed, by kind.',
      kinds.map((kind) => ({ labels: { kind }, value: amount(kind, 'drifted') + amount(kind, 'fight') })),
    ),
    gauge(
      'sluice_waiting_changes',
      'Changes that are not made yet, by what they wait for.',
      reasons.map((reason) => ({
        labels: { reason },
        value: status.waiting.filter((waiting) => waiting.for === reason).length,
      })),
    ),
    gauge(
      'sluice_pending_approvals',
      'Changes that wait for `sluice approve`.',
      one(status.waiting.filter((waiting) => waiting.for === 'approval').length),
    ),
    gauge(
      'sluice_fights',
      'Fields that others put back as often as sluice puts them right.',
      one(status.fights.length),
    ),
    gauge(
      'sluice_troubles',
      'What is tried again after it went wrong, by what it is.',
      ['manifests', 'account', 'resource'].map((cause) => ({
        labels: { cause },
        value: status.troubles.filter((trouble) => causeOf(trouble.cause) === cause).length,
      })),
    ),
    gauge('sluice_applying_changes', 'Changes of the apply that runs.', one(applying?.total ?? 0)),
    gauge('sluice_applying_changes_done', 'Those of them that are over.', one(applying?.done ?? 0)),
    gauge('sluice_last_apply_timestamp_seconds', 'When the last apply ended.', moment(last?.ended)),
    gauge(
      'sluice_last_apply_duration_seconds',
      'How long it took.',
      last === undefined ? [] : one((last.ended - last.began) / 1000),
    ),
    gauge(
      'sluice_expiry_days',
      `Days until what was issued ends, of the ${mostExpiring} that end first.`,
      expiring.slice(0, mostExpiring).map(({ address, expiresAt }) => ({
        labels: { address },
        value: Math.round(((expiresAt - now) / day) * 100) / 100,
      })),
    ),
    gauge('sluice_expiring_resources', 'Resources that end at a known time.', one(expiring.length)),
  ];
}

function gauge(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, help, type: 'gauge', samples };
}

function one(value: number): readonly Sample[] {
  return [{ value }];
}

function flag(holds: boolean): readonly Sample[] {
  return one(Number(holds));
}

function moment(time: number | undefined): readonly Sample[] {
  return time === undefined ? [] : one(time / 1000);
}

function revisionInfo(which: string, revision: Revision | undefined): readonly Sample[] {
  if (revision === undefined) return [];
  const { content, commit = '', branch = '' } = revision;
  const labels: Labels = { which, content, commit, branch };
  return [{ labels, value: 1 }];
}

function causeOf(cause: string): string {
  return cause === 'manifests' || cause === 'account' ? cause : 'resource';
}
