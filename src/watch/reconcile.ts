import { pointerOf } from '../derive/pointer.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { yieldToLoop } from '../manifest/read/yield-to-loop.ts';
import { isEmptyPlan, type Change, type Plan } from '../model/plan/plan.ts';
import { inSlices } from '../model/sliced.ts';
import type { Address } from '../model/address.ts';
import type {
  ApprovalRecord,
  AwaitedApproval,
  DriftConflict,
  Exposure,
  PendingChange,
  RuleBreach,
} from '../model/status/watch-status.ts';
import { exposureMapInSteps } from '../plan/access-policy/exposure-map.ts';
import { findingMessage } from '../plan/access-policy/finding-message.ts';
import { plannedRouting, type PlannedRouting } from '../plan/access-policy/planned-routing.ts';
import { servedAddresses, servedAddressesAfter } from '../plan/access-policy/served-addresses.ts';
import { partOfPlan } from '../plan/parts/part-of-plan.ts';
import { takesPartInRouting } from '../plan/routing/routing-model.ts';
import { diagnosticsText } from '../render/diagnostics/diagnostics-text.ts';
import { approvalSummary } from '../render/plan/approval-summary.ts';
import { idNames } from '../render/values/field-value.ts';
import { mustDescribeSomething } from '../stack/plan/make-plan.ts';
import { applyApplicable } from './apply-applicable.ts';
import { loopTurn } from './timing/loop-turn.ts';
import { accessIfApproved } from './decide/access-if-approved.ts';
import { isInConflict, recordDrift } from './decide/drift-conflicts.ts';
import type { Controller } from './controller.ts';
import { changedBy, selectApplicable, type ApplicableChanges } from './decide/select-applicable.ts';
import { isLiftedByApproval } from './decide/sync-policy.ts';
import type { RefreshedStack, Ports } from './ports.ts';
import { shownField, shownPlan } from './shown-by-watch.ts';
import {
  approvalsIn,
  hasApproval,
  isOvertaken,
  isRecentApproval,
  isUsedUp,
  isUsedUpCommit,
  refusedCommit,
  refusedRequest,
  type UsedApproval,
} from './decide/used-approvals.ts';
import { isProven, stillCounts, type OperatorRequests } from './operator-requests.ts';
import type { ApprovedChange } from './watch-state.ts';
import { present } from '../model/present.ts';

const HOUR = 3_600_000;

/** Selects the changes that may be applied to the refreshed account, applies them, and records the outcome. */
export async function reconcile(
  controller: Controller,
  ports: Ports,
  refreshed: RefreshedStack,
  requests: OperatorRequests,
  signal: AbortSignal,
): Promise<void> {
  const { input, routing } = refreshed;
  const hint = 'to delete them all, run `sluice destroy`';
  mustDescribeSomething(input.desired, input.account, { consequence: '; nothing is deleted', hint });
  const pause = yieldToLoop();
  await inSlices(controller.desiredHashes.update(input.desired, controller.kept.digest), pause);
  await loopTurn();
  const commits = await ports.approvingCommits();
  const approvals = { requested: requests.approvals, signed: approvalsIn(commits, ports.now()) };
  const selection = await chooseChanges(controller, ports, refreshed, approvals);
  await loopTurn();
  controller.findings = {
    driftConflicts: driftConflictsIn(selection.full, controller),
    exposures: exposuresIn(selection.full),
    ruleBreaches: ruleBreachesIn(selection.full),
  };
  controller.planWarnings = warningsOf(selection.full);
  const addresses = servedAddresses(input.account.ours, input.kinds);
  const exposure = { ...(await inSlices(exposureMapInSteps(routing, 'now'), pause)), addresses };
  controller.exposure = exposure;
  await loopTurn();
  const awaited = await awaitedIn(selection, routing);
  controller.setRefreshed();
  controller.pending.set(selection.pending, selection.full, controller.revision);
  const { digest } = selection;
  const facts = { used: controller.kept.now, now: ports.now() };
  const refused =
    digest && (refusedRequest(requests.approvals, digest, facts) ?? refusedCommit(commits, digest, facts));
  controller.setAwaited(awaited, refused);
  const approved = Object.entries(controller.kept.now.approved).filter(([address]) => selection.approved.has(address));
  controller.kept.update({ approved: Object.fromEntries(approved) });
  controller.failures.retain(isTriedAgain(selection));
  for (const { address, action } of selection.full.changes)
    if (action === 'none') controller.desiredHashes.markApplied(address);
  // Before a long apply: pending changes may be approved meanwhile.
  await controller.saveState();
  if (isEmptyPlan(selection.plan) && selection.pending.length === 0) controller.succeeded();
  const isApplied = await applyApplicable(controller, ports, refreshed, selection, signal);
  if (isApplied) {
    const applied = selection.decided === undefined ? routing : plannedRouting(selection.decided);
    const isRouted = applied.steps.some(({ kind }) => takesPartInRouting(kind));
    controller.exposure = {
      ...(isRouted ? await inSlices(exposureMapInSteps({ ...applied, now: applied.planned }, 'now'), pause) : exposure),
      addresses: servedAddressesAfter(addresses, selection.plan.changes, input.kinds),
    };
  }
  await controller.saveState();
}

