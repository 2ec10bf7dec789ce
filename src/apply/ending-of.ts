import { ConnectionFailed, mayHaveHappened } from '../api/api-errors.ts';
import { UnexpectedAnswer } from '../derive/wire/from-wire.ts';
import { CreationUnknown, IntentNotSaved } from './create.ts';
import { LookUpFailed } from './look-up-failed.ts';
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
