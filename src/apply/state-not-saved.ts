import { SluiceError } from '../diagnostics/errors.ts';
import type { Unsaved } from '../model/outcome.ts';

const usual = 'see that the state can be written, and apply again: what was made is found there by its marker';

/** What to tell of a failure to save state. */
export function stateNotSaved(failure: unknown): Unsaved {
  const message = failure instanceof Error ? failure.message : 'for no known reason';
  return failure instanceof SluiceError
    ? { code: failure.code, message, hint: failure.hint ?? usual }
    : { code: 'STATE_NOT_WRITTEN', message: `the state could not be saved: ${message}`, hint: usual };
}
