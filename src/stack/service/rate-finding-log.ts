import type { RateFinding } from '../../api/rate/rate.ts';
import { counted } from '../../diagnostics/counted.ts';

// A rate that differs by less is the same line.
const noticeable = 1.25;

/** Reports what a 429 was found to mean, once for each meaning and again where a limit has changed noticeably. */
export function rateFindingLog(log: (line: string) => void): (finding: RateFinding) => void {
  let last: RateFinding | undefined;
  return (finding) => {
    if (last !== undefined && isSame(last, finding)) return;
    last = finding;
    log(lineOf(finding));
  };
}

function lineOf(finding: RateFinding): string {
  if ('gapMs' in finding)
    return `The service limits requests (429 Too Many Requests); sending about ${counted(
      Math.max(1, Math.round(60_000 / finding.gapMs)),
      'request',
    )} per minute. Set api.rate_limit if you know the limit.`;
  if ('atOnce' in finding)
    return `The service limits concurrent requests (429 Too Many Requests); sending at most ${String(finding.atOnce)} at a time.`;
  return 'The service answers some requests with 429 (Too Many Requests) even at a low request rate; sluice retries these requests and does not slow down.';
}

function isSame(one: RateFinding, other: RateFinding): boolean {
  if ('gapMs' in one && 'gapMs' in other) {
    const ratio = one.gapMs / other.gapMs;
    return ratio < noticeable && ratio > 1 / noticeable;
  }
  if ('atOnce' in one && 'atOnce' in other) return one.atOnce === other.atOnce;
  return 'share' in one && 'share' in other;
}
