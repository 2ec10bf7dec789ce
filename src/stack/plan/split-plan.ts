import { hasErrors } from '../../diagnostics/diagnostic.ts';
import { SluiceError } from '../../diagnostics/errors.ts';
import { Ref } from '../../kinds/value.ts';
import type { Address } from '../../model/address.ts';
import type { Change, Plan } from '../../model/plan.ts';
import type { PlanParts } from '../../model/plan-parts.ts';
import type { PlanInput } from '../../plan/input.ts';
import { cloneAccount } from '../service/clone-account.ts';
import type { LoadedBase } from './load-base.ts';
import { refreshScope, type RefreshFlags, type RefreshScope } from './refresh-stack.ts';
import { simulatedRun } from './simulated-run.ts';

/** A plan, what it was made from, and what to compare it with. */
export interface ToSplit {
  readonly input: PlanInput;
  /** The scope of the refresh. */
  readonly scope: RefreshScope;
  readonly loaded: LoadedBase;
  readonly flags: Pick<RefreshFlags, 'renameFrom'>;
  readonly signal?: AbortSignal;
}

/**
 * Tells what a change does from what was pending without it: applies the base in a copy of the account, and plans there.
 * Policy and protection decide about the whole plan, and not about the base.
 */
export async function splitPlan({ input, scope, loaded, flags, signal }: ToSplit): Promise<PlanParts> {
  const { base } = loaded;
  if ('inseparable' in loaded) return { base, inseparable: loaded.inseparable };
  const { wanted, stack } = loaded;
  const unhindered: PlanInput = { ...input, policy: { maxDeletes: { percent: 100 }, block: [] }, destroying: true };
  const resources = [...input.desired.resources, ...wanted.desired.resources];
  const clone = cloneAccount({ ...input, desired: { ...input.desired, resources } });
  const copy = simulatedRun(unhindered, clone, signal);
  const ofBase = { desired: wanted.desired, stack, scope: refreshScope(wanted, flags) };
  try {
    const pending = unprotected(await copy.plan(ofBase));
    const trouble = firstTrouble(pending) ?? (await appliedWithTrouble());
    if (trouble !== undefined) return { base, inseparable: `the base cannot be applied to the account: ${trouble}` };
    const change = await copy.plan({ ...input, scope });
    const [broken] = change.diagnostics.filter(({ severity }) => severity === 'error');
    if (broken !== undefined)
      return { base, inseparable: `with the base applied, there is no plan: ${broken.message}` };
    return { base, thisChange: withoutCopiedIds(change, input), pending: changing(pending) };

    async function appliedWithTrouble(): Promise<string | undefined> {
      const { failures } = await copy.apply(pending);
      const left = await copy.remaining(ofBase);
      const [failed] = [...failures, ...left.failures];
      if (failed !== undefined) return `${failed.address === undefined ? '' : `${failed.address}: `}${failed.message}`;
      const [change] = left.changes;
      return change === undefined ? undefined : `${change.address} would still differ`;
    }
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code === 'INTERRUPTED') throw error;
    return { base, inseparable: `the base cannot be applied to the account: ${error.message}` };
  }
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
  if (hasErrors(diagnostics)) return diagnostics.find(({ severity }) => severity === 'error')?.message;
  const stopped = changes.find(({ blocked }) => blocked !== undefined);
  return stopped === undefined ? undefined : `${stopped.address}: ${stopped.blocked?.message ?? ''}`;
}

function changing({ changes }: Pick<Plan, 'changes'>): readonly Change[] {
  return changes.filter(({ action }) => action !== 'none');
}

/** What the base creates has an id in the copy alone: it is named by its address. */
function withoutCopiedIds(plan: Plan, { account }: PlanInput): readonly Change[] {
  const { ours, foreign, duplicates = [], deposed = [] } = account;
  const spare = [...duplicates, ...deposed].map(({ actual }) => actual);
  const real = new Set([...ours.values(), ...foreign, ...spare].map(({ id }) => id));
  const copied = new Map(
    plan.changes.flatMap(({ id, address }): [string, Address][] =>
      id === undefined || real.has(id) ? [] : [[id, address]],
    ),
  );
  return changing(unprotected(plan)).map((change) => named({ ...change, ...idOf(change) }) as Change);

  function idOf({ id, parent }: Change): object {
    return {
      ...(id !== undefined && copied.has(id) ? { id: undefined } : {}),
      ...(parent !== undefined && copied.has(parent) ? { parent: undefined } : {}),
    };
  }

  function named(value: unknown): unknown {
    if (typeof value === 'string') return copied.has(value) ? new Ref(copied.get(value) ?? '') : value;
    if (Array.isArray(value)) return value.map(named);
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, named(item)]])),
    );
  }
}
