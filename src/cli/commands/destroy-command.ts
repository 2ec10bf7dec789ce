import { kinds } from '../../kinds/index.ts';
import type { DesiredStack } from '../../model/resource.ts';
import type { Plan } from '../../model/plan.ts';
import { approveAndApply, type ApprovalFlags } from '../approve-and-apply.ts';
import type { Context } from '../context.ts';
import { loadDesired } from '../../stack/plan/load-desired.ts';
import { makePlan } from '../../stack/plan/make-plan.ts';
import { openWorkspace } from '../../stack/workspace.ts';

/** What is approved in advance. */
export interface DestroyFlags extends ApprovalFlags {
  readonly parallelism: number;
  readonly allow?: readonly string[];
  /** Also delete duplicates. */
  readonly keepOldest?: boolean;
}

const nothing: DesiredStack = { resources: [], diagnostics: [], complete: true };

/** Deletes all resources of this stack, or none if any of them is protected. */
export async function destroy(context: Context, flags: DestroyFlags): Promise<number> {
  const workspace = await openWorkspace(context, {
    ...flags,
    command: 'destroy',
    writes: true,
  });
  try {
    const isDescribed = workspace.settings.manifests.length > 0;
    const { desired } = isDescribed ? await loadDesired(context, workspace, {}, 'warning') : { desired: nothing };
    const wanted = { desired: nothing, described: desired.resources.map(({ address }) => address), removedTargets: [] };
    const planned = await makePlan(context, workspace, wanted, { ...flags, destroying: true });
    const plan = protectedBy(desired, planned.plan);
    return await approveAndApply(context, workspace, { ...planned, plan }, flags, 'Delete all of these resources?');
  } finally {
    await workspace.close();
  }
}

/** Protection that a manifest gives holds even before it was applied: the strictest word counts (decisions/0032). */
function protectedBy({ resources }: DesiredStack, plan: Plan): Plan {
  const kept = new Set(
    resources
      .filter(({ kind, lifecycle }) => lifecycle.protect ?? kinds.named(kind)?.protectedBecause !== undefined)
      .map(({ address }) => address),
  );
  const blocked = { code: 'PROTECTED', message: 'protected by its manifest' } as const;
  return {
    ...plan,
    changes: plan.changes.map((change) =>
      change.action === 'delete' && kept.has(change.address)
        ? { ...change, blocked: change.blocked ?? blocked }
        : change,
    ),
  };
}
