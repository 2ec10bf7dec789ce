import type { Pair } from './input.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** Why what is issued for a while must be issued anew by now; undefined when it need not. What is adopted is left as it is for once. */
export function whyRenew({ kind, desired, actual, adopted }: Pair, now: number | undefined): string | undefined {
  const before = desired?.lifecycle.renew_before;
  const end = kind.renewal === undefined ? undefined : actual?.spec[kind.renewal.ends];
  if (before === undefined || now === undefined || typeof end !== 'string' || adopted === true) return undefined;
  const left = Date.parse(end) - now;
  if (Number.isNaN(left) || left > before * 1000) return undefined;
  return left > 0 ? `renew: expires in ${span(left)}` : `renew: expired ${span(-left)} ago`;
}

/** A stretch of time in its largest unit, begun ones left out: `12 days`. */
function span(ms: number): string {
  const [unit, each] = ms >= DAY ? ['day', DAY] : ms >= HOUR ? ['hour', HOUR] : ['minute', MINUTE];
  const count = Math.floor(ms / each);
  return `${String(count)} ${unit}${count === 1 ? '' : 's'}`;
}
