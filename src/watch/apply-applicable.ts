import { counted } from '../diagnostics/counted.ts';
import type { LogFields } from '../diagnostics/log.ts';
import { oncePer } from '../kinds/once-per.ts';
import { yieldToLoop } from '../manifest/read/yield-to-loop.ts';
import { groupBy } from '../model/group-by.ts';
import type { Address } from '../model/address.ts';
import { areAllDone, type ChangeOutcome, type Outcome } from '../model/outcome.ts';
import { isEmptyPlan, type Change, type Plan, revisedPlan } from '../model/plan/plan.ts';
import { present } from '../model/present.ts';
import { inSlices, type Sliced } from '../model/sliced.ts';
import type { ApprovalRecord, ApplyRecord, ApplyStart } from '../model/status/watch-status.ts';
import { approvalDigestInSteps, comparableInSteps } from '../plan/saved/comparable.ts';
import { recordRepairs } from './decide/drift-conflicts.ts';
import type { Controller } from './controller.ts';
import { changedBy, type ApplicableChanges } from './decide/select-applicable.ts';
import { ApplyFailures, isFailed } from './apply-failures.ts';
import { messageOf } from './decide/outcome-message.ts';
import type { RefreshedStack, Ports } from './ports.ts';
import { shownChanges, shownPlan } from './shown-by-watch.ts';
import { WatchedApply } from './decide/watched-apply.ts';
import { addressesInOrder, resourceStatuses } from './decide/resource-statuses.ts';
import { atMostEvery } from './timing/at-most-every.ts';
import { listSome } from '../plan/warnings/list-some.ts';

// Each publication goes through all resources.
const progressMs = 250;

/** Applies the selected changes, publishes the progress, and records the outcome. Whether all of them were done. */
export async function applyApplicable(
  controller: Controller,
  ports: Ports,
  refreshed: RefreshedStack,
  selection: ApplicableChanges,
  signal: AbortSignal,
): Promise<boolean> {
  const done = new Set<Address>();
  const addresses = await inSlices(addressesInOrder(refreshed.input), yieldToLoop());
  const publishAll = async (): Promise<void> => {
    const statuses = resourceStatuses(refreshed.input, addresses, {
      ...selection,
      pending: controller.pending.all,
      done,
    });
    controller.resources = await inSlices(statuses, yieldToLoop());
    controller.publish();
  };
  await publishAll();
  const { plan } = selection;
  const isPart = selection.pending.length > 0;
  if (isEmptyPlan(plan)) {
    if (plan.resolvedCreations.length > 0 || !(isPart || refreshed.isRecorded)) {
      const { stateError } = await refreshed.apply({ plan, isPart, approvals: [] }, signal, () => undefined);
      if (stateError !== undefined) controller.failures.record('account', stateError);
    }
    return false;
  }
  const { revision, isRequested } = controller;
  const approvals = approvalsOf(plan, controller);
  const trigger = triggerOf(selection, controller);
  const facts = { startedAt: ports.now(), trigger, isRequested: isRequested || undefined, revision };
  const digest = await inSlices(digestOf(selection, controller), yieldToLoop());
  const start: ApplyStart = present({ ...facts, digest, approvals });
  const detailsOf = shownChanges(plan);
  const details = oncePer(new Map<Address, string>(), (address) => detailsOf(address).details);
  const progress = new WatchedApply(plan, controller.resources, details);
  const failures = new ApplyFailures(controller, selection);
  const publication = atMostEvery(progressMs, ports.clock, () => {
    failures.record();
    controller.applying = { ...start, changes: progress.changes };
    controller.resources = progress.resources;
    controller.publish();
  });
  ports.log('info', 'apply', `changes to apply: ${progress.changes.length}`, { digest, trigger });
  try {
    publication.request();
    const outcome = await refreshed.apply({ plan, isPart, approvals, digest }, signal, (event) => {
      progress.record(event);
      if (event.type === 'finished' && event.outcome.ending === 'done') done.add(event.outcome.address);
      // Of an interrupted apply, only its outcome says what has failed.
      if (event.type === 'finished' && !signal.aborted) failures.take(event.outcome);
      publication.request();
    });
    // What takes no request has no event of its own.
    for (const { address, ending } of outcome.changes) if (ending === 'done') done.add(address);
    const text = await shownPlan(plan);
    await recordOutcome(controller, ports, selection, outcome, failures);
    const { exposures, ruleBreaches } = controller.findings;
    if (exposures.length + ruleBreaches.length > 0) controller.refreshAgain();
    const pending = [...selection.pending, ...failures.pendingOf(outcome.changes)];
    controller.pending.set(pending, selection.full, revision);
    const record: ApplyRecord = {
      ...start,
      finishedAt: ports.now(),
      outcome: outcome.changes,
      requests: outcome.requests,
      plan: text,
    };
    controller.kept.addRecord(record);
    logRecord(record, ports);
    return areAllDone(outcome.changes);
  } finally {
    publication.stop();
    controller.applying = undefined;
    await publishAll();
  }
}

