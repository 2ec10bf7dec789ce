/*
 * Watch applies a plan of its own, made by the planner: pending changes are excluded, then the changes that depend on
 * them, until every change of the plan may be applied. So order, hazards and access control are checked for what is really
 * applied, and not for a part that was cut out of a larger plan.
 */
import { InvalidInput } from '../../diagnostics/errors.ts';
import { refsIn } from '../../derive/references.ts';
import type { Address } from '../../model/address.ts';
import { mapSliced, type Sliced } from '../../model/sliced.ts';
import { inNaturalOrder } from '../../model/natural-order.ts';
import { hazardsByChange, type Change, type Hazard, type Plan, getsNewId } from '../../model/plan/plan.ts';
import { present } from '../../model/present.ts';
import type { Desired } from '../../model/resource.ts';
import { isLasting } from '../../model/status/stuck-failure.ts';
import type { ChangeCause, PendingChange, WatchFailure } from '../../model/status/watch-status.ts';
import { approvalDigestInSteps, comparableInSteps, type Comparable } from '../../plan/saved/comparable.ts';
import type { DecidedPlan } from '../../plan/decide-plan.ts';
import type { PlanInput } from '../../plan/input.ts';
import { howToResolve } from '../../plan/warnings/how-to-resolve.ts';
import { planInSteps } from '../../plan/plan.ts';
import type { ApprovedChange } from '../watch-state.ts';
import {
  changeCause,
  driftedPointers,
  decideSync,
  type CauseFacts,
  type SyncContext,
  type SyncBlocker,
} from './sync-policy.ts';
import { countsAsDeletion, intendedBy, refusedByPolicy, withoutPolicy } from './policy-refusals.ts';
import { doubtfulFamilies, type InError } from './last-good.ts';
import { renamedBack } from './renamed-back.ts';
import { findDependents } from './dependents.ts';

/** A pending change as it is decided: without where it came from, and what is shown of it; its time only where it failed. */
export type HeldBackChange = Omit<PendingChange, 'since' | 'details' | 'fields' | 'introduced'> &
  Partial<Pick<PendingChange, 'since'>>;

/** Facts for the selection, beside the input of the plan. */
export interface SelectionInput extends Omit<SyncContext, 'isApproved'> {
  /** Why a change failed, if its next retry is in the future. */
  readonly failureOf: (address: Address) => WatchFailure | undefined;
  /** Digests secrets; stable between reconciliations. */
  readonly digest: (text: string) => string;
  /** What manifests with errors are about. */
  readonly inError?: InError | undefined;
  /** Approved changes, by address. */
  readonly approved: ReadonlyMap<Address, Pick<ApprovedChange, 'part' | 'cause'>>;
}

/** The changes that may be applied now, and the pending ones. */
export interface ApplicableChanges {
  /** All changes. */
  readonly full: Plan;
  /** The changes that may be applied now. */
  readonly plan: Plan;
  readonly pending: readonly HeldBackChange[];
  /** Drifted fields, by address. */
  readonly drifted: ReadonlyMap<Address, ReadonlySet<string>>;
  /** The drifted fields that `plan` repairs. */
  readonly healed: ReadonlyMap<Address, ReadonlySet<string>>;
  /** The cause of each change of `plan`. */
  readonly causes: ReadonlyMap<Address, ChangeCause>;
  /** The changes that need approval, by address. */
  readonly unapproved: Comparable;
  /** The digest of those; undefined when nothing needs approval. */
  readonly digest?: string;
  /** Pending changes that may be applied by themselves once those are. */
  readonly follows: ReadonlySet<Address>;
  /** Approved changes that are still planned in the same form, for the same reason. */
  readonly approved: ReadonlySet<Address>;
  /** What was decided for `plan`; absent where that is `full`. */
  readonly decided?: DecidedPlan;
  /** What is decided once all that needs approval has it; absent where that is `full`, or where it has errors. */
  readonly decidedIfApproved?: DecidedPlan;
  /** With all that needs approval approved, the manifests have an error that concerns everything. */
  readonly failsIfApproved?: true;
}

