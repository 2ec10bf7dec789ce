import { safeText } from '../../../diagnostics/safe-text.ts';
import type { Entry, State } from '../../../model/state.ts';
import { suggestAddress } from '../../../stack/address-suggestion.ts';
import { UsageError } from '../../../stack/usage-error.ts';

/** What a state remembers under an address; a mistake where it remembers nothing. */
export function entryInState({ entries }: State, address: string): Entry {
  const entry = Object.hasOwn(entries, address) ? entries[address] : undefined;
  if (entry !== undefined) return entry;
  throw new UsageError(
    `nothing is remembered of ${JSON.stringify(safeText(address, 200))}`,
    suggestAddress(address, Object.keys(entries)) ?? '`sluice state list` shows every address',
  );
}
