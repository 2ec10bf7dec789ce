import { counted } from '../../diagnostics/counted.ts';
import type { Condition, WatchStatus } from '../../model/watch-status.ts';

type Facts = Omit<WatchStatus, 'conditions'>;

type Finding = Omit<Condition, 'type' | 'since'>;

/** The three conditions of a watch. One that says the same as before keeps the time since when it does. */
export function conditionsOf(facts: Facts, before: readonly Condition[]): Condition[] {
  const found = { Ready: ready(facts), Reconciling: reconciling(facts), Stalled: stalled(facts) };
  return (['Ready', 'Reconciling', 'Stalled'] as const).map((type) => {
    const finding = found[type];
    const earlier = before.find((condition) => condition.type === type);
    const same = earlier?.status === finding.status && earlier.reason === finding.reason;
    return { type, ...finding, since: same ? earlier.since : facts.now };
  });
}

function ready({ role, resources, troubles, diagnostics, looked, waiting }: Facts): Finding {
  if (role === 'standing-by') return no('Standby', 'another process is the leader');
  if (diagnostics.some(({ severity }) => severity === 'error'))
    return no('InvalidManifests', 'the manifests have errors; the last good version stays active');
  const [trouble] = troubles;
  if (trouble !== undefined) return no('ReconciliationFailed', `${trouble.cause}: ${trouble.message}`);
  if (looked === undefined) return no('NotRefreshed', 'the account has not been refreshed yet');
  const off = resources.filter(({ standing }) => standing !== 'in-sync');
  if (off.length === 0 && waiting.length === 0)
    return { status: true, reason: 'InSync', message: `${counted(resources.length, 'resource')} in sync` };
  const drifted = off.filter(({ standing }) => standing === 'drifted').length;
  return drifted === off.length && drifted > 0
    ? no('Drifted', `drifted: ${drifted} of ${counted(resources.length, 'resource')}`)
    : no(
        'OutOfSync',
        `out of sync: ${Math.max(off.length, waiting.length)} of ${counted(resources.length, 'resource')}`,
      );
}

function reconciling({ role, applying, resources, next, now }: Facts): Finding {
  if (applying !== undefined)
    return { status: true, reason: 'Applying', message: `${applying.done} of ${applying.total} changes done` };
  if (role === 'leading' && next === undefined)
    return { status: true, reason: 'Refreshing', message: 'reading the manifests and the account' };
  if (role === 'leading' && resources.some(({ standing }) => standing === 'changing'))
    return { status: true, reason: 'Pending', message: 'changes are about to be applied' };
  const seconds = next === undefined ? undefined : Math.max(0, Math.round((next - now) / 1000));
  return no('Idle', seconds === undefined ? 'idle' : `next refresh in ${seconds} s`);
}

function stalled({ pause, waiting, fights, troubles, diagnostics }: Facts): Finding {
  const yes = (reason: string, message: string): Finding => ({ status: true, reason, message });
  if (pause !== undefined) return yes('Paused', pause.reason ?? 'paused by an operator');
  if (diagnostics.some(({ severity }) => severity === 'error'))
    return yes('InvalidManifests', 'fix the errors in the manifests');
  if (waiting.some((one) => one.for === 'approval'))
    return yes('WaitingForApproval', 'run `sluice approve` to apply the pending changes, or push another revision');
  if (waiting.some((one) => one.for === 'resolve'))
    return yes(
      'UnresolvedCreation',
      'run `sluice state resolve` to record the outcome of a creation whose answer was lost',
    );
  if (fights.length > 0)
    return yes('DriftConflict', `another client keeps reverting ${counted(fights.length, 'field')}`);
  if (waiting.some((one) => one.for === 'protected'))
    return yes('Protected', 'protected resources are not deleted; remove the protection in the manifests first');
  const stuck = troubles.find(({ code }) => code === 'ACCESS_DENIED' || code === 'MANY_RESOURCES_MISSING');
  if (stuck !== undefined) return yes('ActionRequired', stuck.message);
  return no('NotStalled', 'no action required');
}

function no(reason: string, message: string): Finding {
  return { status: false, reason, message };
}