/** Selects the changes of a plan that may be applied now; `input` is what the plan was made from. */
export function* selectApplicable(full: Plan, input: PlanInput, given: SelectionInput): Sliced<ApplicableChanges> {
  const parts = yield* comparableInSteps(full, given.digest);
  const approved = new Set(
    full.changes.flatMap((change) => {
      const { part, cause } = given.approved.get(change.address) ?? {};
      const isSame = part !== undefined && parts.get(change.address) === part && changeCause(change, given) === cause;
      return isSame ? [change.address] : [];
    }),
  );
  yield;
  const { plan, pending, decided } = yield* splitChanges(input, full, {
    ...given,
    isApproved: (address) => approved.has(address),
  });
  const unapproved = new Map(
    pending.flatMap((held): [Address, string][] => {
      const part = held.reason === 'approval' ? parts.get(held.address) : undefined;
      return part === undefined ? [] : [[held.address, part]];
    }),
  );
  const isOnceApproved = (address: Address): boolean => approved.has(address) || unapproved.has(address);
  const once = yield* onceApproved(input, full, { plan, pending }, { ...given, isApproved: isOnceApproved });
  const drifted = yield* driftOf(full, given);
  return {
    full,
    plan,
    pending: pending.map((held) => (once.follows.has(held.address) ? { ...held, reason: 'dependency' } : held)),
    drifted,
    healed: plan === full ? drifted : yield* driftOf(plan, given),
    causes: new Map(
      yield* mapSliced(plan.changes.filter(isChange), (change): [Address, ChangeCause] => [
        change.address,
        changeCause(change, given),
      ]),
    ),
    unapproved,
    ...(decided === undefined ? {} : { decided }),
    ...once,
    ...(unapproved.size === 0
      ? {}
      : { digest: yield* approvalDigestInSteps(unapproved, [input.stack.name, input.stack.id]) }),
    approved,
  };
}

type OnceApproved = Pick<ApplicableChanges, 'follows' | 'decidedIfApproved' | 'failsIfApproved'>;

/** What can be applied if all that needs approval is approved: what only waits for that follows, and other changes stay pending. */
function* onceApproved(
  input: PlanInput,
  full: Plan,
  { plan: now, pending }: Pick<ApplicableChanges, 'plan' | 'pending'>,
  given: SelectionInput & SyncContext,
): Sliced<OnceApproved> {
  const others = pending.filter(({ reason }) => reason !== 'approval');
  if (others.length === 0 || others.length === pending.length) return { follows: new Set() };
  try {
    const { plan, decided } = yield* splitChanges(input, full, given);
    const [applied, then] = [changedBy(now), changedBy(plan)];
    const follows = others.flatMap(({ address }) => (then.has(address) && !applied.has(address) ? [address] : []));
    return { follows: new Set(follows), ...(decided === undefined ? {} : { decidedIfApproved: decided }) };
  } catch (error) {
    if (error instanceof InvalidInput) return { follows: new Set(), failsIfApproved: true };
    throw error;
  }
}

/** What a plan changes. */
export function changedBy({ changes }: Pick<Plan, 'changes'>): ReadonlySet<Address> {
  return new Set(changes.filter(isChange).map(({ address }) => address));
}

/** The drifted fields of each change. */
function* driftOf({ changes }: Plan, given: SelectionInput): Sliced<Map<Address, ReadonlySet<string>>> {
  return new Map(
    yield* mapSliced(changes.filter(isChange), (change): [Address, ReadonlySet<string>] => [
      change.address,
      new Set(driftedPointers(change, given)),
    ]),
  );
}

interface SplitChanges extends Pick<ApplicableChanges, 'plan' | 'pending'> {
  readonly decided: DecidedPlan | undefined;
}

