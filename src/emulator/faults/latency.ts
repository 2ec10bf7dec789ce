import { setTimeout } from 'node:timers/promises';
import type { Interceptor } from '../http/interceptor.ts';

/** Lets every answer take its time: it is carried out at once and arrives so many milliseconds later. */
export function latency(ms: number): Interceptor {
  return async (_, next) => {
    const answer = await next();
    await setTimeout(ms);
    return answer;
  };
}
