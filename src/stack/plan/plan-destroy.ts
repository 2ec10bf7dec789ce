import { safeText } from '../../diagnostics/safe-text.ts';
import type { Address } from '../../model/address.ts';
import { type Blocked, type Plan, revisedPlan } from '../../model/plan/plan.ts';
import type { DesiredStack } from '../../model/resource.ts';
import { atOnce } from '../../model/sliced.ts';
import { flagsOf } from '../../plan/decide.ts';
import { matchResources } from '../../plan/match-resources.ts';
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
  const wanted = { ...read, desired: nothing, described, whole: desired.resources, removedTargets: [] };
  const planned = await makePlan(context, workspace, wanted, { ...flags, destroying: true });
  return { ...planned, plan: withProtection(desired, planned), wanted };
}

/** Protection that a manifest gives holds even before it was applied, and under a former address: the strictest word counts (decisions/0032). */
function withProtection(desired: DesiredStack, { plan, input }: Planned): Plan {
  const { pairs } = atOnce(matchResources({ ...input, desired }));
  const kept = new Map(
    pairs.flatMap(({ address, kind, desired: wanted, actual, movedFrom = address }): [Address, Blocked][] =>
      wanted === undefined || actual === undefined || !flagsOf(kind, wanted.lifecycle).protect
        ? []
        : [[movedFrom, protectedBy(address, movedFrom === address)]],
    ),
  );
  return revisedPlan(plan, {
    changes: plan.changes.map((change) => {
      const blocked = change.action === 'delete' ? (change.blocked ?? kept.get(change.address)) : undefined;
      return blocked === undefined ? change : { ...change, blocked };
    }),
  });
}

function protectedBy(manifest: Address, isItsOwn: boolean): Blocked {
  return {
    code: 'PROTECTED',
    message: `the resource is protected by ${isItsOwn ? 'its manifest' : `the manifest of ${safeText(manifest)}`}; set \`lifecycle: {protect: false}\` in the manifest`,
    manifest,
  };
}
