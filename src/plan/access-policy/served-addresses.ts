import type { KindSet } from '../../kinds/kind-set.ts';
import type { Actual } from '../../model/actual.ts';
import type { Address } from '../../model/address.ts';
import type { ServedAddress } from '../../model/exposure/exposed-urls.ts';
import { inNaturalOrder } from '../../model/natural-order.ts';

/** The addresses of resources at which clients arrive without an edge, such as reserved TCP addresses. */
export function servedAddresses(ours: ReadonlyMap<Address, Actual>, kinds: KindSet): readonly ServedAddress[] {
  return [...ours]
    .flatMap(([resource, { kind, spec, computed }]): ServedAddress[] => {
      const address = kinds.named(kind)?.clientAddress;
      const at = address === undefined ? undefined : (computed[address.by] ?? spec[address.by]);
      return address === undefined || typeof at !== 'string' || at === ''
        ? []
        : [{ at, resource, who: address.reachedBy }];
    })
    .sort((a, b) => inNaturalOrder(a.resource, b.resource));
}
