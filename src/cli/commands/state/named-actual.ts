import { ownerOf } from '../../../derive/marker.ts';
import { Refused } from '../../../diagnostics/errors.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import type { Account, Actual } from '../../../model/actual.ts';
import { splitAddress, type Address } from '../../../model/address.ts';
import type { Stack } from '../../../model/stack.ts';

/** The resource that a person has named for an address, as the service shows it. */
export function namedActual(address: Address, id: string, account: Account, stack: Stack): Actual {
  const { kind } = splitAddress(address);
  const seen = [...account.ours.values(), ...account.foreign];
  const found = seen.find((actual) => actual.kind === kind && actual.id === id);
  const about = `${kind} ${safeText(id, 80)}`;
  if (found === undefined)
    throw new Refused('ID_NOT_FOUND', `the account has no ${about}`, { hint: 'see `sluice get`' });
  if (found.marker !== undefined && found.marker.s !== ownerOf(stack))
    throw new Refused('ID_OWNED_BY_OTHER_STACK', `${about} carries the marker of ${safeText(found.marker.s, 160)}`);
  return found;
}
