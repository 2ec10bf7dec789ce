import type { Address } from '../model/address.ts';
import type { ApplyEvent, ChangeOutcome, Outcome } from '../model/outcome.ts';
import { isEmptyPlan } from '../model/plan.ts';
import type { ApplyRecord } from '../model/watch-status.ts';
import { comparable, approvalDigest } from '../plan/saved/comparable.ts';
import { recordRepairs } from './decide/drift-conflicts.ts';
import type { Controller } from './controller.ts';
import type { HeldBackChange, ApplicableChanges } from './decide/select-applicable.ts';
import type { RefreshedStack, Ports } from './ports.ts';
import { resourceStatuses } from './decide/resource-statuses.ts';

/** Applies the selected changes, publishes the progress, and records the outcome. */
export async function applyApplicable(
  controller: Controller,
  ports: Ports,
  refreshed: RefreshedStack,
  selection: ApplicableChanges,
  signal: AbortSignal,
): Promise<void> {
  const running = new Set<Address>();
  const done = new Set<Address>();
  const publishProgress = (): void => {
    controller.resources = resourceStatuses(refreshed.input, {
      ...selection,
      pending: controller.pending,
      running,
      done,
    });
    controller.publish();
  };
  publishProgress();
  const { plan } = selection;
  if (isEmptyPlan(plan)) {
    if (plan.resolvedCreations.length > 0) await refreshed.apply(plan, signal, () => undefined);
    return;
  }
  const startedAt = ports.now();
  const trigger = triggerOf(selection, controller);
  const digest = approvalDigest(comparable(plan, controller.digest), [plan.stack.name, plan.stack.id]);
  const total = plan.changes.filter(({ action }) => action !== 'none').length;
  let ended = 0;
  const showProgress = (): void => {
    controller.applying = { startedAt, digest, total, done: ended, running: [...running] };
    publishProgress();
  };
  ports.log('info', 'apply', `changes to apply: ${total}`, { digest, trigger });
  try {
    showProgress();
    const outcome = await refreshed.apply(plan, signal, (event) => {
      trackProgress(event, running, done);
      if (event.type === 'finished') ended += 1;
      showProgress();
    });
    recordOutcome(controller, ports, selection, outcome);
    if (controller.exposures.length + controller.ruleBreaches.length > 0) controller.refreshAgain();
    controller.setPending([...selection.pending, ...failedChanges(outcome, controller)]);
    const { revision } = controller;
    controller.addRecord({
      startedAt,
      finishedAt: ports.now(),
      trigger,
      ...(revision === undefined ? {} : { revision }),
      digest,
      outcome: outcome.changes,
      requests: outcome.requests,
      plan: ports.show.plan(plan),
    });
  } finally {
    controller.applying = undefined;
    running.clear();
    publishProgress();
  }
}

function trackProgress(event: ApplyEvent, running: Set<Address>, done: Set<Address>): void {
  if (event.type === 'started') running.add(event.address);
  if (event.type !== 'finished') return;
  running.delete(event.outcome.address);
  if (event.outcome.ending === 'done') done.add(event.outcome.address);
}

/** Records repaired drift, schedules retries of failures, and marks applied changes. */
function recordOutcome(
  controller: Controller,
  ports: Ports,
  { healed, pending }: ApplicableChanges,
  outcome: Outcome,
): void {
  for (const change of outcome.changes) {
    const { address, ending } = change;
    if (ending === 'done') {
      ports.log('info', 'change', `${address}: done`, logged(change));
      controller.recovered(address);
      controller.desiredHashes.markApplied(address);
      controller.updateState({
        repairs: recordRepairs(controller.state.repairs, address, healed.get(address) ?? [], ports.now()),
      });
    } else if ((ending === 'failed' || ending === 'unknown') && !isCutShort(change, outcome))
      controller.recordFailure(address, { code: change.code ?? 'CHANGE_FAILED', message: messageOf(change) });
    else ports.log('warn', 'change', `${address}: ${messageOf(change)}`, logged(change));
  }
  if (pending.length === 0 && outcome.changes.every(({ ending }) => ending === 'done')) controller.succeeded();
  if (outcome.interrupted) ports.log('info', 'interrupted', 'apply interrupted; requests in progress were completed');
  if (outcome.stateError !== undefined) controller.recordFailure('account', outcome.stateError);
}

/** Changes that have just failed: pending until their retry. */
function failedChanges({ changes }: Outcome, controller: Controller): HeldBackChange[] {
  return changes.flatMap((change) => {
    const { address, action } = change;
    const until = controller.retryAt(address);
    const message = messageOf(change);
    return until === undefined ? [] : [{ address, action, reason: 'retry' as const, message, hazards: [], until }];
  });
}

/** A change that was started, or was about to be sent, when the apply was interrupted: not a failure; the next reconciliation continues at once. */
function isCutShort({ partiallyApplied, code, failedDependency }: ChangeOutcome, { interrupted }: Outcome): boolean {
  if (!interrupted || failedDependency !== undefined) return false;
  return code === 'INTERRUPTED' || (code === undefined && partiallyApplied === true);
}

function messageOf({ ending, message, failedDependency, partiallyApplied }: ChangeOutcome): string {
  if (failedDependency !== undefined)
    return `${partiallyApplied === true ? 'started, but depends' : 'depends'} on ${failedDependency}, which did not complete`;
  return message ?? (ending === 'not-started' ? 'not started' : ending);
}

function logged({ address, action, ending, code }: ChangeOutcome): Record<string, string> {
  return { address, action, ending, ...(code === undefined ? {} : { code }) };
}

function triggerOf({ approved, plan, causes }: ApplicableChanges, controller: Controller): ApplyRecord['trigger'] {
  const changing = plan.changes.flatMap(({ address, action }) => (action === 'none' ? [] : [address]));
  if (changing.some((address) => approved.has(address))) return 'approval';
  if (changing.every((address) => controller.hasFailed(address))) return 'retry';
  const all = new Set(causes.values());
  if (all.has('revision') || all.has('removal')) return 'revision';
  return all.has('renewal') ? 'renewal' : 'drift';
}
