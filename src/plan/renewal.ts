import type { Match } from './input.ts';
import { spanText } from './span-text.ts';

/** Why what is issued for a while must be issued anew by now; undefined when it need not. What is adopted is left as it is for once. */
export function renewalReason({ kind, desired, actual, adopted }: Match, now: number | undefined): string | undefined {
  const before = desired?.lifecycle.renew_before;
  const end = kind.renewal === undefined ? undefined : actual?.spec[kind.renewal.ends];
  if (before === undefined || now === undefined || typeof end !== 'string' || adopted === true) return undefined;
  const left = Date.parse(end) - now;
  if (Number.isNaN(left) || left > before * 1000) return undefined;
  return left > 0 ? `renew: expires in ${spanText(left)}` : `renew: expired ${spanText(-left)} ago`;
}
