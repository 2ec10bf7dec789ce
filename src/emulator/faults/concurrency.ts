import type { Interceptor } from '../http/interceptor.ts';
import { tooManyRequests } from './too-many-requests.ts';

/** Answers 429 to what arrives while so many requests are in flight, before anything is done, and asks to wait a second. */
export function concurrency(most: number): Interceptor {
  let inFlight = 0;
  return async (_, next) => {
    if (inFlight >= most) {
      return tooManyRequests(`At most ${most} concurrent requests are allowed.`, 1);
    }
    inFlight += 1;
    try {
      return await next();
    } finally {
      inFlight -= 1;
    }
  };
}