function* splitChanges(input: PlanInput, full: Plan, given: SelectionInput & SyncContext): Sliced<SplitChanges> {
  const leave = new Set(input.leave);
  const without = new Map<Address, ReadonlyMap<string, SyncBlocker>>();
  const pending = new Map<Address, HeldBackChange>();
  const facts: FactsOfChanges = {
    changes: new Map(full.changes.map((change) => [change.address, change])),
    hazards: hazardsByChange(full.hazards),
  };
  let decided: DecidedPlan | undefined;
  function* planned(): Sliced<Plan> {
    const resources = input.desired.resources.map((one) => withoutFields(one, without));
    const found = yield* planInSteps({ ...withoutPolicy(input), leave, desired: { ...input.desired, resources } });
    ({ decided } = found);
    return found.plan;
  }
  const userOf = yield* findDependents(input);
  const waiting = renamedBack(full, input);
  const judgements = {
    isApproved: given.isApproved,
    isDoubtful: doubtfulFamilies(input, given.inError),
    isIntended: intendedBy(full, input),
  };
  let isFirst = true;
  let plan = full.changes.some(({ blocked }) => blocked !== undefined) ? yield* planned() : full;
  // Every round excludes at least one more change, so this ends.
  for (;;) {
    const lacking = plan.diagnostics.filter(({ severity }) => severity === 'error');
    const open = plan.changes.filter((change) => isChange(change) && !leave.has(change.address));
    const hasMore =
      // Before errors: the plan reports such deletions, too, and not what they wait for.
      blockEach(open, dependentOf) ||
      blockEach(open, ({ address }) => waiting.get(address)) ||
      blockInvalid(lacking, plan) ||
      (yield* mapSliced(open, blockUnresolved)).includes(true) ||
      (yield* mapSliced(open, blockBySettings)).includes(true) ||
      blockEach(open, policyOf(plan)) ||
      blockEach(open, failureOf);
    yield;
    if (!hasMore) break;
    isFirst = false;
    plan = yield* planned();
  }
  for (const { address } of full.unresolved)
    if (!pending.has(address))
      pending.set(address, { ...pendingChange(address, unresolved(address), facts, given), action: 'create' });
  const held = [...pending.values(), ...partlyPending(without, pending, facts, given)];
  return { plan, decided, pending: held.sort((a, b) => inNaturalOrder(a.address, b.address)) };

  function block({ address, movedFrom }: Pick<Change, 'address' | 'movedFrom'>, stop: SyncBlocker): true {
    leave.add(address);
    if (movedFrom !== undefined) leave.add(movedFrom);
    pending.set(address, pendingChange(address, stop, facts, given));
    return true;
  }

  function blockInvalid(errors: Plan['diagnostics'], { diagnostics, changes }: Plan): boolean {
    const left = new Set(leave);
    for (const { address, message: text, hint, heldBack = [] } of errors) {
      const message = hint === undefined ? text : `${text} (${hint})`;
      const change = changes.find((one) => one.address === address);
      const blocker = isFirst ? { reason: 'plan-error' as const, message } : dependency(address, message);
      if (address !== undefined && !left.has(address)) block(change ?? { address }, blocker);
      // An error without an address, or of an excluded resource, remains whatever is excluded.
      else throw new InvalidInput(diagnostics);
      for (const other of heldBack)
        if (!leave.has(other)) block(changes.find((one) => one.address === other) ?? { address: other }, blocker);
    }
    return errors.length > 0;
  }

  /** What lacks something since another change was excluded waits for that. */
  function dependency(address: Address | undefined, message: string): SyncBlocker {
    const desired = input.desired.resources.find((one) => one.address === address);
    const waitsFor = refsIn(desired?.spec).find((one) => leave.has(one));
    return { reason: 'dependency', message, ...(waitsFor === undefined ? {} : { waitsFor }) };
  }

  /** Blocks the changes with a reason for it; all reasons are found before any of them is excluded. */
  function blockEach(open: readonly Change[], reasonOf: (change: Change) => SyncBlocker | undefined): boolean {
    const found = open.flatMap((change) => {
      const stop = reasonOf(change);
      return stop === undefined ? [] : [{ change, stop }];
    });
    for (const { change, stop } of found) block(change, stop);
    return found.length > 0;
  }

  /** A deletion waits for an excluded dependent: a reference or a child. */
  function dependentOf(change: Change): SyncBlocker | undefined {
    const user = countsAsDeletion(change) ? userOf(change, leave) : undefined;
    if (user === undefined) return undefined;
    return { reason: 'dependency', waitsFor: user, message: `${user} still depends on this resource` };
  }

  /** A resource that may exist already is not created again. */
  function blockUnresolved(change: Change): boolean {
    const isLost = getsNewId(change.action) && full.unresolved.some(({ address }) => address === change.address);
    return isLost && block(change, unresolved(change.address));
  }

  function blockBySettings(change: Change): boolean {
    const decision = decideSync(change, given);
    if (!decision.isAllowed) return block(change, decision);
    const [stop] = decision.without.values();
    if (stop === undefined) return false;
    const before = without.get(change.address) ?? new Map<string, SyncBlocker>();
    // A field that is still planned although it was excluded can only be excluded with the whole change.
    if ([...decision.without.keys()].every((pointer) => before.has(pointer))) return block(change, stop);
    without.set(change.address, new Map([...before, ...decision.without]));
    return true;
  }

  function policyOf(part: Plan): (change: Change) => SyncBlocker | undefined {
    const refused = refusedByPolicy(part, input, judgements);
    return ({ address }) => {
      const refusal = refused.get(address);
      const [excluded] = without.get(address)?.values() ?? [];
      // What a change would open without its excluded fields is pending for what these are pending for: no other change ends that.
      return refusal?.reason !== 'dependency' || excluded === undefined
        ? refusal
        : { ...refusal, reason: excluded.reason, message: `${excluded.message}; ${refusal.message}` };
    };
  }

  function failureOf({ address }: Change): SyncBlocker | undefined {
    const failure = given.failureOf(address);
    return failure && afterFailure(failure);
  }
}

