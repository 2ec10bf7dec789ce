import type { Interceptor } from '../http/interceptor.ts';
import { tooManyRequests } from './too-many-requests.ts';

/** So many requests at once after a pause, and so many in so many seconds from then on. */
export interface TokenBucket {
  readonly burst: number;
  readonly requests: number;
  readonly seconds: number;
}

/** Answers 429 where no token is left, before anything is done, with the seconds until there is one. Refused requests take none. */
export function tokenBucket(
  { burst, requests, seconds }: TokenBucket,
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
