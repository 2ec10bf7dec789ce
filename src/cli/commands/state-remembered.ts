import { safeText } from '../../diagnostics/safe-text.ts';
import { suggest } from '../../diagnostics/suggest.ts';
import type { Entry, State } from '../../model/state.ts';
import { UsageError } from '../usage-error.ts';

/** What a state remembers under an address; a mistake where it remembers nothing. */
export function remembered({ entries }: State, address: string): Entry {
  const entry = Object.hasOwn(entries, address) ? entries[address] : undefined;
  if (entry !== undefined) return entry;
  const near = suggest(address, Object.keys(entries));
  throw new UsageError(
    `nothing is remembered of ${JSON.stringify(safeText(address, 200))}`,
    near === undefined ? '`sluice state list` shows every address' : `did you mean ${near}?`,
  );
}
