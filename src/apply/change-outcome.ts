import { ApiError } from '../api/api-errors.ts';
import { SluiceError } from '../diagnostics/errors.ts';
import type { ChangeOutcome } from '../model/outcome.ts';
import type { Change } from '../model/plan/plan.ts';
import type { StepResult } from './schedule.ts';

/** The outcome of a change: the worst ending of its steps. `isRepeated`: a watch plans and applies again automatically. */
export function changeOutcomeOf(
  { address, action }: Change,
  results: readonly StepResult[],
  id: string | undefined,
  isRepeated = false,
): ChangeOutcome {
  const base = { address, action, ...(id === undefined ? {} : { id }) };
  // What a step that waits for an earlier one of the same change tells is told by that one.
  const telling = results.filter(({ failedDependency: earlier }) => earlier !== address);
  const worst = (['unknown', 'failed', 'skipped', 'not-started'] as const).flatMap((ending) =>
    telling.filter((result) => result.ending === ending),
  )[0];
  if (worst === undefined) return { ...base, ending: 'done' };
  const { ending, error, failedDependency } = worst;
  const begun = results.some((result) => result.ending === 'done') && ending !== 'unknown';
  const hint = isRepeated ? hintInWatch(worst) : hintOf(worst);
  const message =
    error instanceof Error
      ? error.message
      : begun && failedDependency === undefined
        ? 'the change was started, but the run ended before the change was complete'
        : undefined;
  return {
    ...base,
    ending: begun ? 'failed' : ending,
    ...(begun || worst.isWritten === true ? { partiallyApplied: true } : {}),
    ...(message === undefined ? {} : { message: hint === undefined ? message : `${message} (${hint})` }),
    ...(failedDependency === undefined ? {} : { failedDependency }),
    ...(error instanceof SluiceError ? { code: error.code } : {}),
    ...(error instanceof ApiError ? { status: error.status } : {}),
  };
}

/** What to do about the result. If the outcome is unknown, the next plan shows it. */
function hintOf({ ending, error }: StepResult): string | undefined {
  const own = error instanceof SluiceError ? error.hint : undefined;
  return own ?? (ending === 'unknown' ? 'run `sluice plan` to see whether the change was made' : undefined);
}

/** The same hint in a watch, which plans and applies again: a person does only what the watch cannot. */
function hintInWatch({ ending, error }: StepResult): string | undefined {
  if (error instanceof SluiceError && error.hint !== undefined) return error.hintInWatch;
  return ending === 'unknown' ? 'sluice reads the account again to see whether the change was made' : undefined;
}
