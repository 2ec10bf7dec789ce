import { SluiceError } from '../diagnostics/errors.ts';

/** Something ended an apply after changes had been made, so that its outcome could not be told (exit 6). */
export class AppliedInPart extends SluiceError {
  constructor(cause: unknown, done: number) {
    const said = cause instanceof Error ? cause.message : String(cause);
    super('APPLIED_IN_PART', `${said}; ${done} ${done === 1 ? 'change' : 'changes'} had been made by then`, {
      cause,
      hint: 'plan again: what was written to the service is found there',
    });
  }
}
