import type { Address } from '../../model/address.ts';

/** What a person can do where no request can find out whether a creation was carried out. */
export function howToResolve(address: Address): string {
  return `check whether ${address} exists in the service; if it exists, run \`sluice state resolve ${address} --id ID\`; if not, run \`sluice state resolve ${address} --absent\``;
}
