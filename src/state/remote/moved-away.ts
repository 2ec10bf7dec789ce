import { StoreRefused } from '../../diagnostics/errors.ts';
import { safeText } from '../../diagnostics/safe-text.ts';

/** The error for a state that was moved elsewhere by `state push` or `state pull`. */
export function movedAway(from: string, to: string): StoreRefused {
  return new StoreRefused('STATE_MOVED', `the state in ${from} was moved to ${safeText(to, 200)}`, {
    hint: 'set `state` in sluice.yaml to the new location',
  });
}
