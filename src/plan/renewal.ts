import type { Match } from './input.ts';
import { spanText } from './warnings/span-text.ts';

/** Why a certificate must be renewed now; undefined when it need not be. An adopted one is left as it is in the run that adopts it. */
export function renewalReason({ kind, desired, actual, adopted }: Match, now: number | undefined): string | undefined {
  const before = desired?.lifecycle.renew_before;
  const end = kind.renewal === undefined ? undefined : actual?.spec[kind.renewal.expiryField];
  if (before === undefined || now === undefined || typeof end !== 'string' || adopted === true) return undefined;
  const left = Date.parse(end) - now;
  if (Number.isNaN(left) || left > before * 1000) return undefined;
  return left > 0
    ? `renewed because the certificate expires in ${spanText(left)}`
    : `renewed because the certificate expired ${spanText(-left)} ago`;
}
