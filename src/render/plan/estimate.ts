import { counted } from '../../diagnostics/counted.ts';

/** The number of requests, and their duration at the rate limit of the service: `7 API requests, about 4 s at this rate limit`. */
export function requestsEstimate(requests: number, gapMs: number | undefined): string {
  const count = counted(requests, 'API request');
  if (gapMs === undefined || requests === 0) return count;
  return `${count}, about ${spanText(Math.ceil((requests * gapMs) / 1000))} at this rate limit`;
}

function spanText(seconds: number): string {
  if (seconds < 120) return `${String(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${String(minutes)} min` : `${String(Math.round(minutes / 60))} h`;
}
