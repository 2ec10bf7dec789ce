import type { Answer } from '../answer.ts';
import type { Exchange } from './exchange.ts';
import type { Interceptor } from './interceptor.ts';
import type { EmulatorWorld } from '../world.ts';

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
