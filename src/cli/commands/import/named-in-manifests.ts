import { quoted } from '../../../diagnostics/quoted.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import type { Address } from '../../../model/address.ts';
import { UsageError, suggestAddress } from '../../../stack/usage-error.ts';

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
