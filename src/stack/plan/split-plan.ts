import { SluiceError } from '../../diagnostics/errors.ts';
import { Ref } from '../../kinds/value.ts';
import { everyActual } from '../../model/actual.ts';
import type { Address } from '../../model/address.ts';
import type { Change, Plan } from '../../model/plan/plan.ts';
import type { PendingParts, PlanParts } from '../../model/plan/plan-parts.ts';
import type { PlanInput } from '../../plan/input.ts';
import { cloneAccount } from '../service/clone-account.ts';
import type { LoadedBase, LoadedApplied } from './load-revision.ts';
import type { CommittedStack } from './load-commit.ts';
import type { DesiredScope } from './load-desired.ts';
import { refreshScope, type RefreshFlags, type RefreshScope } from './refresh-stack.ts';
import { simulatedRun, type SimulatedRun, type SimulatedStack } from './simulated-run.ts';

/** A plan, what it was made from, and what to compare it with. */
export interface ToSplit {
  readonly input: PlanInput;
  readonly scope: RefreshScope;
  readonly loaded: LoadedBase;
  readonly applied: LoadedApplied;
  readonly flags: Pick<RefreshFlags, 'renameFrom'>;
  readonly signal?: AbortSignal;
}

/**
 * Separates what a change does from what was pending without it: applies the base in a copy of the account, and plans there.
 * If the last applied commit is known, drift is separated from changes that were not applied yet in the same way.
 */
export async function splitPlan(given: ToSplit): Promise<PlanParts> {
  const { input, scope, loaded } = given;
  const { base } = loaded;
  if ('inseparable' in loaded) return { base, inseparable: loaded.inseparable };
  const copy = copyOf(given, [loaded.wanted]);
  const pending = await copy.apply(loaded);
  if ('trouble' in pending)
    return { base, inseparable: `a simulated apply of the base commit fails: ${pending.trouble}` };
  const change = await copy.plan({ ...input, scope });
  if ('trouble' in change)
    return { base, inseparable: `no plan is possible after a simulated apply of the base commit: ${change.trouble}` };
  return {
    base,
    thisChange: change.changes,
    pending: pending.changes,
    applied: await pendingParts(given, loaded, pending.changes),
  };
}

/** What was pending in two parts, in a copy of its own. */
async function pendingParts(
  given: ToSplit,
  base: CommittedStack & LoadedBase,
  pending: readonly Change[],
): Promise<PendingParts | { readonly unknown: string }> {
  const { applied } = given;
  if ('unknown' in applied) return applied;
  const { commit, wanted } = applied;
  if (commit === base.base.commit) return { commit, drift: pending, notApplied: [] };
  const last = `the last applied commit ${commit.slice(0, 12)}`;
  const copy = copyOf(given, [wanted, base.wanted]);
  const drift = await copy.apply(applied);
  if ('trouble' in drift) return { unknown: `a simulated apply of ${last} fails: ${drift.trouble}` };
  const notApplied = await copy.apply(base);
  if ('trouble' in notApplied)
    return { unknown: `after ${last}, a simulated apply of the base commit fails: ${notApplied.trouble}` };
  return { commit, drift: drift.changes, notApplied: notApplied.changes };
}

/** The changes from one step to the next, or what is in the way. */
type Part = { readonly changes: readonly Change[] } | { readonly trouble: string };

/**
 * A copy of the account, which other manifests are applied to one after another. Policy and protection decide about the
 * whole plan, and not about its parts.
 */
function copyOf(
  { input, flags, signal }: ToSplit,
  others: readonly DesiredScope[],
): {
  readonly apply: (stack: CommittedStack) => Promise<Part>;
  readonly plan: (stack: SimulatedStack) => Promise<Part>;
} {
  const unhindered: PlanInput = { ...input, policy: { maxDeletes: { percent: 100 }, block: [] }, destroying: true };
  const resources = [input.desired, ...others.map(({ desired }) => desired)].flatMap((desired) => desired.resources);
  const clone = cloneAccount({ ...input, desired: { ...input.desired, resources } });
  const copy = simulatedRun(unhindered, clone, signal);
  return {
    apply: ({ wanted, stack }) =>
      orTrouble(async () => {
        const committed = { desired: wanted.desired, stack, scope: refreshScope(wanted, flags) };
        const plan = unprotected(await copy.plan(committed));
        const trouble = firstTrouble(plan) ?? (await appliedWithTrouble(copy, plan, committed));
        return trouble === undefined ? { changes: withoutCopiedIds(plan, input) } : { trouble };
      }),
    plan: (wanted) =>
      orTrouble(async () => {
        const plan = await copy.plan(wanted);
        const broken = plan.diagnostics.find(({ severity }) => severity === 'error');
        return broken === undefined ? { changes: withoutCopiedIds(plan, input) } : { trouble: broken.message };
      }),
  };
}

async function orTrouble(part: () => Promise<Part>): Promise<Part> {
  try {
    return await part();
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code === 'INTERRUPTED') throw error;
    return { trouble: error.message };
  }
}

async function appliedWithTrouble(copy: SimulatedRun, plan: Plan, stack: SimulatedStack): Promise<string | undefined> {
  const {
    failures: [failed],
    remaining: [change],
  } = await copy.apply(plan, stack);
  if (failed !== undefined) return `${failed.address === undefined ? '' : `${failed.address}: `}${failed.message}`;
  return change === undefined ? undefined : `${change.address} would still differ after the apply`;
}

/** What a person decides about is the whole plan; what the service would refuse is no matter of policy. */
function unprotected(plan: Plan): Plan {
  return {
    ...plan,
    changes: plan.changes.map((change) => {
      if (change.blocked === undefined || change.blocked.code === 'CONTAINS_UNMANAGED') return change;
      const { blocked: _, ...rest } = change;
      return rest;
    }),
  };
}

function firstTrouble({ diagnostics, changes }: Plan): string | undefined {
  const broken = diagnostics.find(({ severity }) => severity === 'error');
  const stopped = changes.find(({ blocked }) => blocked !== undefined);
  return broken?.message ?? (stopped && `${stopped.address}: ${stopped.blocked?.message ?? ''}`);
}

/** What an earlier part creates has an id in the copy alone: it is named by its address. */
function withoutCopiedIds(plan: Plan, { account }: PlanInput): readonly Change[] {
  const real = new Set(everyActual(account).map(({ id }) => id));
  const copied = new Map(
    plan.changes.flatMap(({ id, address }): [string, Address][] =>
      id === undefined || real.has(id) ? [] : [[id, address]],
    ),
  );
  const ownId = (id: string | undefined): string | undefined => (copied.has(id ?? '') ? undefined : id);
  return unprotected(plan)
    .changes.filter(({ action }) => action !== 'none')
    .map((change) => named({ ...change, id: ownId(change.id), parent: ownId(change.parent) }) as Change);

  function named(value: unknown): unknown {
    if (typeof value === 'string') return copied.has(value) ? new Ref(copied.get(value) ?? '') : value;
    if (Array.isArray(value)) return value.map(named);
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, named(item)]])),
    );
  }
}
