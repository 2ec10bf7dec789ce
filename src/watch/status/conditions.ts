import { counted } from '../../diagnostics/counted.ts';
import { failedSubject } from '../../model/failed-subject.ts';
import { isRefusedByService, stuckFailures } from '../../model/stuck-failure.ts';
import type { Condition, WatchStatus } from '../../model/watch-status.ts';
import { runningProgress, runningProgressText } from '../../render/status/running-progress.ts';

type Facts = Omit<WatchStatus, 'conditions'>;

type Finding = Omit<Condition, 'type' | 'since'>;

/** The three conditions of a watch. As in Kubernetes, the time of one is that of its status, whatever the reason. */
export function conditionsOf(facts: Facts, before: readonly Condition[]): Condition[] {
  const found = { Ready: ready(facts), Reconciling: reconciling(facts), Stalled: stalled(facts) };
  return (['Ready', 'Reconciling', 'Stalled'] as const).map((type) => {
    const finding = found[type];
    const earlier = before.find((condition) => condition.type === type);
    return { type, ...finding, since: earlier?.status === finding.status ? earlier.since : facts.now };
  });
}

function ready(facts: Facts): Finding {
  const { role, resources, failures, diagnostics, lastRefresh, pending } = facts;
  if (role === 'standby') return unknown('Standby', 'another process is the leader');
  if (diagnostics.some(({ severity }) => severity === 'error'))
    return no('InvalidManifests', 'the manifests have errors; the last good version stays active');
  const [failure] = failures;
  if (failure !== undefined) return no('ReconciliationFailed', `${failedSubject(failure)}: ${failure.message}`);
  if (lastRefresh === undefined) return unknown('NotRefreshed', 'the account has not been read yet');
  if (isBehind(facts)) return unknown('NewRevision', 'the new revision has not been compared with the account yet');
  const off = resources.filter(({ syncStatus }) => syncStatus !== 'in-sync');
  if (off.length === 0 && pending.length === 0)
    return { status: 'True', reason: 'InSync', message: `${counted(resources.length, 'resource')} in sync` };
  const approvals = approvalsIn(facts);
  if (approvals > 0)
    return no(
      'WaitingForApproval',
      `${counted(approvals, 'change needs', 'changes need')} approval; ${outOfSync(facts)}`,
    );
  const drifted = off.filter(({ syncStatus }) => syncStatus === 'drifted').length;
  return drifted === off.length && drifted > 0
    ? no('Drifted', `drifted: ${drifted} of ${counted(resources.length, 'resource')}`)
    : no('OutOfSync', outOfSync(facts));
}

function outOfSync({ resources, pending }: Facts): string {
  const off = resources.filter(({ syncStatus }) => syncStatus !== 'in-sync').length;
  return `out of sync: ${Math.max(off, pending.length)} of ${counted(resources.length, 'resource')}`;
}

function approvalsIn({ pending }: Facts): number {
  return pending.filter(({ reason }) => reason === 'approval').length;
}

/** Whether manifests were read that the account has not been compared with. */
function isBehind({ revision, observed }: Facts): boolean {
  return revision !== undefined && revision.content !== observed?.content;
}

function reconciling(facts: Facts): Finding {
  const { role, applying, isQueued, resources, failures, nextRefresh } = facts;
  if (role === 'standby') return no('Standby', 'the leader reconciles');
  if (role === 'paused') return no('Paused', 'nothing is applied until the pause ends');
  if (applying !== undefined)
    return {
      status: 'True',
      reason: 'Applying',
      message: `changes: ${runningProgressText(runningProgress(applying))}`,
    };
  if (isQueued === true)
    return { status: 'True', reason: 'Queued', message: 'other stacks of the fleet reconcile first' };
  if (role === 'leader' && nextRefresh === undefined)
    return { status: 'True', reason: 'Refreshing', message: 'reading the manifests and the account' };
  if (role === 'leader' && resources.some(({ syncStatus }) => syncStatus === 'out-of-sync'))
    return { status: 'True', reason: 'Pending', message: 'changes are about to be applied' };
  if (failures.length > 0) return no('WaitingForRetry', 'the next attempt is scheduled');
  if (approvalsIn(facts) > 0)
    return no('WaitingForApproval', 'run `sluice approve` to apply the pending changes, or push another revision');
  return no('Idle', 'waiting for new manifests or the next refresh');
}

/** Nothing goes on until somebody changes the manifests or the account. To wait for an approval, or to be paused, is as intended. */
function stalled(facts: Facts): Finding {
  const { pending, driftConflicts, diagnostics } = facts;
  const yes = (reason: string, message: string): Finding => ({ status: 'True', reason, message });
  if (diagnostics.some(({ severity }) => severity === 'error'))
    return yes('InvalidManifests', 'fix the errors in the manifests');
  if (pending.some((one) => one.reason === 'unresolved'))
    return yes(
      'UnresolvedCreation',
      'run `sluice state resolve` to record the outcome of a creation whose response was lost',
    );
  if (driftConflicts.length > 0)
    return yes('DriftConflict', `another client keeps reverting ${counted(driftConflicts.length, 'field')}`);
  if (pending.some((one) => one.reason === 'protected'))
    return yes('Protected', 'protected resources are not deleted; remove the protection in the manifests first');
  const [stuck] = stuckFailures(facts);
  if (stuck !== undefined)
    return yes(
      isRefusedByService(stuck) ? 'ChangeRefused' : 'ActionRequired',
      `${failedSubject(stuck)}: ${stuck.message}`,
    );
  return no('NotStalled', unstalledText(facts));
}

/** Why the watch gets further by itself, or is not meant to. */
function unstalledText(facts: Facts): string {
  const { role, pause, failures } = facts;
  if (role === 'standby') return 'the leader reconciles';
  if (pause !== undefined) return 'a pause is not a failure';
  if (failures.length > 0) return 'sluice retries what failed';
  return approvalsIn(facts) > 0 ? 'waiting for approval is not a failure' : 'nothing blocks reconciliation';
}

function no(reason: string, message: string): Finding {
  return { status: 'False', reason, message };
}

function unknown(reason: string, message: string): Finding {
  return { status: 'Unknown', reason, message };
}
