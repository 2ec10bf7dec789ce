import { positive } from '../checks.ts';
import { count, module, share } from '../fields.ts';

/** Stops sending to an upstream that fails. */
export const circuitBreaker = module(
  'Stops sending requests to an upstream that fails too often.',
  {
    tripped_duration: count('Seconds to wait after tripping before upstream health is evaluated again.', {
      default: 10,
      checks: [positive],
    }),
    rolling_window: count('Length of the metrics window in seconds.', { default: 10, checks: [positive] }),
    num_buckets: count('Number of buckets of the metrics window.', { max: 128, default: 10, checks: [positive] }),
    volume_threshold: count('Minimum number of requests in the window before the circuit can trip.', { default: 20 }),
    error_threshold_percentage: {
      ...share('Share of failed requests that trips the circuit, 0 to 1.0.', 0, 1),
      examples: [0.25],
    },
  },
  { path: { suffix: '/circuit_breaker', since: 'completed' } },
);
