import { describe, expect, test } from 'vitest';
import {
  AmbiguousAnswer,
  ApiError,
  ConnectionFailed,
  EarlierAttemptLost,
  mayHaveHappened,
  NotAllowed,
} from '../../src/api/api-errors.ts';
import { QueuedTooLong, type QueueTicket } from '../../src/api/rate/queue.ts';
import { createRetry, type RetryWait } from '../../src/api/retry.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const request = (method: string) => ({ method, path: '/reserved_addrs' });

const failures = {
  'never sent': (method: string) =>
    new ConnectionFailed('CONNECTION_FAILED', request(method), 'refused', { mayHaveHappened: false }),
  'cut off': (method: string) =>
    new ConnectionFailed('CONNECTION_FAILED', request(method), 'reset', { mayHaveHappened: method !== 'GET' }),
  'too late': (method: string) =>
    new ConnectionFailed('REQUEST_TIMEOUT', request(method), 'late', { mayHaveHappened: method !== 'GET' }),
  unreadable: (method: string) => new AmbiguousAnswer(request(method), 200, 'it is no JSON'),
  429: (method: string) => new ApiError('API_REFUSED', request(method), { status: 429, msg: '' }),
  503: (method: string) => new ApiError('API_FAILED', request(method), { status: 503, msg: '' }),
  500: (method: string) => new ApiError('API_FAILED', request(method), { status: 500, msg: '' }),
  501: (method: string) => new ApiError('API_FAILED', request(method), { status: 501, msg: '' }),
  400: (method: string) => new ApiError('API_REFUSED', request(method), { status: 400, msg: '' }),
  401: (method: string) => new NotAllowed(request(method), { status: 401, msg: '' }),
  interrupted: (method: string) =>
    new ConnectionFailed('INTERRUPTED', request(method), 'stop', { mayHaveHappened: false }),
} as const;

/** How often a request is tried that fails twice and would then succeed. */
async function tries(method: string, failure: keyof typeof failures): Promise<number> {
  const clock = virtualClock();
  const repeat = createRetry({ clock });
  let count = 0;
  const once = () => {
    count += 1;
    return count < 3 ? Promise.reject(failures[failure](method)) : Promise.resolve('done');
  };
  await clock.run(repeat(request(method), once).catch(() => undefined));
  return count;
}

// The table at the head of src/api/retry.ts, cell by cell: 3 means repeated, 1 means reported at once.
describe.each([
  {
    method: 'GET',
    row: {
      'never sent': 3,
      'cut off': 3,
      'too late': 3,
      unreadable: 3,
      429: 3,
      503: 3,
      500: 3,
      501: 1,
      400: 1,
      401: 1,
      interrupted: 1,
    },
  },
  {
    method: 'PUT',
    row: {
      'never sent': 3,
      'cut off': 3,
      'too late': 3,
      unreadable: 3,
      429: 3,
      503: 3,
      500: 1,
      501: 1,
      400: 1,
      401: 1,
      interrupted: 1,
    },
  },
  {
    method: 'DELETE',
    row: {
      'never sent': 3,
      'cut off': 3,
      'too late': 3,
      unreadable: 1,
      429: 3,
      503: 3,
      500: 1,
      501: 1,
      400: 1,
      401: 1,
      interrupted: 1,
    },
  },
  {
    method: 'PATCH',
    row: {
      'never sent': 3,
      'cut off': 1,
      'too late': 1,
      unreadable: 1,
      429: 3,
      503: 1,
      500: 1,
      501: 1,
      400: 1,
      401: 1,
      interrupted: 1,
    },
  },
  {
    method: 'POST',
    row: {
      'never sent': 3,
      'cut off': 1,
      'too late': 1,
      unreadable: 1,
      429: 1,
      503: 1,
      500: 1,
      501: 1,
      400: 1,
      401: 1,
      interrupted: 1,
    },
  },
] as const)('a $method', ({ method, row }) => {
  test.each(Object.entries(row))('that fails with %s is tried %i times', async (failure, expected) => {
    expect(await tries(method, failure as keyof typeof failures)).toBe(expected);
  });
});

describe('a deletion whose answer was lost', () => {
  /** How a deletion ends whose first answer is lost and whose second is this one. */
  async function thenAnswered(status: number): Promise<unknown> {
    const clock = virtualClock();
    const second = new ApiError('API_REFUSED', request('DELETE'), { status, msg: '' });
    const answers = [failures['cut off']('DELETE'), second];
    const work = createRetry({ clock })(request('DELETE'), () => Promise.reject(answers.shift() ?? new Error()));
    return clock.run(work.catch((error: unknown) => error));
  }

  test.each([404, 405])('and then answered %i may be done, which the caller judges', async (status) => {
    expect(await thenAnswered(status)).toMatchObject({ lost: { code: 'CONNECTION_FAILED' }, cause: { status } });
  });

  test.each([400, 403, 404, 405])('and then answered %i may have been carried out all the same', async (status) => {
    const error = await thenAnswered(status);
    expect(error).toBeInstanceOf(EarlierAttemptLost);
    expect(mayHaveHappened(error)).toBe(true);
  });
});

