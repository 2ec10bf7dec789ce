import { actualValue } from '../../derive/wire/actual-value.ts';
import type { KindSet } from '../../kinds/kind.ts';
import type { Actual } from '../../model/actual.ts';
import type { Address } from '../../model/address.ts';
import type { ServedAddress } from '../../model/exposure/exposed-urls.ts';
import { type Change, getsNewId } from '../../model/plan/plan.ts';
import { inNaturalOrder } from '../../model/natural-order.ts';

/** The addresses of resources at which clients arrive without an edge, such as reserved TCP addresses. */
export function servedAddresses(ours: ReadonlyMap<Address, Actual>, kinds: KindSet): readonly ServedAddress[] {
  return [...ours]
    .flatMap(([resource, actual]): ServedAddress[] => {
      const address = kinds.named(actual.kind)?.clientAddress;
      const at = address && actualValue(actual, address.by);
      return address !== undefined && typeof at === 'string' ? [{ at, resource, who: address.reachedBy }] : [];
    })
    .sort((a, b) => inNaturalOrder(a.resource, b.resource));
}

/** The same once changes are done. What the service assigns to a new resource is known at the next refresh. */
export function servedAddressesAfter(
  before: readonly ServedAddress[],
  changes: readonly Change[],
  kinds: KindSet,
): readonly ServedAddress[] {
  const ended = new Set(
    changes.flatMap(({ address, action }) => (action === 'delete' || getsNewId(action) ? [address] : [])),
  );
  const added = changes.flatMap(({ address: resource, action, kind, desired }): ServedAddress[] => {
    const address = kinds.named(kind)?.clientAddress;
    if (address === undefined || !getsNewId(action)) return [];
    const at = desired?.[address.by];
    return [{ resource, who: address.reachedBy, ...(typeof at === 'string' && at !== '' ? { at } : {}) }];
  });
  return [...before.filter(({ resource }) => !ended.has(resource)), ...added].sort((a, b) =>
    inNaturalOrder(a.resource, b.resource),
  );
}
