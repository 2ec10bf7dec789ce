import { describe, expect, test } from 'vitest';
import { createLimiter, type AnswerObserver } from '../../../src/api/rate/limiter.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

/** A limiter that knows nothing yet, and so many requests that are in flight. */
async function inFlight(count: number) {
  const limiter = createLimiter(undefined, virtualClock());
  const answer: AnswerObserver[] = [];
  for (let n = 0; n < count; n++) answer.push(await limiter.admit());
  /** Asks for so many more: which of them may start before anything else is answered. */
  const starting = async (more: number): Promise<AnswerObserver[]> => {
    const started: AnswerObserver[] = [];
    for (let n = 0; n < more; n++) void limiter.admit().then((one) => started.push(one));
    await settled();
    return started;
  };
  return { answer, starting };
}

const settled = () => new Promise((done) => setImmediate(done));

describe('after the first refusal', () => {
  test('nothing starts while others are in flight, and then one', async () => {
    const { answer, starting } = await inFlight(3);
    answer[0]?.(429, 5_000);
    const started = await starting(5);
    expect(started).toHaveLength(0);
    answer[1]?.(429, 5_000);
    await settled();
    expect(started).toHaveLength(0);
    answer[2]?.(429, 5_000);
    await settled();
    expect(started).toHaveLength(1);
  });

  test('many that started after it and pass show that it was not by rate', async () => {
    const { answer, starting } = await inFlight(11);
    answer[0]?.(429, 5_000);
    for (const later of answer.slice(1)) later(200);
    expect(await starting(5)).toHaveLength(5);
  });

  test('what started before it and passes shows nothing', async () => {
    const { answer, starting } = await inFlight(11);
    answer[10]?.(429, 5_000);
    for (const earlier of answer.slice(0, 10)) earlier(200);
    expect(await starting(5)).toHaveLength(1);
  });

  test('what is not answered shows nothing', async () => {
    const { answer, starting } = await inFlight(11);
    answer[0]?.(429, 5_000);
    for (const later of answer.slice(1)) later(undefined);
    expect(await starting(5)).toHaveLength(1);
  });

  test('three start once the one has passed, and no more before all of them are answered', async () => {
    const { answer, starting } = await inFlight(1);
    answer[0]?.(429, 5_000);
    const started = await starting(12);
    expect(started).toHaveLength(1);
    started[0]?.(200);
    await settled();
    expect(started).toHaveLength(4);
    started[1]?.(200);
    started[2]?.(200);
    await settled();
    expect(started).toHaveLength(4);
    started[3]?.(200);
    await settled();
    expect(started).toHaveLength(12);
  });
});

test('of those that wait, repeated ones go first, each kind in its order', async () => {
  const clock = virtualClock();
  const limiter = createLimiter({ requests: 1, perMs: 1_000 }, clock);
  await limiter.admit();
  const order: string[] = [];
  const waiting = [
    { name: 'first', isRepeat: false },
    { name: 'second', isRepeat: false },
    { name: 'repeated', isRepeat: true },
    { name: 'repeated later', isRepeat: true },
  ].map(({ name, isRepeat }) =>
    limiter.admit(undefined, { isRepeat, queued: () => undefined }).then(() => order.push(name)),
  );
  await clock.run(Promise.all(waiting));
  expect(order).toEqual(['repeated', 'repeated later', 'first', 'second']);
});
