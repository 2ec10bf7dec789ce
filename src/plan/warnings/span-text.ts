import { counted } from '../../diagnostics/counted.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** A stretch of time, in milliseconds, in its largest unit, begun ones left out: `12 days`. */
export function spanText(ms: number): string {
  const [unit, each] = ms >= DAY ? ['day', DAY] : ms >= HOUR ? ['hour', HOUR] : ['minute', MINUTE];
  return counted(Math.floor(ms / each), unit);
}
