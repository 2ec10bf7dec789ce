import type { Change, FieldChange } from './plan.ts';

/** Whether a field has changed since the last apply, whether or not the manifest has as well. */
export function isDrift({ reason }: Pick<FieldChange, 'reason'>): boolean {
  return reason === 'drifted' || reason === 'both';
}

/** Whether a resource has changed since the last apply, whatever the plan does about it. */
export function hasDrifted({ fields, deletedOutside, markerDrifted }: Change): boolean {
  return deletedOutside !== undefined || markerDrifted === true || fields.some(isDrift);
}
