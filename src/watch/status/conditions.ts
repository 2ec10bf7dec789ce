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
  if (role === 'standing-by') return no('StandingBy', 'another process leads');
  if (diagnostics.some(({ severity }) => severity === 'error'))
    return no('InvalidManifests', 'some manifests are wrong; what they said before stays in force');
  const [trouble] = troubles;
  if (trouble !== undefined) return no('Failing', `${trouble.cause}: ${trouble.message}`);
  if (looked === undefined) return no('NotLooked', 'the account has not been looked at yet');
  const off = resources.filter(({ standing }) => standing !== 'in-sync');
  if (off.length === 0 && waiting.length === 0)
    return { status: true, reason: 'InSync', message: `as the manifests say: all ${resources.length}` };
  const drifted = off.filter(({ standing }) => standing === 'drifted').length;
  return drifted === off.length && drifted > 0
    ? no('Drifted', `drifted and not put right: ${drifted} of ${resources.length}`)
    : no('OutOfSync', `not as the manifests say: ${Math.max(off.length, waiting.length)} of ${resources.length}`);
}

function reconciling({ role, applying, resources, next, now }: Facts): Finding {
  if (applying !== undefined)
    return { status: true, reason: 'Applying', message: `${applying.done} of ${applying.total} changes done` };
  if (role === 'leading' && next === undefined)
    return { status: true, reason: 'Looking', message: 'reading the manifests and the account' };
  if (role === 'leading' && resources.some(({ standing }) => standing === 'changing'))
    return { status: true, reason: 'Pending', message: 'changes are about to be made' };
  const seconds = next === undefined ? undefined : Math.max(0, Math.round((next - now) / 1000));
  return no('Idle', seconds === undefined ? 'nothing is being done' : `looks again in ${seconds} s`);
}

function stalled({ pause, waiting, fights, troubles, diagnostics }: Facts): Finding {
  const yes = (reason: string, message: string): Finding => ({ status: true, reason, message });
  if (pause !== undefined) return yes('Paused', pause.reason ?? 'somebody paused it');
  if (diagnostics.some(({ severity }) => severity === 'error'))
    return yes('InvalidManifests', 'until the manifests are put right');
  if (waiting.some((one) => one.for === 'approval'))
    return yes('WaitingForApproval', '`sluice approve` lets the changes go on, or the next revision replaces them');
  if (waiting.some((one) => one.for === 'resolve'))
    return yes('UnresolvedCreation', '`sluice state resolve` says what came of a creation whose answer was lost');
  if (fights.length > 0) return yes('Fight', `${fights.length} fields are put back by others again and again`);
  if (waiting.some((one) => one.for === 'protected'))
    return yes('Protected', 'what is protected is not deleted; give up protection in the manifests first');
  const stuck = troubles.find(({ code }) => code === 'NOT_ALLOWED' || code === 'ACCOUNT_LOOKS_EMPTY');
  if (stuck !== undefined) return yes('NeedsAPerson', stuck.message);
  return no('Moving', 'nothing needs a person');
}

function no(reason: string, message: string): Finding {
  return { status: false, reason, message };
}
