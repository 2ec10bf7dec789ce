import { safeText } from '../../diagnostics/safe-text.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { PlanningWorkspace } from '../workspace.ts';

const idDigits = 8;

/** A warning if the last run was killed: what it has done without being able to record it looks like a change by somebody else. */
export async function unfinishedRun(
  { runs }: Pick<PlanningWorkspace, 'runs'>,
  plan: Plan,
): Promise<Diagnostic | undefined> {
  // A plan that has nothing to say needs no history, which takes requests to a store.
  if (plan.hazards.length === 0 && plan.changes.every(({ action }) => action === 'none')) return undefined;
  const [last] = (await runs?.(1).catch(() => undefined)) ?? [];
  if (last === undefined || last.ended !== undefined) return undefined;
  const id = last.id.slice(0, idDigits);
  const who = `\`${safeText(last.command, 80)}\` of ${safeText(`${last.owner}@${last.host}`, 120)}`;
  return {
    code: 'LAST_RUN_UNFINISHED',
    severity: 'warning',
    message: `the last run (${id}, ${who}, began ${safeText(last.began, 40)}) did not record its end: it is still running, or was killed. It may have made the changes that this plan shows as made outside sluice`,
    hint: `run \`sluice history ${id}\` to see what it was about to do`,
  };
}
