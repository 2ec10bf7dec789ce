import type { WatchFailure } from './watch-status.ts';

/** What a watch keeps in its store, or takes there, by the scope of a failure. */
const kept: ReadonlyMap<string, string> = new Map([
  ['watch-state', 'watch state'],
  ['requests', 'pauses and approvals'],
  ['lock', 'lock'],
]);

/** Whether a failure is one of the state, its journal or the store that has them, and not of the account that was to be compared with it. */
export function isOfState({ code, scope }: Pick<WatchFailure, 'code' | 'scope'>): boolean {
  return scope === 'account' && /^(?:STATE|STORE|JOURNAL|LEASE|LOCK)_/.test(code);
}

/** What a failure is one of, as a person names it: the state and the manifests also where the account was to be compared with them. */
export function failedSubject(failure: Pick<WatchFailure, 'code' | 'scope'>): string {
  if (isOfState(failure)) return 'state';
  if (failure.code === 'NO_RESOURCES_DEFINED') return 'manifests';
  return kept.get(failure.scope) ?? failure.scope;
}

/** The sort of subject that failed, for counting: all resources are one sort. */
export function failedClass(failure: Pick<WatchFailure, 'code' | 'scope'>): FailedClass {
  if (kept.has(failure.scope)) return 'state';
  return failedClasses.find((one) => one === failedSubject(failure)) ?? 'resource';
}

/** The sorts of subjects. */
export const failedClasses = ['manifests', 'account', 'state', 'resource'] as const;

type FailedClass = (typeof failedClasses)[number];
