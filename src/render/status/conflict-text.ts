import { counted } from '../../diagnostics/counted.ts';
import type { DriftConflict } from '../../model/status/watch-status.ts';

type RepairedField = Pick<DriftConflict, 'pointer' | 'count'>;

/** How often sluice has repaired what something else changed back each time; an empty pointer is the whole resource. */
export function conflictSummary({ pointer, count }: RepairedField): string {
  const times = counted(count, 'time');
  return pointer === ''
    ? `sluice created the resource again ${times}, and something else deleted it each time`
    : `sluice repaired \`${pointer}\` ${times}, and something else changed it back each time`;
}

/** What to do about a drift conflict, with commands and names between backticks. */
export function conflictAdvice({ pointer }: Pick<DriftConflict, 'pointer'>): string {
  return pointer === ''
    ? 'Find what else deletes the resource, or remove its manifest. sluice creates the resource again once its manifest changes.'
    : 'Find what else changes the field, or add the field to `lifecycle.ignore`. sluice repairs the field again once the manifest of the resource changes.';
}
