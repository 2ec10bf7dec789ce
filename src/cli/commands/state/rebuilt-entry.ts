import { secretsIn } from '../../../apply/record.ts';
import { maskOutside } from '../../../derive/external/mask-outside.ts';
import { ownerOf } from '../../../derive/marker.ts';
import { toState } from '../../../derive/stored/to-state.ts';
import { Refused } from '../../../diagnostics/errors.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { kinds } from '../../../kinds/index.ts';
import { isSpecObject, OutsideValue, Secret, type SpecObject } from '../../../kinds/value.ts';
import type { Account, Actual } from '../../../model/actual.ts';
import { splitAddress, type Address } from '../../../model/address.ts';
import { present } from '../../../model/present.ts';
import type { Desired } from '../../../model/resource.ts';
import type { Stack } from '../../../model/stack.ts';
import type { Entry } from '../../../model/state.ts';
import { leftoverText } from '../../../plan/leftover-text.ts';

/**
 * The state entry of a resource that was found in the account. It contains the fields that the manifest sets, with
 * their live values, and every masked value from outside, as a digest. Other fields are omitted, because it is unknown
 * who set them, and so are secrets, because a response does not prove their value. `previous` is its entry until now, if
 * its marker does not tell all of it: protection, retention and what is unfinished are as recorded there. `deposed` has the ids of its old instances.
 */
export function rebuiltEntry(
  { kind, id, parent, spec, marker }: Actual,
  desired: Desired | undefined,
  previous: Entry | undefined,
  deposed: readonly string[],
  digest: (text: string) => string,
): Entry {
  const fields = kinds.named(kind)?.fields ?? {};
  const wanted = desired?.spec ?? {};
  const known = previous?.kind === kind && previous.id === id ? previous : undefined;
  const isProtected = marker?.p.includes('p') ?? kinds.named(kind)?.protectedBecause !== undefined;
  const unverified = secretsIn(wanted).map(({ pointer }) => pointer);
  return {
    kind,
    id,
    ...(parent === undefined ? {} : { parent }),
    spec: toState(fields, sharedWith(maskOutside(fields, spec, wanted), wanted), digest),
    protect: known?.protect ?? (isProtected || desired?.lifecycle.protect === true),
    retain: known?.retain ?? marker?.p.includes('r') === true,
    rebuilt: true,
    ...(marker === undefined || marker.n === '' ? {} : { nonce: marker.n }),
    ...present({
      formerNonces: known?.formerNonces,
      formerAddresses: known?.formerAddresses,
      deposed: deposed.length === 0 ? undefined : deposed,
      adopting: known?.adopting,
    }),
    ...(unverified.length === 0 ? {} : { unverifiedSecrets: unverified }),
  };
}

function sharedWith(actual: SpecObject, desired: SpecObject): SpecObject {
  return Object.fromEntries(
    Object.entries(actual).flatMap(([name, value]): [string, SpecObject[string]][] => {
      const wanted = desired[name] ?? null;
      if (value instanceof OutsideValue) return [[name, value]];
      if (holdsSecret(value)) return [];
      if (wanted === null) {
        const masked = isSpecObject(value) ? sharedWith(value, {}) : {};
        return Object.keys(masked).length === 0 ? [] : [[name, masked]];
      }
      return [[name, isSpecObject(value) && isSpecObject(wanted) ? sharedWith(value, wanted) : value]];
    }),
  );
}

// Groups are handled above; a list that contains a secret is omitted as a whole.
function holdsSecret(value: SpecObject[string]): boolean {
  if (value instanceof Secret) return !(value instanceof OutsideValue);
  if (!Array.isArray(value)) return false;
  return value.some(
    (item: SpecObject[string]) => holdsSecret(item) || (isSpecObject(item) && Object.values(item).some(holdsSecret)),
  );
}

/** The live resource with the id that the user gave for an address. */
export function namedActual(address: Address, id: string, account: Account, stack: Stack): Actual {
  const { kind } = splitAddress(address);
  const seen = [...account.ours.values(), ...account.foreign];
  const found = seen.find((actual) => actual.kind === kind && actual.id === id);
  const about = `${kind} ${safeText(id, 80)}`;
  const leftover = leftoverText({ kind, id }, account);
  if (leftover !== undefined)
    throw new Refused('ID_IN_USE', `${about} is ${leftover}, which apply deletes`, {
      hint: 'pass the id of another resource; to keep this resource, remove the key `sluice` from its metadata in the service first',
    });
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
