import { groupBy } from '../../model/group-by.ts';
import { failedClass, failedClasses } from '../../model/status/failed-subject.ts';
import {
  syncStatuses,
  type Revision,
  type SyncStatus,
  pendingReasons,
  watchRoles,
  type WatchStatus,
} from '../../model/status/watch-status.ts';
import { runningProgress } from '../../render/status/status-activity.ts';
import { type Labels, type Metric, type Sample, gauge } from './exposition.ts';

// Resource names are the only unbounded label, so only those that expire first are listed.
const mostExpiring = 50;
const day = 86_400_000;

/** The gauges of a status. Every value of a label is listed, so that a gauge falls to 0 and does not disappear. */
export function statusGauges(status: WatchStatus): readonly Metric[] {
  const { resources, now, applying, history, pause } = status;
  const kinds = [...new Set(resources.map(({ kind }) => kind))].sort();
  const expiring = resources
    .flatMap(({ address, expiresAt }) => (expiresAt === undefined ? [] : [{ address, expiresAt }]))
    .sort((a, b) => a.expiresAt - b.expiresAt);
  const last = history[0];
  const lastMs = last && last.finishedAt - last.startedAt;
  const errors = status.diagnostics.filter(({ severity }) => severity === 'error');
  const pendingFor = (reason: string): number => status.pending.filter((one) => one.reason === reason).length;
  const progress = applying === undefined ? undefined : runningProgress(applying);
  const amounts = groupBy(resources, ({ kind, syncStatus }) => `${kind} ${syncStatus}`);
  const amount = (kind: string, status: SyncStatus): number => amounts.get(`${kind} ${status}`)?.length ?? 0;
  return [
    gauge('sluice_build_info', 'Version of sluice and of Node.js.', [
      { labels: { version: status.version, node: process.version }, value: 1 },
    ]),
    gauge('sluice_stack_info', 'Name and id of the stack.', [{ labels: { id: status.stack.id }, value: 1 }]),
    gauge(
      'sluice_leader',
      '1 if this process is the leader or paused: during a pause, no process has the lock. `sluice_role` tells them apart.',
      status.role === 'leader' || status.role === 'paused',
    ),
    gauge(
      'sluice_role',
      'Role of this process: 1 for its current role, 0 for the other roles.',
      watchRoles.map((role) => ({ labels: { role }, value: Number(status.role === role) })),
    ),
    gauge('sluice_paused', '1 if reconciliation is paused.', pause !== undefined),
    gauge(
      'sluice_condition',
      'Status conditions; 1 if true.',
      status.conditions.map((one) => ({ labels: { type: one.type }, value: Number(one.status === 'True') })),
    ),
    gauge(
      'sluice_condition_since_timestamp_seconds',
      'Time of the last transition of a condition.',
      status.conditions.map((one) => ({ labels: { type: one.type }, value: one.since / 1000 })),
    ),
    gauge(
      'sluice_last_success_timestamp_seconds',
      'Last time at which all resources were in sync.',
      seconds(status.lastSuccess),
    ),
    gauge(
      'sluice_last_refresh_timestamp_seconds',
      'Time of the last complete refresh of the account.',
      seconds(status.lastRefresh),
    ),
    gauge('sluice_next_refresh_timestamp_seconds', 'Time of the next scheduled refresh.', seconds(status.nextRefresh)),
    gauge(
      'sluice_revision_info',
      'Revisions of the manifests: `current`, loaded last; `last_good`, the last without errors, if that is another; `observed`, last compared with the account; `applied`, last applied completely.',
      [
        ...revisionInfo('current', status.revision),
        ...revisionInfo('last_good', status.lastGood),
        ...revisionInfo('observed', status.observed),
        ...revisionInfo('applied', status.applied),
      ],
    ),
    gauge('sluice_manifest_errors', 'Errors in the manifests.', errors.length),
    gauge(
      'sluice_resources',
      'Resources, by kind and sync status.',
      kinds.flatMap((kind) =>
        syncStatuses.map((status) => ({ labels: { kind, sync_status: status }, value: amount(kind, status) })),
      ),
    ),
    gauge(
      'sluice_drifted_resources',
      'Drifted resources, by kind.',
      kinds.map((kind) => ({ labels: { kind }, value: amount(kind, 'drifted') + amount(kind, 'drift-conflict') })),
    ),
    gauge(
      'sluice_pending_changes',
      'Changes that are not applied yet, by reason.',
      pendingReasons.map((reason) => ({ labels: { reason }, value: pendingFor(reason) })),
    ),
    gauge('sluice_pending_approvals', 'Changes that require approval (`sluice approve`).', pendingFor('approval')),
    gauge(
      'sluice_exposed_urls',
      'URLs that anyone can reach and that are not meant to be public.',
      status.exposures.reduce((sum, { urls }) => sum + urls.length, 0),
    ),
    gauge(
      'sluice_access_rule_breaches',
      'Routes that break an access rule now; a route that breaks two rules counts twice.',
      status.ruleBreaches.length,
    ),
    gauge('sluice_drift_conflicts', 'Fields that another client keeps reverting.', status.driftConflicts.length),
    gauge(
      'sluice_failures',
      'Current failures, by scope; sluice retries each of them.',
      failedClasses.map((scope) => ({
        labels: { scope },
        value: status.failures.filter((failure) => failedClass(failure) === scope).length,
      })),
    ),
    gauge('sluice_applying_changes', 'Changes in the running apply.', progress?.total ?? 0),
    gauge('sluice_applying_changes_done', 'Changes of the running apply that are done.', progress?.done ?? 0),
    gauge('sluice_applying_changes_failed', 'Changes of the running apply that failed.', progress?.failed ?? 0),
    gauge('sluice_last_apply_timestamp_seconds', 'Time at which the last apply ended.', seconds(last?.finishedAt)),
    gauge('sluice_last_apply_duration_seconds', 'Duration of the last apply.', seconds(lastMs)),
    gauge(
      'sluice_expiry_days',
      `Days until the resource expires. Reported only for the ${mostExpiring} resources that expire soonest.`,
      expiring.slice(0, mostExpiring).map(({ address, expiresAt }) => ({
        labels: { address },
        value: Math.round(((expiresAt - now) / day) * 100) / 100,
      })),
    ),
    gauge('sluice_expiring_resources', 'Resources with an expiry time.', expiring.length),
  ];
}

function seconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1000;
}

function revisionInfo(version: string, revision: Revision | undefined): readonly Sample[] {
  if (revision === undefined) return [];
  const { content, commit = '', branch = '' } = revision;
  const labels: Labels = { version, content, commit, branch };
  return [{ labels, value: 1 }];
}
