import type { Account, Actual } from '../../model/actual.ts';
import type { Address } from '../../model/address.ts';

/** A resource of the account, with an address if this stack manages it. */
export interface FoundResource {
  readonly actual: Actual;
  readonly address: Address | undefined;
}

/** All resources of the account, also those that the plan does not target. */
export function foundInAccount({ foreign, ours }: Account): FoundResource[] {
  return [
    ...foreign.map((actual) => ({ actual, address: undefined })),
    ...Array.from(ours, ([address, actual]) => ({ actual, address })),
  ];
}
