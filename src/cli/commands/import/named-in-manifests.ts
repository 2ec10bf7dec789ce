import { addressNamed } from '../../../derive/address-named.ts';
import { quoted } from '../../../diagnostics/quoted.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { kinds } from '../../../kinds/index.ts';
import { splitAddress, type Address } from '../../../model/address.ts';
import { UsageError, suggestAddress } from '../../../stack/usage-error.ts';

/** The address that a word of the command line means; throws if it is none. */
export function addressOfWord(word: string): Address {
  const address = addressNamed(word, kinds);
  if (kinds.named(splitAddress(address).kind) !== undefined) return address;
  throw new UsageError(
    `${quoted(word, 200)} is not an address such as Kind/name`,
    `use one of: ${kinds.all.map(({ name }) => `${name}/NAME`).join(', ')}`,
  );
}

/** Throws unless the manifests define the address, or one that the pattern matches. */
export function mustBeDefined(
  pattern: string,
  defined: readonly Address[],
  matches: (address: Address) => boolean = (address) => address === pattern,
): void {
  if (defined.some(matches)) return;
  throw new UsageError(
    `the manifests do not define ${quoted(pattern, 200)}`,
    suggestAddress(pattern, defined) ?? 'add a manifest; `sluice export` writes one for a live resource',
  );
}

/** What an import says of an address that manages the resource already. */
export function alreadyManages(address: Address, id: string): string {
  return `${safeText(address)} already manages the resource ${safeText(id, 80)}. Nothing was changed.`;
}
