/*
 * What watch carries out is a plan of its own, made by the planner: everything that waits is left out of what is
 * planned, and what then lacks something it needs is left out too, until a plan is found in which all may be done.
 * So order, hazards and law 4 hold for what is really done, not for something that was cut out of a larger plan.
 */
import { hasErrors } from '../diagnostics/diagnostic.ts';
import { InvalidInput } from '../diagnostics/errors.ts';
import type { Address } from '../model/address.ts';
import type { Change, Plan } from '../model/plan.ts';
import type { Desired } from '../model/resource.ts';
import type { Waiting } from '../model/watch-status.ts';
import { comparable, digestOf } from '../plan/comparable.ts';
import type { PlanInput } from '../plan/input.ts';
import { planStack } from '../plan/plan.ts';
import { causeOf, driftIn, judge, type Cause, type Circumstances, type Stop } from './judge.ts';

/** A change that waits, but for since when. */
export type Held = Omit<Waiting, 'since'>;

/** What may be done now, and what waits for what. */
export interface Narrowed {
  /** Everything that the manifests ask for. */
  readonly full: Plan;
  /** What may be carried out now. */
  readonly plan: Plan;
  readonly waiting: readonly Held[];
  /** Fields that others have moved, by address. */
  readonly drifted: ReadonlyMap<Address, ReadonlySet<string>>;
  /** Why each change of `plan` is made. */
  readonly causes: ReadonlyMap<Address, Cause>;
  /** Stands for all that waits for approval, as it would be done; undefined when nothing does. */
  readonly digest?: string;
  /** The digest of what a person approved and what is therefore part of `plan`. */
  readonly approved?: string;
}

/** Finds what may be done now. `approvals` are digests that persons have approved. */
export function narrow(
  input: PlanInput,
  given: Omit<Circumstances, 'isApproved'>,
  approvals: ReadonlySet<string>,
): Narrowed {
  const found = settle(input, { ...given, isApproved: () => false });
  if (found.digest === undefined || !approvals.has(found.digest)) return found;
  const lifted = new Set(waitingFor(found.waiting, 'approval'));
  const lenient = settle(
    {
      ...input,
      allow: [...(input.allow ?? []), ...found.full.hazards.map(({ code }) => code)],
      policy: { ...input.policy, maxDeletes: { count: Number.MAX_SAFE_INTEGER } },
    },
    { ...given, isApproved: (address) => lifted.has(address) },
  );
  // Where approval of these would let a danger of others pass, nobody has approved that.
  const refused = new Set(input.policy.block);
  const foreign = lenient.plan.hazards.filter(
    ({ code, momentary, address }) => (refused.has(code) || momentary === true) && !lifted.has(address),
  );
  return foreign.length > 0 ? found : { ...lenient, full: found.full, approved: found.digest };
}

function settle(input: PlanInput, given: Circumstances): Narrowed {
  const leave = new Set(input.leave);
  const without = new Map<Address, ReadonlyMap<string, Stop>>();
  const waiting = new Map<Address, Held>();
  const hold = (address: Address, held: Held): void => {
    leave.add(address);
    waiting.set(address, held);
  };
  const full = planStack(input);
  let plan = full;
  for (let rounds = full.changes.length * 2 + 2; rounds > 0; rounds--) {
    const before = leave.size + without.size;
    for (const { address, message } of plan.diagnostics.filter(({ severity }) => severity === 'error')) {
      if (address === undefined || leave.has(address)) throw new InvalidInput(plan.diagnostics);
      hold(address, heldFor(plan === full ? 'manifest' : 'another', message, address, full));
    }
    for (const change of plan.changes) {
      if (change.action === 'none' || leave.has(change.address)) continue;
      const judgement = judge(change, given);
      if (!judgement.goes) {
        const { for: cause, why, until } = judgement;
        const held = heldFor(cause, why, change.address, full);
        hold(change.address, until === undefined ? held : { ...held, until });
        if (change.movedFrom !== undefined) leave.add(change.movedFrom);
      } else if (judgement.without.size > 0 && !without.has(change.address))
        without.set(change.address, judgement.without);
    }
    if (leave.size + without.size === before) break;
    plan = planStack({
      ...input,
      leave,
      desired: { ...input.desired, resources: input.desired.resources.map(lessen) },
    });
  }
  if (hasErrors(plan.diagnostics)) throw new InvalidInput(plan.diagnostics);
  const digest = digestFor(full, waitingFor([...waiting.values()], 'approval'), input);
  return {
    full,
    plan,
    waiting: [...waiting.values(), ...partly(without, full)].sort((a, b) => (a.address < b.address ? -1 : 1)),
    drifted: new Map(
      full.changes.filter(isChange).map((change) => [change.address, new Set(driftIn(change, given))] as const),
    ),
    causes: new Map(plan.changes.filter(isChange).map((change) => [change.address, causeOf(change, given)] as const)),
    ...(digest === undefined ? {} : { digest }),
  };

  /** The resource as wanted, but for fields that are left as they are. */
  function lessen(desired: Desired): Desired {
    const pointers = without.get(desired.address);
    if (pointers === undefined) return desired;
    const { lifecycle } = desired;
    return { ...desired, lifecycle: { ...lifecycle, ignore: [...(lifecycle.ignore ?? []), ...pointers.keys()] } };
  }
}

function isChange({ action }: Change): boolean {
  return action !== 'none';
}

function heldFor(cause: Held['for'], why: string, address: Address, full: Plan): Held {
  return {
    address,
    action: full.changes.find((change) => change.address === address)?.action ?? 'none',
    for: cause,
    why,
    hazards: full.hazards.filter((hazard) => hazard.address === address),
  };
}

/** Updates that go on without some of their fields: what is left out waits too. */
function partly(without: ReadonlyMap<Address, ReadonlyMap<string, Stop>>, full: Plan): Held[] {
  return [...without].flatMap(([address, stops]) => {
    const [first] = stops.values();
    const why = [...stops].map(([pointer, stop]) => `${pointer}: ${stop.why}`).join('; ');
    return first === undefined ? [] : [heldFor(first.for, why, address, full)];
  });
}

function waitingFor(waiting: readonly Held[], cause: Held['for']): Address[] {
  return waiting.filter((held) => held.for === cause).map(({ address }) => address);
}

/** What is approved by a digest: these changes just as they would be made, in this stack. */
function digestFor(full: Plan, addresses: readonly Address[], { digest, stack }: PlanInput): string | undefined {
  if (addresses.length === 0) return undefined;
  const whole = comparable(full, digest);
  const parts = addresses.flatMap((address): [Address, string][] => {
    const part = whole.get(address);
    return part === undefined ? [] : [[address, part]];
  });
  return digestOf(new Map(parts), [stack.name, stack.id]);
}
