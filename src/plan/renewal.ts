import type { SpecValue } from '../kinds/value.ts';
import type { Match } from './input.ts';
import { spanText } from './warnings/span-text.ts';

/** Why a certificate must be renewed now; undefined when it need not be. An adopted one is left as it is in the run that adopts it. */
export function renewalReason(
  { kind: { renewal }, desired, actual, adopted }: Match,
  now: number | undefined,
): string | undefined {
  const before = desired?.lifecycle.renew_before;
  if (renewal === undefined || before === undefined || now === undefined || adopted === true) return undefined;
  const [start, end] = [actual?.spec[renewal.startField], actual?.spec[renewal.expiryField]];
  if (typeof end !== 'string') return undefined;
  const left = Date.parse(end) - now;
  if (Number.isNaN(left) || left > aheadMs(before * 1000, start, end)) return undefined;
  return left > 0
    ? `renewed because it expires in ${spanText(left)}`
    : `renewed because it expired ${spanText(-left)} ago`;
}

/** How long before its end it is renewed. What a service issues for less time than that would be due again at once: then in the last third. */
function aheadMs(wantedMs: number, start: SpecValue | undefined, end: string): number {
  const wholeMs = typeof start === 'string' ? Date.parse(end) - Date.parse(start) : Number.NaN;
  return wholeMs <= wantedMs ? wholeMs / 3 : wantedMs;
}
