import { type Answer, refusalAnswer, Refusal } from '../answer.ts';
import type { Interceptor } from '../http/interceptor.ts';

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

/**
 * So many requests at once after a pause, and so many in so many seconds from then on. Answers 429 where no token is left, before
 * anything is done, with the seconds until there is one. Refused requests take none.
 */
export function tokenBucket(
  { burst, requests, seconds }: Quota & { readonly burst: number },
  clock: () => Date = () => new Date(),
): Interceptor {
  const refillMs = (seconds * 1000) / requests;
  let tokens = burst;
  let at = -Infinity;
  return (_, next) => {
    const now = clock().getTime();
    tokens = Math.min(burst, tokens + (now - at) / refillMs);
    at = now;
    if (tokens < 1) {
      const wait = Math.ceil(((1 - tokens) * refillMs) / 1000);
      return tooManyRequests('The rate limit is exceeded.', wait);
    }
    tokens -= 1;
    return next();
  };
}

/** Answers 429 to what arrives while so many requests are in flight, before anything is done, and asks to wait a second. */
export function concurrency(most: number): Interceptor {
  let inFlight = 0;
  return async (_, next) => {
    if (inFlight >= most) return tooManyRequests(`At most ${most} concurrent requests are allowed.`, 1);
    inFlight += 1;
    try {
      return await next();
    } finally {
      inFlight -= 1;
    }
  };
}

function tooManyRequests(message: string, seconds: number): Answer {
  return refusalAnswer(new Refusal(429, 'TOO_MANY_REQUESTS', message, { 'retry-after': String(seconds) }), 'op_quota');
}
