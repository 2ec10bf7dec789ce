import { counted } from '../../diagnostics/counted.ts';
import { hasErrors } from '../../diagnostics/diagnostic.ts';
import { conditionTypes, type Condition } from '../../model/status/watch-status.ts';
import { isOnStandby } from '../../model/status/on-standby.ts';
import { stuckFailures } from '../../model/status/stuck-failure.ts';
import { failureText, invalidManifestsText } from '../../render/status/failure-words.ts';
import { pendingCountText } from '../../render/status/pending-words.ts';
import { earliestOf, finding, isBehind, pendingFor, type ConditionFacts, type ConditionFinding } from './finding.ts';
import { blockerIn, manualReason, progressFindings } from './progress-conditions.ts';

/** The three conditions of a watch. As in Kubernetes, the time of one is that of its status, and what brought the status began then, too. */
export function conditionsOf(facts: ConditionFacts, before: readonly Condition[]): Condition[] {
  const found = { Ready: ready(facts), ...progressFindings(facts) };
  return conditionTypes.map((type) => {
    const { began = facts.now, ...finding } = found[type];
    const earlier = before.find((condition) => condition.type === type);
    return { type, ...finding, since: earlier?.status === finding.status ? earlier.since : Math.min(began, facts.now) };
  });
}

function ready(facts: ConditionFacts): ConditionFinding {
  const { resources, failures, lastRefresh, pending } = facts;
  if (isOnStandby(facts)) return finding('Unknown', 'Standby', 'another process is the leader');
  if (hasErrors(facts.diagnostics)) return finding('False', 'InvalidManifests', invalidManifestsText(facts.kept));
  const [failure] = failures;
  const blocker = blockerIn(facts);
  if (failure !== undefined && stuckFailures(facts).length > 0 && blocker !== undefined)
    return finding('False', blocker.reason, blocker.message, failure.since);
  if (failure !== undefined) return finding('False', 'ReconciliationFailed', failureText(failure), failure.since);
  if (lastRefresh === undefined) return finding('Unknown', 'NotRefreshed', 'the account has not been read yet');
  if (isBehind(facts))
    return finding('Unknown', 'NewRevision', 'the new revision has not been compared with the account yet');
  const off = resources.filter(({ syncStatus }) => syncStatus !== 'in-sync');
  if (off.length === 0 && pending.length === 0)
    return { status: 'True', reason: 'InSync', message: `${counted(resources.length, 'resource')} in sync` };
  const outOfSync = `out of sync: ${Math.max(off.length, pending.length)} of ${counted(resources.length, 'resource')}`;
  const began = earliestOf(pending);
  const approvals = pendingFor(facts, 'approval').length;
  if (approvals > 0)
    return finding('False', 'WaitingForApproval', `${pendingCountText('approval', approvals)}; ${outOfSync}`, began);
  if (blocker !== undefined) return finding('False', blocker.reason, `${blocker.message}; ${outOfSync}`, began);
  const manual = pendingFor(facts, 'manual').length;
  if (manual > 0)
    return finding('False', manualReason(facts), `${pendingCountText('manual', manual)}; ${outOfSync}`, began);
  return finding('False', 'OutOfSync', outOfSync, began);
}
