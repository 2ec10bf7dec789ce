import { pointerOf } from '../derive/pointer.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { yieldToLoop } from '../manifest/read/yield-to-loop.ts';
import { isEmptyPlan, type Change, type Plan } from '../model/plan/plan.ts';
import { inSlices } from '../model/sliced.ts';
import type { Address } from '../model/address.ts';
import type {
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
import { acceptApprovals, type Approvals } from './accept-approvals.ts';
import { applyApplicable } from './apply-applicable.ts';
import { loopTurn } from './timing/loop-turn.ts';
import { accessIfApproved } from './decide/access-if-approved.ts';
import { isInConflict, recordDrift } from './decide/drift-conflicts.ts';
import type { Controller } from './controller.ts';
import { changedBy, selectApplicable, type ApplicableChanges } from './decide/select-applicable.ts';
import { isLiftedByApproval } from './decide/sync-policy.ts';
import type { RefreshedStack, Ports } from './ports.ts';
import { shownField, shownPlan } from './shown-by-watch.ts';
import { approvalsIn, refusedCommit, refusedRequest } from './decide/used-approvals.ts';
import type { OperatorRequests } from './operator-requests.ts';
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
