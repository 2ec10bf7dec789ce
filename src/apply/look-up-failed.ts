import { SluiceError } from '../diagnostics/errors.ts';

/** A request may have been carried out, and the check of its outcome failed. */
export class LookUpFailed extends SluiceError {
  constructor(lost: unknown, cause: unknown) {
    super('OUTCOME_NOT_VERIFIED', `${textOf(lost)}; the outcome could not be checked: ${textOf(cause)}`, { cause });
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown error';
}
