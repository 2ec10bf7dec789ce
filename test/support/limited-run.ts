import { createLimiter, type Limiter } from '../../src/api/rate/limiter.ts';
import type { QueueTicket } from '../../src/api/rate/queue.ts';
import { createEmulator } from '../../src/emulator/emulator.ts';
import type { Interceptor } from '../../src/emulator/http/interceptor.ts';
import { seeded } from '../faults/chance.ts';
import { virtualClock } from './virtual-clock.ts';

/** A service that answers 429, and how many requests it is sent. */
export interface LimitedService {
  readonly limit: (seed: number, now: () => Date) => Interceptor;
  readonly requests: number;
}

/** How requests are sent to it. */
export interface LimitedLoad {
  readonly roundTripMs: number;
  readonly seed: number;
  /** Through a limiter; else each is only repeated after the wait that was asked for. */
  readonly isLimited: boolean;
  readonly parallelism?: number;
  /** By how much answers are faster and slower than the round trip, as a share of it. */
  readonly jitter?: number;
  /** For so long in each quarter of a second nothing is sent, so that what starts evenly arrives in bunches. */
  readonly pauseMs?: number;
}

const headers = { authorization: 'Bearer key', 'example-version': '2' };

/** Sends requests until all have passed, on a virtual clock: how long that takes, and how many were refused. */
export async function limitedRun(
  { limit, requests }: LimitedService,
  { roundTripMs, seed, isLimited, parallelism = 10, jitter = 0, pauseMs = 0 }: LimitedLoad,
): Promise<{ readonly ms: number; readonly refused: number }> {
  const clock = virtualClock();
  const chance = seeded(seed);
  const travel = (share: number): Promise<void> => clock.sleep(roundTripMs * share * (1 + jitter * (2 * chance() - 1)));
  const emulator = createEmulator({ seed: 1, logKept: 0 });
  // What is in flight counts for as long as it is worked on.
  emulator.intercept(async (_, next) => {
    await travel(1 / 2);
    return next();
  });
  emulator.intercept(limit(seed, () => new Date(clock.now())));
  const admit: Limiter['admit'] = isLimited
    ? createLimiter(undefined, clock).admit
    : () => Promise.resolve(() => undefined);
  let [left, refused] = [requests, 0];

  /** Sends one request; returns the wait that the service asks for, undefined where it passed. */
  async function send(place: QueueTicket): Promise<number | undefined> {
    const answered = await admit(undefined, place);
    if (clock.now() % 250 < pauseMs) await clock.sleep(pauseMs - (clock.now() % 250));
    await travel(1 / 4);
    const answer = await emulator.handle({ method: 'GET', path: '/reserved_addrs', headers });
    await travel(1 / 4);
    const wait = answer.status === 429 ? Number(answer.headers['retry-after']) * 1000 : undefined;
    answered(answer.status, wait);
    return wait;
  }

  async function worker(): Promise<void> {
    for (; left > 0;) {
      left -= 1;
      let wait = await send({ isRepeat: false, queued: () => undefined });
      while (wait !== undefined) {
        refused += 1;
        await clock.sleep(wait);
        wait = await send({ isRepeat: true, queued: () => undefined });
      }
    }
  }

  await clock.run(Promise.all(Array.from({ length: parallelism }, worker)));
  return { ms: clock.now(), refused };
}
