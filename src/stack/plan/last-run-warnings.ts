import { safeText } from '../../diagnostics/safe-text.ts';
import type { SluiceError } from '../../diagnostics/errors.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { RunRecord } from '../../state/run-record.ts';
import { looserRules, recordedRules } from './looser-rules.ts';
import type { PlanningWorkspace } from '../workspace.ts';

const idDigits = 8;

/** Warnings from the record of the last run: it was killed, the state that it wrote is missing, or `sluice.yaml` allows more by now. */
export async function lastRunWarnings(
  workspace: Pick<PlanningWorkspace, 'state' | 'snapshot' | 'runs' | 'policy' | 'settings'>,
  plan: Plan,
): Promise<readonly Diagnostic[]> {
  const { state, snapshot, runs, policy, settings } = workspace;
  const lacksState = state === undefined && snapshot === undefined;
  const saysSomething = plan.hazards.length > 0 || plan.changes.some(({ action }) => action !== 'none');
  // Otherwise a plan needs no history, which takes requests to a store.
  if (!lacksState && !saysSomething) return [];
  let last: RunRecord | undefined;
  try {
    [last] = (await runs?.(1)) ?? [];
  } catch (error) {
    return [unreadableRuns(error)];
  }
  if (last === undefined) return [];
  return [
    ...(lacksState && last.requests > 0 ? [missingState(last)] : []),
    ...(saysSomething && last.ended === undefined ? [unfinishedRun(last)] : []),
    ...(saysSomething ? looserRules(last, recordedRules(policy, settings.watch)) : []),
  ];
}

/** What the last run would have been a warning about stays unknown, which is no reason to say nothing. */
function unreadableRuns(error: unknown): Diagnostic {
  const { message, hint } = error as Partial<SluiceError>;
  return {
    code: 'RUNS_UNREADABLE',
    severity: 'warning',
    message: `the records of runs cannot be read: ${safeText(message ?? String(error), 300)}. This plan cannot show whether the last run was killed, or whether sluice.yaml is less strict than in the last run`,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** It is unknown what has changed outside sluice since the last apply. */
function missingState({ command, began }: RunRecord): Diagnostic {
  return {
    code: 'STATE_MISSING',
    severity: 'warning',
    message: `the state is missing, although the last run (\`${safeText(command, 80)}\`, began ${safeText(began, 40)}) wrote a state. This plan cannot show which changes were made outside sluice since that run`,
    hint: 'restore the state from a backup; if there is no backup, check what is public with `sluice exposure` before you apply',
  };
}

/** What a killed run has done without being able to record it looks like a change by somebody else. */
function unfinishedRun(last: RunRecord): Diagnostic {
  const id = last.id.slice(0, idDigits);
  const who = `\`${safeText(last.command, 80)}\` of ${safeText(`${last.owner}@${last.host}`, 120)}`;
  return {
    code: 'LAST_RUN_UNFINISHED',
    severity: 'warning',
    message: `the last run (${id}, ${who}, began ${safeText(last.began, 40)}) did not record its end: the run is still active, or was killed. The run may have made the changes that this plan shows as made outside sluice`,
    hint: `run \`sluice history ${id}\` to show the planned changes of that run`,
  };
}
