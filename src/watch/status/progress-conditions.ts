import { counted } from '../../diagnostics/counted.ts';
import { hasErrors } from '../../diagnostics/diagnostic.ts';
import { isOnStandby } from '../../model/status/on-standby.ts';
import { isRefusedByService, stuckFailures } from '../../model/status/stuck-failure.ts';
import { unresolvedCount } from '../../render/plan/unresolved-creations.ts';
import { failureText } from '../../render/status/failure-words.ts';
import { pendingCountText } from '../../render/status/pending-words.ts';
import { runningProgress, runningProgressText } from '../../render/status/status-activity.ts';
import { earliestOf, finding, isBehind, pendingFor, type ConditionFacts, type ConditionFinding } from './finding.ts';

/**
 * As in kstatus, at most one of the two is True: what is stalled gets no further until somebody changes something, so a stack of
 * which other parts still make progress is reconciling, and reports what is blocked.
 *
 *   blocked   works    other parts get further   Reconciling   Stalled
 *   -------   ------   -----------------------   -----------   -------
 *   no        no                                 False         False
 *   no        yes                                True          False
 *   yes       no       once they are approved    False         False
 *   yes       no       no                        False         True
 *   yes       yes      no                        False         True
 *   yes       yes      yes                       True          False
 *
 * A stack that requires a person has one reason everywhere: that of Ready.
 */
export function progressFindings(facts: ConditionFacts): {
  readonly Reconciling: ConditionFinding;
  readonly Stalled: ConditionFinding;
} {
  const [blocker, work] = [blockerIn(facts), workIn(facts)];
  if (blocker === undefined)
    return { Reconciling: work ?? idle(facts), Stalled: finding('False', 'NotStalled', unstalledText(facts)) };
  if (work !== undefined && doOthersGetFurther(facts))
    return {
      Reconciling: work,
      Stalled: finding('False', 'Progressing', `other changes continue; blocked: ${blocker.message}`),
    };
  if (work === undefined && isAwaitingApproval(facts)) {
    const message = `other changes continue after approval; blocked: ${blocker.message}`;
    return { Reconciling: idle(facts), Stalled: finding('False', 'WaitingForApproval', message) };
  }
  return { Reconciling: facts.role === 'paused' ? idle(facts) : stuck(facts, blocker), Stalled: blocker };
}

/** Whether changes that can be approved are what the stack waits for first. */
export function isAwaitingApproval(facts: ConditionFacts): boolean {
  const { failures, diagnostics } = facts;
  return !hasErrors(diagnostics) && failures.length === 0 && pendingFor(facts, 'approval').length > 0;
}

/** What the watch does now; undefined: it only waits. */
function workIn({ role, applying, isQueued, resources, nextRefresh }: ConditionFacts): ConditionFinding | undefined {
  if (role === 'standby' || role === 'paused') return undefined;
  if (applying !== undefined) {
    const progress = runningProgressText(runningProgress(applying));
    return finding('True', 'Applying', `changes: ${progress}`, applying.startedAt);
  }
  if (isQueued === true) return finding('True', 'Queued', 'other stacks of the fleet reconcile first');
  if (role !== 'leader') return undefined;
  if (nextRefresh === undefined) return finding('True', 'Refreshing', 'reading the manifests and the account');
  return resources.some(({ syncStatus }) => syncStatus === 'out-of-sync')
    ? finding('True', 'Progressing', 'changes are about to be applied')
    : undefined;
}

/** Whether what the watch does brings anything further than what is blocked: other changes, or a revision that may change all of it. */
function doOthersGetFurther(facts: ConditionFacts): boolean {
  const { applying, resources, failures, diagnostics } = facts;
  const blocked = new Set(stuckFailures(facts).map(({ scope }) => scope));
  if (applying !== undefined)
    return applying.changes.some(
      ({ address, progress }) => (progress === 'running' || progress === 'to-do') && !blocked.has(address),
    );
  if (resources.some(({ address, syncStatus }) => syncStatus === 'out-of-sync' && !blocked.has(address))) return true;
  return isBehind(facts) && !hasErrors(diagnostics) && failures.every(({ attempts }) => attempts === 0);
}

