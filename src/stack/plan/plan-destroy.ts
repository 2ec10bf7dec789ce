import { kinds } from '../../kinds/index.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { DesiredStack } from '../../model/resource.ts';
import { revisedPlan } from '../../model/plan/revised-plan.ts';
import { loadDesired, type DesiredScope } from './load-desired.ts';
import { makePlan, type Planned, type PlanningFlags } from './make-plan.ts';
import type { StackContext } from '../stack-context.ts';
import type { PlanningWorkspace } from '../workspace.ts';

const nothing: DesiredStack = { resources: [], diagnostics: [], complete: true };

/** Plans the deletion of all resources of the stack. */
export async function planDestroy(
  context: StackContext,
  workspace: PlanningWorkspace,
  flags: PlanningFlags,
): Promise<Planned & { readonly wanted: DesiredScope }> {
  const inputs = workspace.settings.manifests;
  const { desired, ...read } =
    inputs.length > 0 ? await loadDesired(context, workspace, {}, 'warning') : { desired: nothing };
  const described = desired.resources.map(({ address }) => address);
  const wanted = { ...read, desired: nothing, described, removedTargets: [] };
  const planned = await makePlan(context, workspace, wanted, { ...flags, destroying: true });
  return { ...planned, plan: protectedBy(desired, planned.plan), wanted };
}

/** Protection that a manifest gives holds even before it was applied: the strictest word counts (decisions/0032). */
function protectedBy({ resources }: DesiredStack, plan: Plan): Plan {
  const kept = new Set(
    resources
      .filter(({ kind, lifecycle }) => lifecycle.protect ?? kinds.named(kind)?.protectedBecause !== undefined)
      .map(({ address }) => address),
  );
  const blocked = {
    code: 'PROTECTED',
    message: 'the resource is protected by its manifest; set `lifecycle: {protect: false}` in the manifest',
  } as const;
  return revisedPlan(plan, {
    changes: plan.changes.map((change) =>
      change.action === 'delete' && kept.has(change.address)
        ? { ...change, blocked: change.blocked ?? blocked }
        : change,
    ),
  });
}
