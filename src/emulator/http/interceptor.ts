import type { Answer } from '../answer.ts';
import type { Exchange } from './exchange.ts';
import type { EmulatorWorld } from '../world.ts';

/**
 * Something put around the service: it may answer instead of it, do it more than once or later, change the request or
 * its answer, or do something else to the account. What happens before `next` happens before the commit, what happens
 * after it, after.
 */
export type Interceptor = (
  exchange: Exchange,
  /** Goes on, with the request as it is or with another in its place. */
  next: (instead?: Exchange) => Promise<Answer>,
  world: EmulatorWorld,
) => Answer | Promise<Answer>;

/** Carries out a request through everything put around it; what was put last is the outermost. */
export function throughAll(
  interceptors: readonly Interceptor[],
  innermost: (exchange: Exchange) => Promise<Answer>,
  exchange: Exchange,
  world: EmulatorWorld,
): Promise<Answer> {
  const whole = interceptors.reduce<(exchange: Exchange) => Promise<Answer>>(
    (next, interceptor) => async (seen) => interceptor(seen, (instead = seen) => next(instead), world),
    innermost,
  );
  return whole(exchange);
}
