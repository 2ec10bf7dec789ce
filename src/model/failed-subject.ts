import type { WatchFailure } from './watch-status.ts';

/** Whether a failure is one of the state, its journal or the store that has them, and not of the account. */
export function isOfState({ code }: Pick<WatchFailure, 'code'>): boolean {
  return /^(?:STATE|STORE|JOURNAL)_/.test(code);
}

/** What a failure is one of, as a person names it. Its scope is the account where the state cannot be used for it. */
export function failedSubject(failure: Pick<WatchFailure, 'code' | 'scope'>): string {
  return isOfState(failure) ? 'state' : failure.scope;
}
