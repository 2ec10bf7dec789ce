import { refusalAnswer, refuse } from '../answer.ts';
import type { Interceptor } from '../http/interceptor.ts';

/** Answers 429 to what arrives while so many requests are in flight, before anything is done, and asks to wait a second. */
export function concurrency(most: number): Interceptor {
  let inFlight = 0;
  return async (_, next) => {
    if (inFlight >= most) {
      const over = refuse(429, 'TOO_MANY_REQUESTS', `At most ${most} concurrent requests are allowed.`, {
        'retry-after': '1',
      });
      return refusalAnswer(over, 'op_quota');
    }
    inFlight += 1;
    try {
      return await next();
    } finally {
      inFlight -= 1;
    }
  };
}
