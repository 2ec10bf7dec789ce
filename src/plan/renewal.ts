import { counted } from '../diagnostics/counted.ts';
import type { Match } from './input.ts';

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

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** A stretch of time, in milliseconds, in its largest unit, begun ones left out: `12 days`. */
export function spanText(ms: number): string {
  const [unit, each] = ms >= DAY ? ['day', DAY] : ms >= HOUR ? ['hour', HOUR] : ['minute', MINUTE];
  return counted(Math.floor(ms / each), unit);
}
