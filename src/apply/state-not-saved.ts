import { SluiceError } from '../diagnostics/errors.ts';
import type { UnsavedState } from '../model/outcome.ts';

const usual =
  'make the state writable and run `sluice apply` again: it finds created resources by their ownership marker';

/** How a failure to save state is reported. */
export function stateNotSaved(failure: unknown): UnsavedState {
  const message = failure instanceof Error ? failure.message : 'unknown error';
  return failure instanceof SluiceError
    ? { code: failure.code, message, hint: failure.hint ?? usual }
    : { code: 'STATE_NOT_WRITTEN', message: `cannot save the state: ${message}`, hint: usual };
}
