import { positive } from '../checks.ts';
import { count, module, share } from '../fields.ts';

/** Stops sending to an upstream that fails. */
export const circuitBreaker = module(
  'Stops sending requests to the backend while too many of its responses are errors.',
  {
    tripped_duration: count(
      'Seconds for which the circuit breaker sends no requests before it tries the backend again.',
      {
        default: 10,
        checks: [positive],
      },
    ),
    rolling_window: count(
      'Length in seconds of the time window in which the circuit breaker counts requests and errors.',
      { default: 10, checks: [positive] },
    ),
    num_buckets: count('Number of equal parts into which the circuit breaker divides its time window.', {
      max: 128,
      default: 10,
      checks: [positive],
    }),
    volume_threshold: count(
      'Number of requests in the time window below which the circuit breaker does not stop requests.',
      { default: 20 },
    ),
    error_threshold_percentage: {
      ...share('Share of failed requests, from 0 to 1, above which the circuit breaker stops requests.', 0, 1),
      examples: [0.25],
    },
  },
  { path: { suffix: '/circuit_breaker', since: 'completed' } },
);
