import { StoreRefused } from '../diagnostics/errors.ts';
import { safeText } from '../diagnostics/safe-text.ts';
import { parsedObject } from '../model/json-object.ts';

/** The error for a state that was moved elsewhere by `state push` or `state pull`. */
export function movedAway(from: string, to: string): StoreRefused {
  return new StoreRefused('STATE_MOVED', `the state in ${from} was moved to ${safeText(to, 200)}`, {
    hint: 'set `state` in sluice.yaml to the new location; to move the state back, run `sluice state push` (back into a shared store, on the machine with the files) or `sluice state pull` (back into files)',
  });
}

/** Whether an error reports that a state was moved away. */
export function isMovedAway(error: unknown): error is StoreRefused {
  return error instanceof StoreRefused && error.code === 'STATE_MOVED';
}

/** What a state file contains once its state was moved away. */
export function movedText(to: string): string {
  return `${JSON.stringify({ moved: to })}\n`;
}

/** Where a state was moved, if its file records that. */
export function movedIn(text: string): string | undefined {
  if (!text.startsWith('{"moved":')) return undefined;
  const moved = parsedObject(text)?.['moved'];
  return typeof moved === 'string' ? moved : undefined;
}