test('a read that is refused when it is sent again is refused: whatever came of it before, it changed nothing', async () => {
  const clock = virtualClock();
  const answers = [failures.unreadable('GET'), failures[500]('GET'), failures[401]('GET')];
  const work = createRetry({ clock })(request('GET'), () => Promise.reject(answers.shift() ?? new Error()));
  await expect(clock.run(work)).rejects.toBeInstanceOf(NotAllowed);
});

describe('waiting', () => {
  test('grows with every try, with full jitter', async () => {
    const clock = virtualClock([0.999]);
    const waits: RetryWait[] = [];
    const repeat = createRetry({ clock, onRetry: (wait) => waits.push(wait) });
    const work = repeat(request('GET'), () => Promise.reject(failures[503]('GET')));
    await expect(clock.run(work)).rejects.toThrow('503');
    expect(waits.map(({ ms }) => ms)).toEqual([500, 999, 1998, 3996, 7992]);
  });

  test('is as long as the service asks', async () => {
    const clock = virtualClock();
    let count = 0;
    const slow = new ApiError('API_REFUSED', request('GET'), { status: 429, msg: '', retryAfter: 30_000 });
    const repeat = createRetry({ clock });
    await clock.run(repeat(request('GET'), () => (count++ === 0 ? Promise.reject(slow) : Promise.resolve())));
    expect(clock.now()).toBe(30_000);
  });

  test('gives up at once where the service asks for longer than anybody has patience', async () => {
    const clock = virtualClock();
    const absurd = new ApiError('API_REFUSED', request('GET'), { status: 429, msg: '', retryAfter: 1e9 });
    await expect(clock.run(createRetry({ clock })(request('GET'), () => Promise.reject(absurd)))).rejects.toBe(absurd);
    expect(clock.now()).toBe(0);
  });

  test('ends when the run is interrupted, with the failure that was being waited out', async () => {
    const clock = virtualClock();
    const stop = new AbortController();
    const failure = failures[503]('GET');
    const repeat = createRetry({ clock, signal: stop.signal, onRetry: () => setImmediate(() => stop.abort()) });
    await expect(repeat(request('GET'), () => Promise.reject(failure))).rejects.toBe(failure);
  });
});

describe('a run', () => {
  const down = (): Promise<never> => Promise.reject(failures[503]('GET'));

  /** How often as many requests are sent to a service that is down. */
  async function sentTo(answer: () => Promise<unknown>, requests: number, budget: number): Promise<number> {
    const clock = virtualClock();
    const repeat = createRetry({ clock, budget });
    let sent = 0;
    for (let n = 0; n < requests; n++)
      await clock.run(
        repeat(request('GET'), () => {
          sent += 1;
          return answer();
        }).catch(() => undefined),
      );
    return sent;
  }

  test('repeats so often and no more while nothing passes, however many requests it has', async () => {
    expect(await sentTo(down, 100, 50)).toBe(150);
  });

  test('goes on repeating where one in six fails', async () => {
    let sent = 0;
    expect(await sentTo(() => (++sent % 6 === 0 ? down() : Promise.resolve()), 500, 5)).toBe(599);
  });

  test('repeats what a limit refuses for two minutes, whatever the budget', async () => {
    const clock = virtualClock();
    const repeat = createRetry({ clock, budget: 0 });
    const limited = new ApiError('API_REFUSED', request('GET'), { status: 429, msg: '', retryAfter: 1_000 });
    await expect(clock.run(repeat(request('GET'), () => Promise.reject(limited)))).rejects.toBe(limited);
    expect(clock.now()).toBe(120_000);
  });

  test('waits two minutes from the first refusal, without the time that it waited behind other requests', async () => {
    const clock = virtualClock();
    const repeat = createRetry({ clock });
    const limited = new ApiError('API_REFUSED', request('GET'), { status: 429, msg: '', retryAfter: 1_000 });
    const queuedMs = 10_000;
    let sent = 0;
    const once = async ({ queued }: QueueTicket): Promise<never> => {
      await clock.sleep(queuedMs);
      queued(queuedMs);
      sent += 1;
      throw limited;
    };
    await expect(clock.run(repeat(request('GET'), once))).rejects.toBe(limited);
    expect(sent).toBe(121);
  });

  test('reports when the request will be sent again, also where everything is held back for longer', async () => {
    const clock = virtualClock();
    const waits: RetryWait[] = [];
    const repeat = createRetry({ clock, heldBackMs: () => 60_000, onRetry: (wait) => waits.push(wait) });
    const limited = new ApiError('API_REFUSED', request('GET'), { status: 429, msg: '', retryAfter: 2_000 });
    let count = 0;
    await clock.run(repeat(request('GET'), () => (count++ === 0 ? Promise.reject(limited) : Promise.resolve())));
    expect(waits.map(({ ms }) => ms)).toEqual([60_000]);
  });

  test('reports how long the service asks for where nothing else is held back', async () => {
    const clock = virtualClock();
    const waits: RetryWait[] = [];
    const repeat = createRetry({ clock, onRetry: (wait) => waits.push(wait) });
    const limited = new ApiError('API_REFUSED', request('GET'), { status: 429, msg: '', retryAfter: 2_000 });
    let count = 0;
    await clock.run(repeat(request('GET'), () => (count++ === 0 ? Promise.reject(limited) : Promise.resolve())));
    expect(waits.map(({ ms }) => ms)).toEqual([2_000]);
  });

  test('earns one repeat again with five requests that pass', async () => {
    const answers = [down, down, () => Promise.resolve(), down];
    expect(await sentTo(() => (answers.shift() ?? down)(), 2, 2)).toBe(4);
    const passed = [down, down, ...Array.from({ length: 5 }, () => () => Promise.resolve())];
    expect(await sentTo(() => (passed.shift() ?? down)(), 6, 2)).toBe(9);
  });
});

