import { describe, expect, test } from 'vitest';
import { ApiError } from '../../src/api/api-errors.ts';
import { createLimiter } from '../../src/api/rate/limiter.ts';
import type { RateFinding } from '../../src/api/rate/rate.ts';
import { createRetry } from '../../src/api/retry.ts';
import { virtualClock } from '../support/virtual-clock.ts';

interface Refusing {
  /** What the service asks for; undefined: it does not say. */
  readonly retryAfter?: number;
  readonly lists: number;
  readonly roundTripMs: number;
}

/** A wait as it was printed, and when the request was sent again; undefined where it was not. */
interface Promised {
  readonly ms: number;
  readonly sentAfterMs: number | undefined;
}

const patienceMs = 120_000;

/** Reads lists at once from a service that answers 429 to everything: when each gives up, counted from the first refusal. */
async function refused({ retryAfter, lists, roundTripMs }: Refusing) {
  const clock = virtualClock([0.5, 0.1, 0.9, 0.3]);
  const findings: RateFinding[] = [];
  const limiter = createLimiter(undefined, clock, (finding) => findings.push(finding));
  const waits: { readonly path: string; readonly at: number; readonly ms: number }[] = [];
  const sent: { readonly path: string; readonly at: number }[] = [];
  const repeat = createRetry({
    clock,
    heldBackMs: limiter.waitMs,
    onRetry: ({ path, ms }) => waits.push({ path, at: clock.now(), ms }),
  });
  const gaveUp: number[] = [];

  async function read(path: string): Promise<void> {
    const request = { method: 'GET', path };
    const refusal = { status: 429, msg: '', ...(retryAfter === undefined ? {} : { retryAfter }) };
    const once = async (place: Parameters<Parameters<typeof repeat>[1]>[0]): Promise<never> => {
      const answered = await limiter.admit(undefined, place);
      sent.push({ path, at: clock.now() });
      await clock.sleep(roundTripMs);
      answered(429, retryAfter);
      throw new ApiError('API_REFUSED', request, refusal);
    };
    await expect(repeat(request, once)).rejects.toThrow('429');
    gaveUp.push(clock.now() - roundTripMs);
  }

  await clock.run(Promise.all(Array.from({ length: lists }, (_, n) => read(`/list-${String(n)}`))));
  const promised = waits.map(({ path, at, ms }): Promised => {
    const next = sent.find((one) => one.path === path && one.at >= at);
    return { ms, sentAfterMs: next === undefined ? undefined : next.at - at };
  });
  return { gaveUp, promised, findings, sent };
}

const services: readonly Refusing[] = [
  { retryAfter: 1_000, lists: 1, roundTripMs: 20 },
  { retryAfter: 1_000, lists: 3, roundTripMs: 20 },
  { retryAfter: 1_000, lists: 10, roundTripMs: 300 },
  { retryAfter: 7_000, lists: 10, roundTripMs: 20 },
  { retryAfter: 30_000, lists: 10, roundTripMs: 20 },
  { retryAfter: 60_000, lists: 10, roundTripMs: 20 },
  { lists: 1, roundTripMs: 20 },
  { lists: 50, roundTripMs: 20 },
];

describe.each(services)('a service that refuses everything: %o', (service) => {
  test('is given up two minutes after the first refusal, not later', async () => {
    const { gaveUp } = await refused(service);
    for (const ms of gaveUp) expect(ms).toBeLessThanOrEqual(patienceMs);
    // Its last wait may be one that nobody has the patience for.
    expect(Math.min(...gaveUp)).toBeGreaterThanOrEqual(patienceMs - Math.max(30_000, service.retryAfter ?? 0));
  });
});

test('a wait is printed as long as it turns out to be, once a second one was for nothing', async () => {
  const { promised } = await refused({ retryAfter: 1_000, lists: 3, roundTripMs: 20 });
  const later = promised.slice(4).filter(({ sentAfterMs }) => sentAfterMs !== undefined);
  expect(later.length).toBeGreaterThan(3);
  for (const { ms, sentAfterMs = 0 } of later) expect(Math.abs(ms - sentAfterMs)).toBeLessThan(100);
});

test('the rate that is reported is the one at which requests are sent', async () => {
  const { findings, sent } = await refused({ retryAfter: 1_000, lists: 10, roundTripMs: 20 });
  const [before = 0, last = 0] = sent.slice(-2).map(({ at }) => at);
  const finding = findings.at(-1);
  if (finding === undefined || !('gapMs' in finding)) throw new Error('a rate was to be found');
  expect((last - before) / finding.gapMs).toBeCloseTo(1, 1);
});
