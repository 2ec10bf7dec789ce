import { Ref } from '../../kinds/value.ts';
import type { Address } from '../../model/address.ts';
import type { PlanInput } from '../../plan/input.ts';
import type { InError } from './last-good.ts';

/** Whether something about a resource may not be in force as the manifests say, since they have errors: about itself, or about what it is inside of, or what else is inside of that. */
export function doubtfulFamilies(
  { desired, account, kinds }: PlanInput,
  { resources, orOthers }: InError = { resources: [], orOthers: false },
): (address: Address) => boolean {
  if (desired.complete) return () => false;
  if (orOthers) return () => true;
  const byId = new Map([...account.ours].map(([address, { id }]) => [id, address]));
  const parents = new Map<Address, Address | undefined>();
  for (const [address, { parent = '' }] of account.ours) parents.set(address, byId.get(parent));
  for (const { address, kind, spec } of [...desired.resources, ...resources]) {
    const parent = spec[kinds.named(kind)?.within?.by ?? ''];
    if (parent instanceof Ref) parents.set(address, parent.to);
  }
  const familyOf = (address: Address): Address => parents.get(address) ?? address;
  const wanted = new Set(desired.resources.map(({ address }) => address));
  // What no manifest has now may be in one with errors.
  const lacking = [...account.ours.keys()].filter((address) => !wanted.has(address));
  const doubtful = new Set([...resources.map(({ address }) => address), ...lacking].map(familyOf));
  return (address) => doubtful.has(familyOf(address));
}
