import { type Answer, refusalAnswer, refuse } from '../answer.ts';

/** The 429 to what is over a limit, with the seconds to wait. */
export function tooManyRequests(message: string, seconds: number): Answer {
  return refusalAnswer(refuse(429, 'TOO_MANY_REQUESTS', message, { 'retry-after': String(seconds) }), 'op_quota');
}
