import { counted } from '../../../diagnostics/counted.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { kinds } from '../../../kinds/index.ts';
import type { Plan } from '../../../model/plan/plan.ts';
import type { DesiredStack } from '../../../model/resource.ts';
import type { PlanInput } from '../../../plan/input.ts';
import type { DesiredScope } from '../../../stack/plan/load-desired.ts';
import { loadRevision } from '../../../stack/plan/load-revision.ts';
import { makePlan, type Planned, type PlanningFlags } from '../../../stack/plan/make-plan.ts';
import { undoMoves } from '../../../stack/plan/undo-moves.ts';
import { withProtected } from '../../../stack/plan/with-protected.ts';
import type { Workspace } from '../../../stack/workspace.ts';
import { withWorkspace } from '../../with-workspace.ts';
import { approveAndApply, type ApprovalFlags } from '../../approval/approve-and-apply.ts';
import type { Context } from '../../context.ts';

interface RollbackFlags extends PlanningFlags, ApprovalFlags {
  readonly parallelism: number;
}

// What is kept may be why something else is, through what it contains.
const mostRounds = 5;

/** Plans the manifests of an earlier commit, asks for approval, and applies them. What is protected stays as it is. */
export async function rollback(context: Context, ref: string, flags: RollbackFlags): Promise<number> {
  return withWorkspace(context, { ...flags, command: 'rollback', writes: true }, async (workspace) => {
    const revision = await loadRevision(context, workspace, ref);
    const { commit, wanted } = revision;
    const desired = { ...wanted.desired, resources: await undoMoves(context, workspace, revision) };
    const options = { ...flags, isRollback: true };
    const found = await planKeepingProtected(context, workspace, { ...wanted, desired }, options);
    const planned = { ...found, input: withLifecycles(found.input, wanted.desired) };
    for (const text of [...lostValues(planned.plan), ...renamedBack(planned.plan)]) context.log('warn', text);
    const question = `Roll back to ${commit.slice(0, 12)}?`;
    return approveAndApply(context, workspace, planned, flags, question);
  });
}

async function planKeepingProtected(
  context: Context,
  workspace: Workspace,
  wanted: DesiredScope,
  flags: PlanningFlags,
): Promise<Planned> {
  const quiet: Context = { ...context, report: () => Promise.resolve() };
  let planned = await makePlan(quiet, workspace, wanted, flags);
  let kept: readonly string[] = [];
  for (let round = 0; round < mostRounds; round++) {
    const next = withProtected(wanted, planned, kept);
    if (next === undefined) break;
    kept = next.kept;
    planned = await makePlan(quiet, workspace, next.wanted, flags);
  }
  await context.report(planned.plan.diagnostics);
  if (kept.length > 0)
    context.log(
      'warn',
      `Not rolled back: ${counted(kept.length, 'resource')}, protected or required by a protected resource: ${kept.map((address) => safeText(address)).join(', ')}. To roll back these resources too, first set \`lifecycle: {protect: false}\` in their current manifests, and apply the manifests.`,
    );
  return planned;
}

/** The input with the lifecycles that the commit has: what was applied is recorded as that commit. */
function withLifecycles({ desired, ...input }: PlanInput, committed: DesiredStack): PlanInput {
  const lifecycles = new Map(committed.resources.map(({ address, lifecycle }) => [address, lifecycle]));
  const resources = desired.resources.map((one) => ({
    ...one,
    lifecycle: lifecycles.get(one.address) ?? one.lifecycle,
  }));
  return { ...input, desired: { ...desired, resources } };
}

/** What later manifests need, so that they rename a resource again, and do not delete it. */
function renamedBack({ changes }: Plan): string[] {
  // What is nested follows its parent.
  return changes.flatMap(({ address, kind, movedFrom }) =>
    movedFrom === undefined || kinds.named(kind)?.within !== undefined
      ? []
      : [
          `${safeText(address)}: renamed back from ${safeText(movedFrom)}. Before you apply a newer commit, set \`moved_from: ${safeText(address)}\` in the manifest of ${safeText(movedFrom)}; otherwise, sluice refuses the commit (MOVED_FROM_MISSING).`,
        ],
  );
}

/** What a creation cannot bring back. */
function lostValues({ changes }: Plan): string[] {
  return changes.flatMap(({ action, address, kind }) => {
    const lost = action === 'create' ? kinds.named(kind)?.destroys : undefined;
    return lost === undefined
      ? []
      : [`${safeText(address)} is created with a new ${lost}: an earlier one cannot be recovered once it is deleted.`];
  });
}
