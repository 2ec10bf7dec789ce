import { quoted } from '../../../diagnostics/quoted.ts';
import type { Entry, State } from '../../../model/state.ts';
import { UsageError, suggestAddress } from '../../../stack/usage-error.ts';

/** The state entry of an address; throws if there is none. */
export function entryInState({ entries }: State, address: string): Entry {
  const entry = Object.hasOwn(entries, address) ? entries[address] : undefined;
  if (entry !== undefined) return entry;
  throw new UsageError(
    `${quoted(address, 200)} is not in the state`,
    suggestAddress(address, Object.keys(entries)) ?? 'run `sluice state list` to list all addresses',
  );
}