/** The changes that may be applied now; selected again after a new drift conflict or a new approval. */
async function chooseChanges(
  controller: Controller,
  ports: Ports,
  { input, plan }: RefreshedStack,
  approvals: Approvals,
): Promise<ApplicableChanges> {
  const { stack, desiredHashes } = controller;
  if (stack === undefined) throw new TypeError('the stack is not loaded');
  const find = (): Promise<ApplicableChanges> => {
    const selection = selectApplicable(plan, input, {
      syncSettings: stack.syncSettings,
      hasChanged: (address) => desiredHashes.hasChanged(address),
      wasInSync: (address) => desiredHashes.wasInSync(address),
      isInConflict: (address, pointer) => isInConflict(controller.kept.now.repairs, address, pointer),
      failureOf: (address) => controller.failures.awaitingRetry(address),
      digest: controller.kept.digest,
      inError: controller.desired?.inError,
      approved: new Map(Object.entries(controller.kept.now.approved)),
    });
    return inSlices(selection, yieldToLoop());
  };
  const first = await find();
  const { repairs } = controller.kept.now;
  controller.kept.update({
    repairs: recordDrift(repairs, {
      drifted: first.drifted,
      desiredHashOf: (address) => desiredHashes.of(address),
      now: ports.now(),
      windowMs: Math.max(HOUR, 12 * stack.intervalMs),
    }),
  });
  const isOther = JSON.stringify(repairs) !== JSON.stringify(controller.kept.now.repairs);
  const selection = isOther ? await find() : first;
  return (await acceptApprovals(controller, ports, approvals, selection)) ? find() : selection;
}

/** All that awaits approval as one plan: what is shown is what the digest approves. */
async function awaitedIn(selection: ApplicableChanges, routing: PlannedRouting): Promise<AwaitedApproval | undefined> {
  const { full, unapproved, digest, follows } = selection;
  if (digest === undefined) return undefined;
  const access = await inSlices(accessIfApproved(selection, routing), yieldToLoop());
  const changes = full.changes.filter(({ address }) => unapproved.has(address));
  const part = partOfPlan(full, changes.map(asApproved));
  const warnings = warningsOf(full).filter(({ address = '' }) => unapproved.has(address));
  return {
    digest,
    plan: [...(warnings.length === 0 ? [] : [diagnosticsText(warnings)]), await shownPlan(part)].join('\n'),
    summary: approvalSummary(part),
    follows: full.changes.flatMap(({ action, address }) => (follows.has(address) ? [{ action, address }] : [])),
    ...(access === undefined ? {} : { access }),
  };
}

/** What else `plan` prints: of errors, each has a pending change. */
function warningsOf({ diagnostics }: Plan): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'warning');
}

/** A change as its approval leaves it: without the block that the approval lifts. */
function asApproved({ blocked, ...change }: Change): Change {
  return blocked === undefined || isLiftedByApproval(blocked) ? change : { ...change, blocked };
}

/** Approvals that operators have requested, and those in signed commits. */
interface Approvals {
  readonly requested: OperatorRequests['approvals'];
  readonly signed: readonly ApprovalRecord[];
}

/**
 * Accepts an approval if its digest is that of the changes that are pending now. Each counts once, and one that an operator
 * requested only for what is pending when it is read: it must not take effect when other changes come back, nor a week later. A commit may be
 * read before its revision is planned, so it counts as long as it is recent, unless the same was approved since it was made. None takes
 * effect before it is written that it did.
 */