/** Why a change that failed is pending until its retry. */
export function afterFailure(failure: WatchFailure): SyncBlocker {
  const { message, since, nextAttempt: until } = failure;
  const reason: SyncBlocker['reason'] = isLasting(failure) ? 'refused' : 'retry';
  return present({ reason, message, since, until });
}

function unresolved(address: Address): SyncBlocker {
  return { reason: 'unresolved', message: `the outcome of the creation is unknown; ${howToResolve(address)}` };
}

/** The desired resource without its excluded fields. */
function withoutFields(desired: Desired, without: ReadonlyMap<Address, ReadonlyMap<string, SyncBlocker>>): Desired {
  const pointers = without.get(desired.address);
  if (pointers === undefined) return desired;
  const { lifecycle } = desired;
  return { ...desired, lifecycle: { ...lifecycle, ignore: [...(lifecycle.ignore ?? []), ...pointers.keys()] } };
}

function isChange({ action }: Change): boolean {
  return action !== 'none';
}

/** What is planned of each resource, and the hazards that each change causes. */
interface FactsOfChanges {
  readonly changes: ReadonlyMap<Address, Change>;
  readonly hazards: ReadonlyMap<Address, readonly Hazard[]>;
}

function pendingChange(address: Address, stop: SyncBlocker, facts: FactsOfChanges, given: CauseFacts): HeldBackChange {
  const change = facts.changes.get(address);
  const { reason, waitsFor, message, hazardCode, since, until } = stop;
  const cause = stop.cause ?? (change === undefined ? undefined : changeCause(change, given));
  const action = change?.action ?? 'none';
  const hazards = facts.hazards.get(address) ?? [];
  return present({ address, action, reason, waitsFor, message, hazardCode, since, until, hazards, cause });
}

/** Updates that are applied without some of their fields: the excluded fields are pending. */
function partlyPending(
  without: ReadonlyMap<Address, ReadonlyMap<string, SyncBlocker>>,
  pending: ReadonlyMap<Address, HeldBackChange>,
  facts: FactsOfChanges,
  given: CauseFacts,
): HeldBackChange[] {
  return [...without].flatMap(([address, stops]) => {
    const [first] = stops.values();
    if (first === undefined || pending.has(address)) return [];
    const message = [...stops].map(([pointer, stop]) => `${pointer}: ${stop.message}`).join('; ');
    return [pendingChange(address, { ...first, message }, facts, given)];
  });
}