describe('a run that can be interrupted', () => {
  const limited = new ApiError('API_REFUSED', request('GET'), { status: 429, msg: '', retryAfter: 1_000 });

  /** How often a request is sent that is always refused, and how often a wait begins, until it is interrupted at the third. */
  async function interruptedWhile(third: 'sent' | 'waiting' | 'never'): Promise<readonly [number, number]> {
    const [clock, interrupted] = [virtualClock(), new AbortController()];
    let [sent, waits] = [0, 0];
    const onRetry = (): void => {
      if (++waits === 3 && third === 'waiting') queueMicrotask(() => interrupted.abort());
    };
    const once = (): Promise<never> => {
      if (++sent === 3 && third === 'sent') interrupted.abort();
      return Promise.reject(limited);
    };
    const repeat = createRetry({ clock, signal: interrupted.signal, onRetry, patienceMs: 5_000 });
    await expect(clock.run(repeat(request('GET'), once))).rejects.toBe(limited);
    return [sent, waits];
  }

  test('waits for nothing and sends nothing once it is interrupted, and repeats while it is not', async () => {
    expect(await interruptedWhile('sent')).toEqual([3, 2]);
    expect(await interruptedWhile('waiting')).toEqual([3, 3]);
    expect(await interruptedWhile('never')).toEqual([6, 5]);
  });

  test('has the same patience where the clock stands still', async () => {
    let sent = 0;
    const clock = { now: () => 0, random: () => 0, sleep: () => Promise.resolve() };
    await createRetry({ clock })(request('GET'), () => ((sent += 1), Promise.reject(limited))).catch(() => undefined);
    expect(sent).toBe(121);
  });
});

describe('in the queue', () => {
  const limited = new ApiError('API_REFUSED', request('GET'), { status: 429, msg: '', retryAfter: 1_000 });

  test('a repeated request comes before others, and waits no longer than its patience', async () => {
    const clock = virtualClock();
    const places: (readonly [boolean, number | undefined])[] = [];
    const once = async ({ isRepeat, mostMs }: QueueTicket): Promise<void> => {
      places.push([isRepeat, mostMs]);
      await clock.sleep(10_000);
      if (places.length < 3) throw limited;
    };
    await clock.run(createRetry({ clock })(request('GET'), once));
    expect(places).toEqual([
      [false, 120_000],
      [true, 119_000],
      [true, 108_000],
    ]);
  });

  test('a request that waited too long fails with what was refused before', async () => {
    const clock = virtualClock();
    let sent = 0;
    const once = (): Promise<never> => Promise.reject(sent++ === 0 ? limited : new QueuedTooLong());
    await expect(clock.run(createRetry({ clock })(request('GET'), once))).rejects.toBe(limited);
    expect(sent).toBe(2);
  });

  test('the time that it takes to be answered counts, and what it waited before its first failure does not', async () => {
    const clock = virtualClock();
    let sent = 0;
    const once = async ({ queued }: QueueTicket): Promise<never> => {
      if (sent++ === 0) queued(50_000);
      await clock.sleep(10_000);
      throw limited;
    };
    await expect(clock.run(createRetry({ clock })(request('GET'), once))).rejects.toBe(limited);
    expect(sent).toBe(12);
  });
});
