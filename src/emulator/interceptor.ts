import type { Answer } from './answer.ts';
import type { Exchange } from './exchange.ts';

/**
 * Something put around the service: it may answer instead of it, do it more than once or later, or change its answer.
 * What happens before `next` happens before the commit, what happens after it, after.
 */
export type Interceptor = (exchange: Exchange, next: () => Promise<Answer>) => Answer | Promise<Answer>;
