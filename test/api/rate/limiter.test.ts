import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/api/clock.ts';
import { createLimiter, type Limiter } from '../../../src/api/rate/limiter.ts';
import { parseRate, type RateFinding } from '../../../src/api/rate/rate.ts';
import { createEmulator } from '../../../src/emulator/emulator.ts';
import { quota, type Quota } from '../../../src/emulator/faults/request-limits.ts';
import { seeded } from '../../faults/chance.ts';
import { virtualClock, type VirtualClock } from '../../support/virtual-clock.ts';

interface Load {
  readonly requests: number;
  readonly rate?: string;
  readonly quota?: Quota;
  readonly parallelism?: number;
  readonly roundTripMs?: number;
  readonly retryAfter?: 'sent' | 'left out';
}

/** One request of a load: when it started and how it was answered in the end. */
interface Sent {
  readonly at: number;
  readonly answered: number;
  readonly status: number;
  readonly step: number;
}

/** Sends requests to the emulator, each again until it is let through, so many at once. */
async function sendAll({
  requests,
  rate,
  quota: limit,
  parallelism = 10,
  roundTripMs = 20,
  retryAfter = 'sent',
}: Load): Promise<{ readonly sent: readonly Sent[]; readonly steps: number; readonly ms: number }> {
  const clock = virtualClock();
  const emulator = createEmulator({ seed: 1, logKept: 0 });
  if (limit !== undefined) emulator.intercept(quota(limit, () => new Date(clock.now())));
  let steps = 0;
  const limiter = createLimiter(rate === undefined ? undefined : parseRate(rate), clock, () => (steps += 1));
  const sent: Sent[] = [];
  let left = requests;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      for (let status = 0; status !== 200;) {
        const heard = await limiter.admit();
        const [at, step] = [clock.now(), steps];
        await clock.sleep(roundTripMs / 2);
        const headers = { authorization: 'Bearer key', 'example-version': '2' };
        const answer = await emulator.handle({ method: 'GET', path: '/reserved_addrs', headers });
        await clock.sleep(roundTripMs / 2);
        status = answer.status;
        const seconds = retryAfter === 'sent' ? answer.headers['retry-after'] : undefined;
        heard(status, seconds === undefined ? undefined : Number(seconds) * 1000);
        sent.push({ at, answered: clock.now(), status, step });
      }
    }
  };
  await clock.run(Promise.all(Array.from({ length: parallelism }, worker)));
  return { sent, steps, ms: clock.now() };
}

/** How many requests were refused although they started after the first refusal had arrived. */
function wasted(sent: readonly Sent[]): number {
  const first = Math.min(...sent.filter(({ status }) => status === 429).map(({ answered }) => answered));
  return sent.filter(({ at, status }) => status === 429 && at > first).length;
}

/** A limiter that has learned of a limit by rate: three requests in a row were refused. */
async function limitedByRate(retryAfterMs: number): Promise<{ clock: VirtualClock; limiter: Limiter }> {
  const clock = virtualClock();
  const limiter = createLimiter(undefined, clock);
  for (let n = 0; n < 3; n++) (await limiter.admit())(429, retryAfterMs);
  return { clock, limiter };
}

describe('a given rate', () => {
  test('is never exceeded in any window', async () => {
    const { sent } = await sendAll({ requests: 300, rate: '120/60s' });
    for (const { at: start } of sent)
      expect(sent.filter(({ at }) => at >= start && at < start + 60_000).length).toBeLessThanOrEqual(120);
  });

  test.each(['120/60s', '10/1s', '1000/60s'])(
    'of %s keeps within the same quota of the service, at little more than it costs',
    async (rate) => {
      const { requests = 0, perMs = 0 } = parseRate(rate) ?? {};
      const { sent, ms } = await sendAll({ requests: 600, rate, quota: { requests, seconds: perMs / 1000 } });
      expect(sent.filter(({ status }) => status === 429)).toEqual([]);
      expect(ms / ((600 / requests) * perMs)).toBeLessThan(rate === '10/1s' ? 1.12 : 1.05);
    },
  );

  test('lets a small run go at once', async () => {
    const { sent } = await sendAll({ requests: 4, rate: '120/60s' });
    expect(sent.map(({ at }) => at)).toEqual([0, 0, 0, 0]);
  });
});

