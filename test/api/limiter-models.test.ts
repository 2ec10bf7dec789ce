import { describe, expect, test } from 'vitest';
import type { Interceptor } from '../../src/emulator/http/interceptor.ts';
import { concurrency, quota, tokenBucket } from '../../src/emulator/faults/request-limits.ts';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { limitedRun, type LimitedService } from '../support/limited-run.ts';

const byChance =
  (share: number) =>
  (seed: number): Interceptor =>
    faulty(parseFault(`rate-limited=1@${share}%`), seed);

interface Model extends LimitedService {
  readonly what: string;
  /** Requests refused beyond those that a client which waits as asked and repeats has refused too. */
  readonly mostWasted: number;
}

const models: readonly Model[] = [
  { what: '1 % at random', limit: byChance(1), requests: 600, mostWasted: 0 },
  { what: '5 % at random', limit: byChance(5), requests: 600, mostWasted: 0 },
  { what: '20 % at random', limit: byChance(20), requests: 600, mostWasted: 0 },
  {
    what: 'a token bucket of 20, 10 per second',
    limit: (_, now) => tokenBucket({ burst: 20, requests: 10, seconds: 1 }, now),
    requests: 400,
    mostWasted: 40,
  },
  {
    what: 'a token bucket of 5, 1 per second',
    limit: (_, now) => tokenBucket({ burst: 5, requests: 1, seconds: 1 }, now),
    requests: 120,
    mostWasted: 40,
  },
  {
    what: '120 in any 60 seconds',
    limit: (_, now) => quota({ requests: 120, seconds: 60 }, now),
    requests: 960,
    mostWasted: 40,
  },
  {
    what: '30 in any second',
    limit: (_, now) => quota({ requests: 30, seconds: 1 }, now),
    requests: 300,
    mostWasted: 40,
  },
  { what: '5 in flight', limit: () => concurrency(5), requests: 400, mostWasted: 20 },
  { what: '10 in flight', limit: () => concurrency(10), requests: 400, mostWasted: 20 },
];

describe.each(models)('a service that limits $what', ({ mostWasted, ...service }) => {
  test.each([
    { parallelism: 10, roundTripMs: 20, seed: 1 },
    { parallelism: 10, roundTripMs: 50, seed: 2 },
    { parallelism: 50, roundTripMs: 20, seed: 3 },
    { parallelism: 50, roundTripMs: 300, seed: 4 },
    { parallelism: 50, roundTripMs: 300, seed: 2 },
  ])(
    'takes at most 1.25 times as long as waiting as asked and repeating: $parallelism at once, $roundTripMs ms, seed $seed',
    async (load) => {
      const plain = await limitedRun(service, { ...load, isLimited: false });
      const ours = await limitedRun(service, { ...load, isLimited: true });
      expect(ours.ms / plain.ms).toBeLessThanOrEqual(1.25);
      const most = (mostWasted * load.parallelism) / 10;
      expect(ours.refused).toBeLessThanOrEqual(Math.max(plain.refused, most));
      if (mostWasted > 0) expect(ours.refused).toBeLessThanOrEqual(most);
    },
  );
});

test.each([20, 60])(
  '30 in any second cost little time where what starts evenly arrives in bunches of %d ms',
  async (pauseMs) => {
    const service: LimitedService = { limit: (_, now) => quota({ requests: 30, seconds: 1 }, now), requests: 300 };
    const load = { parallelism: 50, roundTripMs: 100, jitter: 0.1, pauseMs, seed: 1 };
    const plain = await limitedRun(service, { ...load, isLimited: false });
    const ours = await limitedRun(service, { ...load, isLimited: true });
    expect(ours.ms / plain.ms).toBeLessThanOrEqual(1.25);
    expect(ours.refused).toBeLessThan(plain.refused / 2);
  },
);

describe('a service whose answers take longer and shorter', () => {
  const load = { parallelism: 50, roundTripMs: 300, jitter: 0.4 };

  test.each([
    { share: 1, seed: 13 },
    { share: 5, seed: 12 },
    { share: 5, seed: 13 },
    { share: 20, seed: 14 },
  ])('and that refuses $share % at random costs hardly any time: seed $seed', async ({ share, seed }) => {
    const service = { limit: byChance(share), requests: 1_000 };
    const plain = await limitedRun(service, { ...load, seed, isLimited: false });
    const ours = await limitedRun(service, { ...load, seed, isLimited: true });
    expect(ours.ms / plain.ms).toBeLessThanOrEqual(1.25);
    expect(ours.refused).toBe(plain.refused);
  });

  test.each([
    { what: 'a token bucket of 20, 10 per second', requests: 400, mostRefused: 1 / 3 },
    { what: '5 in flight', requests: 1_000, mostRefused: 1 / 3 },
    { what: '10 in flight', requests: 1_000, mostRefused: 3 / 4 },
  ])(
    'and that limits $what refuses fewer of what is sent to it, and costs little time',
    async ({ what, requests, mostRefused }) => {
      const [model] = models.filter((one) => one.what === what);
      const service = { limit: model?.limit ?? byChance(0), requests };
      const plain = await limitedRun(service, { ...load, seed: 11, isLimited: false });
      const ours = await limitedRun(service, { ...load, seed: 11, isLimited: true });
      expect(ours.refused).toBeLessThanOrEqual(plain.refused * mostRefused);
      expect(ours.ms / plain.ms).toBeLessThanOrEqual(1.3);
    },
  );
});
