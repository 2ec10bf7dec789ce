import type { RateFinding } from '../api/rate/rate-finding.ts';
import { counted } from '../diagnostics/counted.ts';

// A rate that differs by less is the same line.
const noticeable = 1.25;

/** Reports what a 429 was found to mean, once for each meaning and again where a limit has changed noticeably. */
export function rateFindingLog(log: (line: string) => void): (lesson: RateFinding) => void {
  let last: RateFinding | undefined;
  return (lesson) => {
    if (last !== undefined && isSame(last, lesson)) return;
    last = lesson;
    log(lineOf(lesson));
  };
}

function lineOf(lesson: RateFinding): string {
  if ('gapMs' in lesson)
    return `The service limits requests (429 Too Many Requests); sending about ${counted(
      Math.max(1, Math.round(60_000 / lesson.gapMs)),
      'request',
    )} per minute. Set api.rate_limit if you know the limit.`;
  if ('atOnce' in lesson)
    return `The service limits concurrent requests (429 Too Many Requests); sending at most ${String(lesson.atOnce)} at a time.`;
  return 'The service refuses some requests at any rate (429 Too Many Requests); repeating only those.';
}

function isSame(one: RateFinding, other: RateFinding): boolean {
  if ('gapMs' in one && 'gapMs' in other) {
    const ratio = one.gapMs / other.gapMs;
    return ratio < noticeable && ratio > 1 / noticeable;
  }
  if ('atOnce' in one && 'atOnce' in other) return one.atOnce === other.atOnce;
  return 'share' in one && 'share' in other;
}