function stuck({ applying }: ConditionFacts, { reason }: ConditionFinding): ConditionFinding {
  return finding(
    'False',
    reason,
    applying === undefined
      ? 'no progress until the problem in the condition Stalled is resolved'
      : 'sluice retries only the failed changes; each retry fails until the cause is corrected',
  );
}

/** What a watch waits for that does nothing now. */
function idle(facts: ConditionFacts): ConditionFinding {
  const { role, failures } = facts;
  if (isOnStandby(facts)) return finding('False', 'Standby', 'the leader reconciles the stack; this process waits');
  if (role === 'paused') return finding('False', 'Paused', 'no changes are applied until the pause ends');
  if (failures.length > 0) return finding('False', 'WaitingForRetry', 'the next attempt is scheduled');
  const approvals = pendingFor(facts, 'approval').length;
  if (approvals > 0) return finding('False', 'WaitingForApproval', pendingCountText('approval', approvals));
  const manual = pendingFor(facts, 'manual').length;
  return manual > 0
    ? finding('False', manualReason(facts), pendingCountText('manual', manual))
    : finding('False', 'Idle', 'waiting for new manifests or the next refresh');
}

/** What gets no further until somebody changes the manifests or the account. To wait for an approval, or to be paused, is as intended. */
export function blockerIn(facts: ConditionFacts): ConditionFinding | undefined {
  const { driftConflicts, diagnostics } = facts;
  if (hasErrors(diagnostics)) return finding('True', 'InvalidManifests', 'the manifests have errors');
  const unresolved = pendingFor(facts, 'unresolved');
  if (unresolved.length > 0)
    return finding('True', 'UnresolvedCreation', unresolvedCount(unresolved.length), earliestOf(unresolved));
  if (driftConflicts.length > 0) {
    const conflicts = counted(driftConflicts.length, 'drift conflict');
    const message = `${conflicts}: another client keeps reverting what sluice repairs`;
    return finding('True', 'DriftConflict', message, earliestOf(driftConflicts));
  }
  for (const [reason, condition] of blocks) {
    const blocked = pendingFor(facts, reason);
    if (blocked.length > 0)
      return finding('True', condition, pendingCountText(reason, blocked.length), earliestOf(blocked));
  }
  const [failure] = stuckFailures(facts);
  if (failure === undefined) return undefined;
  const reason = isRefusedByService(failure) ? 'ChangeRefused' : 'ActionRequired';
  return finding('True', reason, failureText(failure), failure.since);
}

/** Why a stack with changes that require a manual apply is not ready: if all of them are drift, the reason is more specific. */
export function manualReason({ resources }: Pick<ConditionFacts, 'resources'>): string {
  const off = resources.filter(({ syncStatus }) => syncStatus !== 'in-sync');
  return off.every(({ syncStatus }) => syncStatus === 'drifted') ? 'Drifted' : 'WaitingForManualApply';
}

// What is blocked so is lifted by a change of the manifests, or by the operator.
const blocks = [
  ['plan-error', 'PlanError'],
  ['protected', 'Protected'],
  ['operator-policy', 'OperatorPolicy'],
  ['contains-unmanaged', 'ContainsUnmanaged'],
] as const;

/** Why the watch makes progress automatically, or is not supposed to. */
function unstalledText(facts: ConditionFacts): string {
  const { pause, failures } = facts;
  if (isOnStandby(facts)) return 'the leader reconciles the stack; this process waits';
  if (pause !== undefined) return 'the watch is paused, which is not a failure';
  if (failures.length > 0) return 'sluice retries the failed changes';
  return pendingFor(facts, 'approval').length > 0
    ? 'changes wait for approval, which is not a failure'
    : 'nothing blocks reconciliation';
}
