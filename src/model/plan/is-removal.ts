import type { Action } from './plan.ts';

/** Whether sluice no longer manages the resource once the action is done. */
export function isRemoval(action: Action): boolean {
  return action === 'delete' || action === 'forget';
}
