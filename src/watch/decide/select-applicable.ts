/*
 * What watch carries out is a plan of its own, made by the planner: everything that waits is left out of what is
 * planned, and what then lacks something it needs is left out too, until a plan is found in which all may be done.
 * So order, hazards and law 4 hold for what is really done, not for something that was cut out of a larger plan.
 */
import { InvalidInput } from '../../diagnostics/errors.ts';
import type { Address } from '../../model/address.ts';
import { getsNewId } from '../../model/replacement.ts';
import type { Change, Plan } from '../../model/plan.ts';
import type { Desired } from '../../model/resource.ts';
import type { PendingChange } from '../../model/watch-status.ts';
import { comparable, approvalDigest, type Comparable } from '../../plan/saved/comparable.ts';
import type { PlanInput } from '../../plan/input.ts';
import { howToResolve } from '../../plan/how-to-resolve.ts';
import { planStack } from '../../plan/plan.ts';
import {
  changeCause,
  driftedPointers,
  decideSync,
  type ChangeCause,
  type SyncContext,
  type SyncBlocker,
} from './sync-policy.ts';
import { countsAsDeletion, refusedByPolicy, withoutPolicy } from './policy-refusals.ts';
import { findDependents } from './dependents.ts';

/** A change that waits, but for since when. */
export type HeldBackChange = Omit<PendingChange, 'since'>;

/** What narrowing needs beside the input of the plan. */
export interface SelectionInput extends Omit<SyncContext, 'isApproved'> {
  /** When a change that failed may be tried again, if that is still to come. */
  readonly retryAt: (address: Address) => number | undefined;
  /** Digests of secrets that stay the same from turn to turn. */
  readonly digest: (text: string) => string;
  /** Changes as persons have approved them, by address. */
  readonly approved: Comparable;
}

/** What may be done now, and what waits for what. */
export interface ApplicableChanges {
  /** Everything that the manifests ask for. */
  readonly full: Plan;
  /** What may be carried out now. */
  readonly plan: Plan;
  readonly waiting: readonly HeldBackChange[];
  /** Fields that others have moved, by address. */
  readonly drifted: ReadonlyMap<Address, ReadonlySet<string>>;
  /** Those of them that `plan` puts back. */
  readonly healed: ReadonlyMap<Address, ReadonlySet<string>>;
  /** Why each change of `plan` is made. */
  readonly causes: ReadonlyMap<Address, ChangeCause>;
  /** All that waits for approval, each change as it would be made, by address. */
  readonly unapproved: Comparable;
  /** Stands for that; undefined when nothing waits for approval. */
  readonly digest?: string;
  /** What persons have approved and what is still to be done just so. */
  readonly approved: Comparable;
}

/** Finds what may be done now. */
export function selectApplicable(input: PlanInput, given: SelectionInput): ApplicableChanges {
  const full = planStack(input);
  const parts = comparable(full, given.digest);
  const approved = new Map([...given.approved].filter(([address, part]) => parts.get(address) === part));
  const { plan, waiting } = settle(input, full, { ...given, isApproved: (address) => approved.has(address) });
  const unapproved = new Map(
    waiting.flatMap((held): [Address, string][] => {
      const part = held.reason === 'approval' ? parts.get(held.address) : undefined;
      return part === undefined ? [] : [[held.address, part]];
    }),
  );
  const driftOf = (plan: Plan): Map<Address, ReadonlySet<string>> =>
    new Map(plan.changes.filter(isChange).map((change) => [change.address, new Set(driftedPointers(change, given))]));
  return {
    full,
    plan,
    waiting,
    drifted: driftOf(full),
    healed: driftOf(plan),
    causes: new Map(plan.changes.filter(isChange).map((change) => [change.address, changeCause(change, given)])),
    unapproved,
    ...(unapproved.size === 0 ? {} : { digest: approvalDigest(unapproved, [input.stack.name, input.stack.id]) }),
    approved,
  };
}

