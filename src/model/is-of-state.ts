import type { WatchFailure } from './watch-status.ts';

/** Whether a failure is one of the state, its journal or the store that has them, and not of the account. */
export function isOfState({ code }: Pick<WatchFailure, 'code'>): boolean {
  return /^(?:STATE|STORE|JOURNAL)_/.test(code);
}