describe('without a rate', () => {
  test('nothing is held back', async () => {
    const { ms } = await sendAll({ requests: 500, parallelism: 500 });
    expect(ms).toBe(20);
  });

  describe.each([
    { requests: 120, seconds: 60 },
    { requests: 10, seconds: 1 },
    { requests: 500, seconds: 10 },
  ])('a quota of $requests in $seconds s', (limit) => {
    test.each([
      { parallelism: 10, roundTripMs: 20, retryAfter: 'sent' },
      { parallelism: 50, roundTripMs: 300, retryAfter: 'sent' },
      { parallelism: 10, roundTripMs: 20, retryAfter: 'left out' },
      { parallelism: 50, roundTripMs: 300, retryAfter: 'left out' },
    ] as const)('wastes few requests: $parallelism at once, $roundTripMs ms, Retry-After $retryAfter', async (load) => {
      const { sent, steps } = await sendAll({ requests: 1_200, quota: limit, ...load });
      expect(sent.filter(({ status }) => status === 200)).toHaveLength(1_200);
      expect(wasted(sent)).toBeLessThanOrEqual(3 * steps + 3 * load.parallelism);
      expect(steps).toBeLessThan(1_200 / 20);
    });
  });

  test('a limit that is reported is learned from its first refusal, and costs little more than the quota', async () => {
    const { sent, ms } = await sendAll({ requests: 1_200, quota: { requests: 120, seconds: 60 } });
    expect(ms / (1_200 * 500)).toBeLessThan(1.05);
    const refused = sent.filter(({ status }) => status === 429);
    expect(refused.length).toBeLessThan(30);
  });

  test.each([
    { asked: 7_000, held: 7_000 },
    { asked: 1e9, held: 120_000 },
  ])(
    'a limit by rate that asks for $asked ms holds everything for $held ms, and reports that',
    async ({ asked, held }) => {
      const { clock, limiter } = await limitedByRate(asked);
      expect(clock.now() + limiter.waitMs()).toBe(held);
      await clock.run(limiter.admit());
      expect(clock.now()).toBe(held);
      expect(limiter.waitMs()).toBeGreaterThanOrEqual(0);
    },
  );

  test('two requests find out that it is a limit by rate, and nothing else is sent while the wait runs', async () => {
    const clock = virtualClock();
    const lessons: RateFinding[] = [];
    const limiter = createLimiter(undefined, clock, (lesson) => lessons.push(lesson));
    let sent = 0;
    const refusedUntil = 7_000;
    const sending = async (): Promise<void> => {
      for (let isRefused = true; isRefused;) {
        const answered = await limiter.admit();
        const at = clock.now();
        if (at > 0 && at < refusedUntil) sent += 1;
        await clock.sleep(20);
        isRefused = at < refusedUntil;
        answered(isRefused ? 429 : 200, isRefused ? refusedUntil - clock.now() : undefined);
      }
    };
    await clock.run(Promise.all(Array.from({ length: 10 }, sending)));
    expect(sent).toBeLessThanOrEqual(2);
    expect(lessons).toEqual([{ gapMs: 100 }]);
  });

  test('refusals that come by chance, whatever the pace, do not make it slower and slower', async () => {
    const clock = virtualClock();
    const limiter = createLimiter(undefined, clock);
    const chance = seeded(1);
    const passing = async (): Promise<void> => {
      for (let passed = 0; passed < 100;) {
        const heard = await limiter.admit();
        const isRefused = chance() < 0.3;
        if (isRefused) heard(429, 1_000);
        else heard(200);
        passed += isRefused ? 0 : 1;
      }
    };
    await clock.run(passing());
    expect(clock.now()).toBeLessThan(400_000);
  });

  test('a service that always refuses is asked ever more rarely', async () => {
    const clock = virtualClock();
    const limiter = createLimiter(undefined, clock);
    let sent = 0;
    const asking = async (): Promise<void> => {
      for (; clock.now() < 120_000; sent++) (await limiter.admit())(429, 1_000);
    };
    await clock.run(asking());
    expect(sent).toBeLessThan(20);
  });

  test('a limit that is gone is forgotten', async () => {
    const clock = virtualClock();
    const limiter = createLimiter(undefined, clock);
    for (let n = 0; n < 3; n++) (await limiter.admit())(429, 0);
    const passing = async () => {
      for (let n = 0; n < 2_000; n++) (await limiter.admit())(200);
    };
    await clock.run(passing());
    const before = clock.now();
    await clock.run(Promise.all(Array.from({ length: 50 }, () => limiter.admit())));
    expect(clock.now()).toBe(before);
  });

  test('one that is interrupted while it waits gives its place to the next', async () => {
    const { clock, limiter } = await limitedByRate(5_000);
    const stop = new AbortController();
    const first = limiter.admit(stop.signal);
    const second = limiter.admit();
    setImmediate(() => stop.abort());
    await expect(first).rejects.toThrow('aborted');
    await clock.run(second);
    expect(clock.now()).toBe(5_000);
  });

  test('once the last that waits is interrupted, no timer is left that would keep the process from ending', async () => {
    let timers = 0;
    const sleep: Clock['sleep'] = (_, signal) =>
      new Promise((_, fail) => {
        timers += 1;
        signal?.addEventListener('abort', () => {
          timers -= 1;
          fail(new Error('aborted'));
        });
      });
    const limiter = createLimiter({ requests: 1, perMs: 60_000 }, { ...virtualClock(), sleep });
    const stop = new AbortController();
    await limiter.admit();
    const all = [limiter.admit(stop.signal), limiter.admit(stop.signal)];
    await new Promise((done) => setImmediate(done));
    expect(timers).toBe(1);
    stop.abort();
    for (const one of all) await expect(one).rejects.toThrow('aborted');
    expect(timers).toBe(0);
  });
});

test.each([
  ['120/60s', { requests: 120, perMs: 60_000 }],
  ['10/1m', { requests: 10, perMs: 60_000 }],
  ['5/250ms', { requests: 5, perMs: 250 }],
  ['0/60s', undefined],
  ['120 per minute', undefined],
  ['120/60', undefined],
])('the rate %s', (text, rate) => {
  expect(parseRate(text)).toEqual(rate);
});
