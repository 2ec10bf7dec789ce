import type { Address } from '../model/address.ts';

/** What a person can do where the service cannot tell whether a creation that was sent has happened. */
export function howToSettle(address: Address): string {
  return `look whether it is there: if so, \`sluice state settle ${address} --id ID\`, if not, \`sluice state settle ${address} --absent\``;
}
