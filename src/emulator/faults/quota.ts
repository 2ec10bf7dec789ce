import type { Interceptor } from '../http/interceptor.ts';
import { tooManyRequests } from './too-many-requests.ts';

/** So many requests in any so many seconds; a common quota is 120 in 60. */
export interface Quota {
  readonly requests: number;
  readonly seconds: number;
}

/** Answers 429 to requests over a quota, before anything is done, with the time of the next free slot. Refused requests do not count. */
export function quota({ requests, seconds }: Quota, clock: () => Date = () => new Date()): Interceptor {
  const passed: number[] = [];
  return (_, next) => {
    const now = clock().getTime();
    while (passed[0] !== undefined && passed[0] <= now - seconds * 1000) passed.shift();
    const [oldest] = passed;
    if (oldest !== undefined && passed.length >= requests) {
      const wait = Math.ceil((oldest + seconds * 1000 - now) / 1000);
      return tooManyRequests(`At most ${requests} requests are allowed in ${seconds} seconds.`, wait);
    }
    passed.push(now);
    return next();
  };
}
