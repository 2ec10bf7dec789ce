import type { Address } from './address.ts';
import type { Entry } from './state.ts';

/** The entry of a resource that gets another address: it keeps the one that it had, latest last. */
export function renamedEntry(entry: Entry, from: Address, to: Address): Entry {
  const { formerAddresses = [], ...rest } = entry;
  return withFormer(rest, [...formerAddresses.filter((one) => one !== from && one !== to), from]);
}

/** The entry of a resource, one of whose earlier addresses belongs to another resource from now on. */
export function withoutFormer(entry: Entry, taken: ReadonlySet<Address>): Entry {
  const { formerAddresses = [], ...rest } = entry;
  return formerAddresses.some((one) => taken.has(one))
    ? withFormer(
        rest,
        formerAddresses.filter((one) => !taken.has(one)),
      )
    : entry;
}

function withFormer(entry: Entry, formerAddresses: readonly Address[]): Entry {
  return formerAddresses.length === 0 ? entry : { ...entry, formerAddresses };
}
