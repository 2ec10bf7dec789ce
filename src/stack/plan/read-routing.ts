import { OutsideValue, Secret } from '../../kinds/value.ts';
import { kinds } from '../../kinds/index.ts';
import type { Address } from '../../model/address.ts';
import type { DesiredStack } from '../../model/resource.ts';
import { plannedRouting, type PlannedRouting } from '../../plan/access-policy/planned-routing.ts';
import { decidePlan } from '../../plan/decide-plan.ts';
import type { StackContext } from '../stack-context.ts';
import type { Workspace } from '../workspace.ts';
import { loadDesired, type DesiredScope } from './load-desired.ts';
import { planInput, type PlanningFlags } from './make-plan.ts';
import { readPlanFile, requireMatchingPlan } from './plan-file.ts';
import { refreshStack } from './refresh-stack.ts';

/** The edges and routes of a stack, and where the manifests define them. */
interface StackRouting extends PlannedRouting {
  /** `file:line` by address. */
  readonly sources: ReadonlyMap<Address, string>;
}

/** Reads the account, and plans: by the manifests, or by what they were when a plan was saved. */
export async function readRouting(
  context: StackContext,
  workspace: Workspace,
  savedPlan?: string,
): Promise<StackRouting> {
  const { wanted, planning } =
    savedPlan === undefined
      ? { wanted: await loadDesired(context, workspace, {}, 'warning'), planning: {} }
      : readSaved(context, workspace, savedPlan);
  const account = await refreshStack(context, workspace, wanted, { acceptMissing: true, ...planning });
  const routing = plannedRouting(decidePlan(planInput(context, workspace, wanted, account, planning)));
  return { ...routing, sources: sourcesOf(wanted.desired) };
}

/** The manifests of a saved plan. No secret decides which route takes a request, so none is read. */
function readSaved(
  context: StackContext,
  workspace: Workspace,
  file: string,
): { readonly wanted: DesiredScope; readonly planning: PlanningFlags } {
  const saved = readPlanFile(context, file);
  requireMatchingPlan(context, workspace, saved, undefined);
  const desired = saved.desired(({ origin, isOutside }) =>
    isOutside ? new OutsideValue('', origin) : new Secret('', origin),
  );
  const isDestroying = saved.run.destroying === true;
  const wanted = { desired, described: saved.run.described, removedTargets: saved.run.targets };
  return { wanted, planning: { ...saved.run, ...(isDestroying ? { destroying: true } : {}) } };
}

function sourcesOf({ resources }: DesiredStack): ReadonlyMap<Address, string> {
  return new Map(
    resources
      .filter(({ kind }) => kinds.named(kind)?.traffic !== undefined)
      .map(({ address, place: { file, line } }) => [address, `${file}:${String(line)}`]),
  );
}
