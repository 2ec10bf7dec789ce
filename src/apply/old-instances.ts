import type { Account } from '../model/actual.ts';
import type { Entry } from '../model/state.ts';
import type { StateWriter } from './state-writer.ts';

/** Removes from state the ids of old instances that are gone, or that this stack no longer owns. */
export function forgetOldInstances(
  { complete, deposed = [] }: Pick<Account, 'complete' | 'deposed'>,
  state: StateWriter,
): void {
  const left = new Set(deposed.map(({ actual }) => actual.id));
  for (const address of state.addresses()) {
    const entry = state.entry(address);
    if (entry?.deposed === undefined || !complete.has(entry.kind)) continue;
    const ids = entry.deposed.filter((id) => left.has(id));
    if (ids.length < entry.deposed.length) state.put(address, withDeposed(entry, ids));
  }
}

/** An entry with these ids of old instances. */
export function withDeposed({ deposed: _, ...entry }: Entry, ids: readonly string[]): Entry {
  return ids.length === 0 ? entry : { ...entry, deposed: ids };
}
