import { safeText } from '../../diagnostics/safe-text.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { PlanningWorkspace } from '../workspace.ts';

/** A warning if runs of this stack are recorded here, but no state: nobody can tell what has changed outside sluice since the last apply. */
export async function missingState({
  state,
  snapshot,
  runs,
}: Pick<PlanningWorkspace, 'state' | 'snapshot' | 'runs'>): Promise<Diagnostic | undefined> {
  if (state !== undefined || snapshot !== undefined) return undefined;
  const [last] = (await runs?.(1).catch(() => undefined)) ?? [];
  if (last === undefined || last.requests === 0) return undefined;
  return {
    code: 'STATE_MISSING',
    severity: 'warning',
    message: `the state is missing, although the last run (\`${safeText(last.command, 80)}\`, began ${safeText(last.began, 40)}) wrote one. This plan cannot tell what was changed outside sluice since then`,
    hint: 'restore the state from a backup; without one, check what is public with `sluice exposure` before you apply',
  };
}