function settle(
  input: PlanInput,
  full: Plan,
  given: SelectionInput & SyncContext,
): { readonly plan: Plan; readonly waiting: readonly HeldBackChange[] } {
  const leave = new Set(input.leave);
  const without = new Map<Address, ReadonlyMap<string, SyncBlocker>>();
  const waiting = new Map<Address, HeldBackChange>();
  const planned = (): Plan =>
    planStack({
      ...withoutPolicy(input),
      leave,
      desired: { ...input.desired, resources: input.desired.resources.map((one) => lessen(one, without)) },
    });
  const users = findDependents(input);
  let isFirst = true;
  let plan = full.changes.some(({ blocked }) => blocked !== undefined) ? planned() : full;
  // Every round leaves out something more, so there is an end.
  for (;;) {
    const lacking = plan.diagnostics.filter(({ severity }) => severity === 'error');
    const open = plan.changes.filter((change) => isChange(change) && !leave.has(change.address));
    const isNews =
      holdLacking(lacking, plan) ||
      open.map(holdUnresolved).includes(true) ||
      open.map(holdJudged).includes(true) ||
      holdNeeded(open) ||
      holdRefused(open) ||
      holdFailed(open);
    if (!isNews) break;
    isFirst = false;
    plan = planned();
  }
  for (const { address } of full.unresolved)
    if (!waiting.has(address))
      waiting.set(address, { ...heldFor(address, unresolved(address), full), action: 'create' });
  const held = [...waiting.values(), ...partly(without, waiting, full)];
  return { plan, waiting: held.sort((a, b) => (a.address < b.address ? -1 : 1)) };

  function hold(
    { address, movedFrom }: Pick<Change, 'address' | 'movedFrom'>,
    stop: SyncBlocker & Pick<HeldBackChange, 'until'>,
  ): true {
    leave.add(address);
    if (movedFrom !== undefined) leave.add(movedFrom);
    waiting.set(address, heldFor(address, stop, full));
    return true;
  }

  function holdLacking(errors: Plan['diagnostics'], { diagnostics, changes }: Plan): boolean {
    const left = new Set(leave);
    for (const { address, message } of errors) {
      const change = changes.find((one) => one.address === address);
      const home = changes.find((one) => one.address === change?.withParent);
      const blocker = { reason: isFirst ? ('invalid-manifest' as const) : ('dependency' as const), message };
      if (address !== undefined && !left.has(address)) hold(change ?? { address }, blocker);
      else if (home !== undefined && !left.has(home.address)) hold(home, blocker);
      // What is wrong with all, or with what is left out already, stays wrong whatever is left out.
      else throw new InvalidInput(diagnostics);
    }
    return errors.length > 0;
  }

  /** What cannot go because of something that is left as it is: that refers to it, or lives in it. */
  function holdNeeded(open: readonly Change[]): boolean {
    const found = open.flatMap((change) => {
      const user = countsAsDeletion(change) ? users.of(change, leave) : undefined;
      return user === undefined ? [] : [{ change, user }];
    });
    for (const { change, user } of found)
      hold(change, { reason: 'dependency', message: `${user} depends on it and is pending itself` });
    return found.length > 0;
  }

  /** What may exist already is not created once more. */
  function holdUnresolved(change: Change): boolean {
    const isLost = getsNewId(change.action) && full.unresolved.some(({ address }) => address === change.address);
    return isLost && hold(change, unresolved(change.address));
  }

  function holdJudged(change: Change): boolean {
    const judgement = decideSync(change, given);
    if (!judgement.goes) return hold(change, judgement);
    const [stop] = judgement.without.values();
    if (stop === undefined) return false;
    const before = without.get(change.address) ?? new Map<string, SyncBlocker>();
    // A field that shows up although it was to be left as it is can only be left with all the rest.
    if ([...judgement.without.keys()].every((pointer) => before.has(pointer))) return hold(change, stop);
    without.set(change.address, new Map([...before, ...judgement.without]));
    return true;
  }

  function holdRefused(open: readonly Change[]): boolean {
    const refused = refusedByPolicy(plan, input, given.isApproved);
    const found = open.filter(({ address }) => refused.has(address));
    for (const change of found) hold(change, { reason: 'approval', message: refused.get(change.address) ?? '' });
    return found.length > 0;
  }

  function holdFailed(open: readonly Change[]): boolean {
    const found = open.filter(({ address }) => given.retryAt(address) !== undefined);
    for (const change of found) {
      const until = given.retryAt(change.address);
      hold(change, {
        reason: 'retry',
        message: 'failed; a retry is scheduled',
        ...(until === undefined ? {} : { until }),
      });
    }
    return found.length > 0;
  }
}

function unresolved(address: Address): SyncBlocker {
  return { reason: 'unresolved', message: `the outcome of its creation is unknown; ${howToResolve(address)}` };
}

/** The resource as wanted, but for fields that are left as they are. */
function lessen(desired: Desired, without: ReadonlyMap<Address, ReadonlyMap<string, SyncBlocker>>): Desired {
  const pointers = without.get(desired.address);
  if (pointers === undefined) return desired;
  const { lifecycle } = desired;
  return { ...desired, lifecycle: { ...lifecycle, ignore: [...(lifecycle.ignore ?? []), ...pointers.keys()] } };
}

function isChange({ action }: Change): boolean {
  return action !== 'none';
}

function heldFor(
  address: Address,
  { reason, message, until }: SyncBlocker & Pick<HeldBackChange, 'until'>,
  full: Plan,
): HeldBackChange {
  return {
    address,
    action: full.changes.find((change) => change.address === address)?.action ?? 'none',
    reason,
    message,
    hazards: full.hazards.filter((hazard) => hazard.address === address),
    ...(until === undefined ? {} : { until }),
  };
}

/** Updates that go on without some of their fields: what is left out waits too. */
function partly(
  without: ReadonlyMap<Address, ReadonlyMap<string, SyncBlocker>>,
  waiting: ReadonlyMap<Address, HeldBackChange>,
  full: Plan,
): HeldBackChange[] {
  return [...without].flatMap(([address, stops]) => {
    const [first] = stops.values();
    if (first === undefined || waiting.has(address)) return [];
    const message = [...stops].map(([pointer, stop]) => `${pointer}: ${stop.message}`).join('; ');
    return [heldFor(address, { reason: first.reason, message }, full)];
  });
}
