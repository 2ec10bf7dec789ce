import type { Address } from '../model/address.ts';
import type { Entry, State } from '../model/state.ts';

/** The state after a person has resolved a creation: it created this resource, or none. Undefined if there is nothing to resolve. */
export function resolvedState(state: State, address: Address, made?: Entry): State | undefined {
  const { [address]: open, ...intents } = state.intents ?? {};
  if (open === undefined) return undefined;
  if (made === undefined) return { ...state, intents };
  const before = state.entries[address];
  const isReplaced = before !== undefined && before.id !== made.id;
  const deposed = [...(before?.deposed ?? []), ...(isReplaced ? [before.id] : [])];
  // What else it was sent with may still turn up, and is known as ours then.
  const former = [before?.nonce, ...(before?.formerNonces ?? []), ...open.nonces];
  const formerNonces = [...new Set(former)].flatMap((nonce) => (nonce === made.nonce ? [] : (nonce ?? [])));
  const entry: Entry = {
    ...made,
    ...(deposed.length === 0 ? {} : { deposed }),
    ...(formerNonces.length === 0 ? {} : { formerNonces }),
  };
  return { ...state, intents, entries: { ...state.entries, [address]: entry } };
}
