import { SluiceError } from '../diagnostics/errors.ts';

/** A request may have been carried out, and a look at what came of it failed. */
export class LookUpFailed extends SluiceError {
  constructor(lost: unknown, cause: unknown) {
    super('OUTCOME_NOT_VERIFIED', `${textOf(lost)}; what came of it could not be looked at: ${textOf(cause)}`, {
      cause,
    });
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : 'it failed';
}