async function acceptApprovals(
  controller: Controller,
  { log, now }: Ports,
  { requested, signed }: Approvals,
  { digest, unapproved, pending }: ApplicableChanges,
): Promise<boolean> {
  const { usedApprovals, approved, salt } = controller.kept.now;
  const current = requested.filter((one) => stillCounts(one, now()));
  const unproven = new Set<UsedApproval>(current.filter((one) => !isProven(one, salt)));
  const all = [...current, ...signed];
  // What cannot be kept could be accepted twice: it waits until the watch state is written again.
  const acceptable = controller.failures.find('watch-state') !== undefined ? [] : all;
  const isUsed = (one: UsedApproval): boolean =>
    (hasApproval(signed, one) ? isUsedUpCommit : isUsedUp)(controller.kept.now, one);
  const fresh = acceptable.filter((one) => !isUsed(one));
  // One that can still be found must not be accepted again; a commit can be gone for a while.
  const still = usedApprovals.filter((one) => isRecentApproval(one, now()) || hasApproval(all, one));
  // By its date, since a commit may arrive late; what an operator requests is about what is shown now, whatever their clock says.
  const overtaken: readonly UsedApproval[] = fresh.filter(
    (one) => !hasApproval(current, one) && isOvertaken(one, still),
  );
  const isGiven = (one: UsedApproval): boolean =>
    one.digest === digest && !overtaken.includes(one) && !unproven.has(one);
  const used = fresh.filter((one) => one.digest === digest || overtaken.includes(one) || hasApproval(current, one));
  const usedUp = used.map((one) =>
    present({ digest: one.digest, at: one.at, acceptedAt: isGiven(one) ? now() : undefined }),
  );
  controller.kept.update({ usedApprovals: [...still, ...usedUp] });
  for (const one of used)
    if (unproven.has(one)) log('warn', 'approval-unused', unprovenText(one));
    else if (one.digest !== digest) log('warn', 'approval-unused', unusedText(one, digest));
  const given = fresh.find(isGiven);
  if (given === undefined) return false;
  const { digest: approval, by, at, reason } = given;
  const facts = { digest: approval, by, ...(reason === undefined ? {} : { reason }) };
  const added = pending.flatMap(({ address, cause }): [string, ApprovedChange][] => {
    const part = unapproved.get(address);
    return part === undefined || cause === undefined ? [] : [[address, { ...facts, at, part, cause }]];
  });
  controller.kept.update({ approved: { ...approved, ...Object.fromEntries(added) } });
  await controller.saveState();
  if (!controller.kept.isSaved) {
    controller.kept.update({ usedApprovals, approved });
    return false;
  }
  log('info', 'approved', `approved by ${by}${reason === undefined ? '' : `: ${reason}`}`, facts);
  return true;
}

/** Whether a change is made, or tried again: one that something else has replaced, and that waits for a person, has not failed. */
function isTriedAgain({ full, plan, pending }: ApplicableChanges): (address: Address) => boolean {
  const [open, applied] = [changedBy(full), changedBy(plan)];
  const reasons = new Map(pending.map(({ address, reason }) => [address, reason]));
  return (address) => {
    const reason = reasons.get(address);
    return open.has(address) && (applied.has(address) || reason === undefined || triedAgain.has(reason));
  };
}

const triedAgain: ReadonlySet<PendingChange['reason']> = new Set(['retry', 'refused', 'unresolved', 'dependency']);

function unusedText({ by, digest }: Pick<ApprovalRecord, 'by' | 'digest'>, pending: string | undefined): string {
  return `the approval by ${by} is not used: it approves ${digest}, and ${pending === undefined ? 'no' : 'other'} changes require approval now`;
}

function unprovenText({ by, digest }: Pick<ApprovalRecord, 'by' | 'digest'>): string {
  return `the approval of ${digest} by ${by} is not used: it was not recorded by \`sluice approve\` or on the status page, or the watch state was replaced since; approve the changes again if you reviewed them`;
}

/** What anyone can reach at the time of the refresh, although it is not meant to be public. */
function exposuresIn({ hazards }: Plan): Exposure[] {
  return hazards.flatMap(({ code, address, message, urls = [] }) =>
    code === 'PUBLICLY_EXPOSED' ? [{ address, message, urls }] : [],
  );
}

/** What breaks the access rules at the time of the refresh. */
function ruleBreachesIn({ rules = [] }: Plan): RuleBreach[] {
  return rules.flatMap((verdict) =>
    (verdict.breachesNow ?? []).map((finding) => ({
      rule: verdict.rule,
      source: verdict.source,
      address: finding.address,
      message: findingMessage(verdict, finding),
      ...present({ request: finding.request, place: finding.place, rulePlace: verdict.place }),
    })),
  );
}

/** Both values of each field that another client keeps reverting. */
function driftConflictsIn(full: Plan, { kept }: Controller): DriftConflict[] {
  return Object.entries(kept.now.repairs).flatMap(([address, own]) =>
    Object.entries(own).flatMap(([pointer, { at, conflictSince }]): DriftConflict[] => {
      const change = full.changes.find((one) => one.address === address);
      if (conflictSince === undefined || change === undefined) return [];
      const field = change.fields.find(({ path }) => pointerOf(path) === pointer);
      const sides =
        field === undefined ? { pointer, ...sidesOf(pointer) } : shownField(field, change.kind, idNames(full));
      return [{ address, ...sides, count: at.length, since: conflictSince }];
    }),
  );
}

/** Both sides of what is no field of the manifest: the resource itself, or its ownership marker. */
function sidesOf(pointer: string): Pick<DriftConflict, 'desired' | 'actual'> {
  return pointer === ''
    ? { desired: 'present', actual: 'absent' }
    : { desired: 'ownership marker as written by sluice', actual: 'other ownership marker' };
}
