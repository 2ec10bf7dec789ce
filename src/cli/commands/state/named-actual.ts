import { ownerOf } from '../../../derive/marker.ts';
import { Refused } from '../../../diagnostics/errors.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import type { Account, Actual } from '../../../model/actual.ts';
import { splitAddress, type Address } from '../../../model/address.ts';
import type { Stack } from '../../../model/stack.ts';

/** The live resource with the id that the user gave for an address. */
export function namedActual(address: Address, id: string, account: Account, stack: Stack): Actual {
  const { kind } = splitAddress(address);
  const seen = [...account.ours.values(), ...account.foreign];
  const found = seen.find((actual) => actual.kind === kind && actual.id === id);
  const about = `${kind} ${safeText(id, 80)}`;
  if (found === undefined)
    throw new Refused('ID_NOT_FOUND', `${about} does not exist in the account`, {
      hint: 'run `sluice get` to list live resources',
    });
  if (found.marker !== undefined && found.marker.s !== ownerOf(stack))
    throw new Refused(
      'ID_OWNED_BY_OTHER_STACK',
      `${about} belongs to another stack: it has the ownership marker of stack ${safeText(found.marker.s, 160)}`,
    );
  return found;
}