/** The digest of what is applied, in the form in which it was approved: an approved change is no longer blocked. */
function* digestOf({ plan, full }: ApplicableChanges, { kept }: Controller): Sliced<string> {
  const blocked = new Map(full.changes.map((change) => [change.address, change.blocked]));
  const changes = plan.changes.map(({ blocked: _, ...change }): Change => {
    const before = blocked.get(change.address);
    return before === undefined ? change : { ...change, blocked: before };
  });
  const parts = yield* comparableInSteps(revisedPlan(plan, { changes }), kept.digest);
  return yield* approvalDigestInSteps(parts, [plan.stack.name, plan.stack.id]);
}

/** The approvals without which the plan would not be applied. */
function approvalsOf({ changes }: Plan, { kept }: Controller): ApprovalRecord[] {
  const all = changes.flatMap(({ address, action }) => {
    const approved = action === 'none' ? undefined : kept.now.approved[address];
    return approved === undefined ? [] : [approved];
  });
  const byKey = new Map(
    all.map(({ part: _, cause: __, ...approval }) => [`${approval.digest} ${approval.at}`, approval]),
  );
  return [...byKey.values()];
}

/** One line for a whole apply: what was done, in which time, of which revision, and who approved it. */
function logRecord(
  { startedAt, finishedAt, outcome, digest, revision, approvals, requests }: ApplyRecord,
  { log }: Ports,
): void {
  const done = outcome.filter(({ ending }) => ending === 'done').length;
  const seconds = (finishedAt - startedAt) / 1000;
  const by = [...new Set(approvals.map((one) => one.by))].join(', ');
  const text = `${done} of ${counted(outcome.length, 'change')} applied in ${seconds.toFixed(1)} s`;
  const { commit, isUncommitted: uncommitted } = revision ?? {};
  const facts = { digest, changes: outcome.length, done, requests, seconds, commit, uncommitted };
  const level = done === outcome.length ? 'info' : 'warn';
  log(level, 'applied', text, present({ ...facts, approved_by: by === '' ? undefined : by }));
}

/** Records repaired drift, schedules retries of failures, and marks applied changes. */
async function recordOutcome(
  controller: Controller,
  ports: Ports,
  selection: ApplicableChanges,
  outcome: Outcome,
  failures: ApplyFailures,
): Promise<void> {
  const { healed } = selection;
  const pause = yieldToLoop();
  const left: ChangeOutcome[] = [];
  const pending = new Set(selection.pending.map(({ address }) => address));
  for (const change of outcome.changes) {
    await pause();
    const { address, ending } = change;
    if (ending === 'done') {
      ports.log('info', 'change', `${address}: done`, logged(change));
      controller.failures.recovered(address);
      // What was applied without its pending fields is not as the manifest says.
      if (!pending.has(address)) controller.desiredHashes.markApplied(address);
      const pointers = healed.get(address) ?? new Set<string>();
      const facts = { now: ports.now(), wanted: controller.desiredHashes.of(address) };
      if (pointers.size > 0)
        controller.kept.update({ repairs: recordRepairs(controller.kept.now.repairs, address, pointers, facts) });
    } else if (isFailed(change) && !isCutShort(change, outcome)) failures.take(change);
    else left.push(change);
  }
  // Each approval counts once: what somebody undoes has to be approved again.
  const done = new Set(outcome.changes.flatMap(({ address, ending }) => (ending === 'done' ? [address] : [])));
  const approved = Object.entries(controller.kept.now.approved).filter(([address]) => !done.has(address));
  controller.kept.update({ approved: Object.fromEntries(approved) });
  failures.record();
  for (const [message, changes] of groupBy(left, messageOf)) logLeft(message, changes, ports);
  if (selection.pending.length === 0 && areAllDone(outcome.changes)) controller.succeeded();
  if (outcome.interrupted) ports.log('info', 'interrupted', `apply interrupted; ${interruptionText(outcome)}`);
  if (outcome.stateError !== undefined) controller.failures.record('account', outcome.stateError);
}

function interruptionText({ changes }: Outcome): string {
  const unknown = changes.filter(({ ending }) => ending === 'unknown').length;
  return unknown === 0
    ? 'requests in progress were completed'
    : `the outcome of ${counted(unknown, 'change')} is unknown`;
}

/** One line for all changes that were left for one reason: an apply of thousands may be interrupted. */
function logLeft(message: string, changes: readonly ChangeOutcome[], { log }: Ports): void {
  const [first] = changes;
  if (first === undefined) return;
  const facts = changes.length === 1 ? logged(first) : { changes: changes.length };
  log('warn', 'change', `${listSome(changes.map(({ address }) => address))}: ${message}`, facts);
}

/** A change that was started, or was about to be sent, when the apply was interrupted: not a failure; the next reconciliation continues at once. */
function isCutShort({ partiallyApplied, code }: ChangeOutcome, { interrupted }: Outcome): boolean {
  return interrupted && (code === 'INTERRUPTED' || (code === undefined && partiallyApplied === true));
}

function logged({ address, action, ending, code }: ChangeOutcome): LogFields {
  return present({ address, action, ending, code });
}

function triggerOf({ approved, plan, causes }: ApplicableChanges, controller: Controller): ApplyRecord['trigger'] {
  const changing = [...changedBy(plan)];
  if (changing.some((address) => approved.has(address))) return 'approval';
  // A new revision begins to count again.
  if (changing.every((address) => (controller.failures.find(address)?.attempts ?? 0) > 0)) return 'retry';
  const all = new Set(causes.values());
  if (all.has('revision') || all.has('removal')) return 'revision';
  return all.has('renewal') ? 'renewal' : 'drift';
}
