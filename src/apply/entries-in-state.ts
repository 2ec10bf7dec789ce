import type { Account } from '../model/actual.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/plan/plan.ts';
import { renamedEntry, withoutFormer } from '../model/renamed-entry.ts';
import type { Entry } from '../model/state.ts';
import type { StateWriter } from './state-writer.ts';

/** Moves entries in state to the addresses of their resources before the first request. All old addresses are dropped first: in a chain of moves, one resource takes the address that another leaves. An address is a former one of a resource until another resource gets it. */
export function moveEntries(changes: readonly Change[], state: StateWriter): void {
  const wanted = new Map(
    changes.flatMap(({ kind, id, address, cleanup }): [string, Address][] =>
      id === undefined || cleanup !== undefined ? [] : [[`${kind} ${id}`, address]],
    ),
  );
  const moving = state.addresses().flatMap((from) => {
    const entry = state.entry(from);
    const address = entry && wanted.get(`${entry.kind} ${entry.id}`);
    return entry === undefined || address === undefined || address === from ? [] : [{ address, from, entry }];
  });
  for (const { from } of moving) state.drop(from);
  for (const { address, from, entry } of moving) state.put(address, renamedEntry(entry, from, address));
  const taken = addressesInUse(changes);
  const isPending = ({ marker, markerBefore }: Change): boolean =>
    markerBefore !== undefined && marker?.a !== markerBefore.a;
  const pending = new Set(changes.filter(isPending).map(({ address }) => address));
  // Also of resources that this run leaves as they are; but a marker with a former address is older than state until it is written.
  for (const address of state.addresses()) {
    const entry = pending.has(address) ? undefined : state.entry(address);
    const kept = entry && withoutFormer(entry, taken);
    if (kept !== undefined && kept !== entry) state.put(address, kept);
  }
}

/** The addresses that resources have after a plan: they are no former ones of others. */
export function addressesInUse(changes: readonly Change[]): ReadonlySet<Address> {
  return new Set(changes.flatMap(({ action, address }) => (['delete', 'forget'].includes(action) ? [] : [address])));
}

/** Removes a resource from state. If its marker cannot be removed, state records that it is forgotten (decisions/0032). */
export function forgetEntry({ address, kind, id, markerBefore }: Change, state: StateWriter): void {
  if (id === undefined || markerBefore === undefined) state.drop(address);
  else state.putForgotten(id, { kind, address });
}

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
