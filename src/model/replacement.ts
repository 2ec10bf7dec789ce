import type { Action } from './plan/plan.ts';

/** Whether an action ends one resource and makes another in its place, in whichever order. */
export function isReplacement(action: Action): boolean {
  return action === 'replace-create-first' || action === 'replace-delete-first';
}

/** Whether an action gives its address a new id. */
export function getsNewId(action: Action): boolean {
  return action === 'create' || isReplacement(action);
}
