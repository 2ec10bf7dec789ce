import { ApiError, ConnectionFailed, mayHaveHappened } from '../api/api-errors.ts';
import { UnexpectedAnswer } from '../derive/wire/from-wire.ts';
import { SluiceError } from '../diagnostics/errors.ts';
import type { ChangeOutcome } from '../model/outcome.ts';
import type { Change } from '../model/plan/plan.ts';
import { CreationUnknown, IntentNotSaved } from './create.ts';
import { LookUpFailed } from './look-up.ts';
import type { StepResult } from './schedule.ts';

/** How a step ends that ended in this error: `unknown` where the service may have carried out its request. */
export function endingOf(error: unknown): StepResult['ending'] {
  if (error instanceof IntentNotSaved || isCalledOff(error)) return 'not-started';
  const isUnclear =
    error instanceof CreationUnknown || error instanceof UnexpectedAnswer || error instanceof LookUpFailed;
  return isUnclear || mayHaveHappened(error) ? 'unknown' : 'failed';
}

/** Whether the run was interrupted before the request was sent. Of a read, that says nothing about the write before it. */
function isCalledOff(error: unknown): boolean {
  if (!(error instanceof ConnectionFailed) || error.method === 'GET') return false;
  return error.code === 'INTERRUPTED' && !error.mayHaveHappened;
}

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
  const hint = hintOf(worst, isRepeated);
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

/** What to do about the result. If the outcome is unknown, the next plan shows it. A watch plans and applies again: a person does only what the watch cannot. */
function hintOf({ ending, error }: StepResult, isRepeated: boolean): string | undefined {
  if (error instanceof SluiceError && error.hint !== undefined) return isRepeated ? error.hintInWatch : error.hint;
  if (ending !== 'unknown') return undefined;
  return isRepeated
    ? 'sluice reads the account again to see whether the change was made'
    : 'run `sluice plan` to see whether the change was made';
}
