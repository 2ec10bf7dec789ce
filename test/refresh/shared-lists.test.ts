/*
 * What stacks of one account share of its lists. Requests and writes take as long as a test lets them, and time goes by
 * only when it is asked to.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kinds } from '../../src/kinds/index.ts';
import type { Kind } from '../../src/kinds/kind.ts';
import type { AccountSource, ResourceFamily } from '../../src/refresh/account-source.ts';
import type { ListTerms } from '../../src/refresh/shared-lists.ts';
import { accountLists, type AccountLists } from '../../src/stack/service/account-limiters.ts';
import { handDriven } from '../watch/hand-driven.ts';

const validMs = 54_000;
const keys = { a: 'one', b: 'one', c: 'other' };
type Stack = keyof typeof keys;

/** One list as it was read from the service, in two requests. */
interface Reading {
  readonly key: string;
  readonly stack: Stack;
  readonly begunAt: number;
  readonly begun: number;
  end: 'none' | 'failed' | 'whole';
}

/** Two stacks of one key and one of another. */
function fleet(plant: (lists: AccountLists) => AccountLists = (lists) => lists) {
  const time = handDriven(0);
  const lists = plant(accountLists(time.now));
  const waiting: (() => void)[] = [];
  const readings: Reading[] = [];
  const writes: { readonly key: string; ended: number }[] = [];
  const wrong: string[] = [];
  const works: Promise<unknown>[] = [];
  let moment = 0;
  let failing = false;
  const of = (stack: Stack) => {
    const found = lists.of({ baseUrl: 'https://api.example.com', key: keys[stack], stack });
    if (found === undefined) throw new Error('nothing is shared');
    return found;
  };
  const answered = (): Promise<void> => new Promise((go) => waiting.push(go));

  function sourceOf(stack: Stack): AccountSource {
    return {
      async *list({ name: kind }) {
        const reading: Reading = { key: keys[stack], stack, begunAt: time.now(), begun: ++moment, end: 'none' };
        const n = readings.push(reading) - 1;
        for (const page of ['first', 'second']) {
          await answered();
          if (failing) {
            failing = false;
            reading.end = 'failed';
            throw new Error('the service is away');
          }
          yield [{ kind, id: page, spec: { description: String(n) }, computed: {} }];
        }
        reading.end = 'whole';
      },
      get: () => Promise.resolve(undefined),
      endpoints: () => Promise.resolve([]),
    };
  }

  /** Reads the list, and notes what it should not have been given. Answers whether another has read it. */
  async function read(stack: Stack, given: Partial<ListTerms>): Promise<boolean> {
    const at = time.now();
    const terms = { validMs, mayReuse: true, signal: new AbortController().signal, ...given };
    const source = of(stack).source(sourceOf(stack), terms);
    const found: string[] = [];
    for await (const [{ spec }] of source.list(kinds.all[0] as Kind)) found.push(spec['description'] as string);
    const reading = readings[Number(found[0])];
    if (!source.hasReused() || reading === undefined) return false;
    const faults = {
      'it was not to be used': !terms.mayReuse,
      'it is of another key': reading.key !== keys[stack],
      'it is not whole': reading.end !== 'whole' || found.length !== 2,
      'it is too old': at - reading.begunAt >= terms.validMs,
      'it was begun before a write ended': writes.some(
        ({ key, ended }) => key === keys[stack] && ended > reading.begun,
      ),
    };
    wrong.push(...Object.entries(faults).flatMap(([what, isSo]) => (isSo ? [what] : [])));
    return true;
  }

  async function write(stack: Stack): Promise<void> {
    const one = { key: keys[stack], ended: Number.POSITIVE_INFINITY };
    await of(stack).duringWrite(async () => {
      writes.push(one);
      await answered();
      one.ended = ++moment;
    });
  }

  function begun<T>(work: Promise<T>): Promise<T> {
    works.push(work.catch(() => undefined));
    return work;
  }

  /** Lets the request that waits longest be answered. */
  async function answer(): Promise<void> {
    waiting.shift()?.();
    await time.quiet();
  }

  for (const stack of ['a', 'b', 'c'] as const) of(stack);
  return {
    time,
    wrong,
    readings,
    read: (stack: Stack, terms: Partial<ListTerms> = {}) => begun(read(stack, terms)),
    write: (stack: Stack) => begun(write(stack)),
    failOnce: () => void (failing = true),
    answer,
    /** Lets everything come to its end. */
    all: async () => {
      await time.quiet();
      for (let answers = 0; answers < 1_000 && waiting.length > 0; answers++) await answer();
      await Promise.all(works);
    },
  };
}

test('stacks of one account that read at the same time send one list; a later one uses it until it is too old', async () => {
  const { read, all, readings, time } = fleet();
  const both = Promise.all([read('a'), read('b')]);
  await all();
  expect([await both, readings.length]).toEqual([[false, true], 1]);
  time.leap(validMs - 1);
  expect([await read('b'), readings.length]).toEqual([true, 1]);
  time.leap(1);
  const late = read('b');
  await all();
  expect([await late, readings.length]).toEqual([false, 2]);
});

test('a list is as old as the clock says, and one from the future is not used', async () => {
  const { read, all, time } = fleet();
  time.leap(1_000_000);
  const first = read('a');
  await all();
  time.leap(validMs - 1);
  expect([await first, await read('b')]).toEqual([false, true]);
  time.leap(-validMs);
  const later = read('b');
  await all();
  expect(await later).toBe(false);
});

test('a list that fails is used by nobody: whoever waits for it lists in turn', async () => {
  const { read, all, answer, failOnce, readings } = fleet();
  const first = read('a');
  const second = read('b');
  await answer();
  failOnce();
  await all();
  await expect(first).rejects.toThrow('the service is away');
  expect([await second, readings.map(({ end }) => end)]).toEqual([false, ['failed', 'whole']]);
});

test('a write makes lists useless from before it is sent until it has ended, also to those who wait for one', async () => {
  const { read, write, answer, all, readings } = fleet();
  const first = read('a');
  const waits = read('b');
  await answer();
  const sent = write('a');
  await all();
  await sent;
  expect([await first, await waits]).toEqual([false, false]);
  expect(readings).toHaveLength(2);
  const next = read('b');
  await all();
  expect(await next).toBe(false);
  expect(await read('b')).toBe(true);
});

test('a stack that has written lists for itself once, although another has listed since', async () => {
  const { read, write, all } = fleet();
  const sent = write('a');
  await all();
  await sent;
  const other = read('b');
  await all();
  expect(await other).toBe(false);
  const own = read('a');
  await all();
  expect([await own, await read('a')]).toEqual([false, true]);
});

test('another key has lists of its own, and a stack alone keeps none', async () => {
  const { read, all, readings } = fleet();
  for (const stack of ['a', 'c', 'c'] as const) {
    const one = read(stack);
    await all();
    expect(await one).toBe(false);
  }
  expect(readings.map(({ key }) => key)).toEqual(['one', 'other', 'other']);
});

test('whoever is interrupted does not wait for the list of another', async () => {
  const { read, all } = fleet();
  const own = new AbortController();
  const first = read('a');
  const waits = read('b', { signal: own.signal });
  own.abort();
  await expect(waits).rejects.toThrow();
  await all();
  expect(await first).toBe(false);
});

test('a list that is too old is dropped, also for a stack with a longer interval', async () => {
  const { read, all, time } = fleet();
  for (const [ms, isReused] of [
    [0, false],
    [validMs - 1, true],
    [1, false],
  ] as const) {
    time.leap(ms);
    const one = read('a', { validMs: 10 * validMs - 9 * validMs * Number(ms === 0) });
    await all();
    expect(await one).toBe(isReused);
  }
});

const some = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('read' as const), stack: stack(), mayReuse: mostly() }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('write' as const), stack: stack() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1_000, 27_000) }) },
    { weight: 8, arbitrary: fc.record({ do: fc.constant('answer' as const) }) },
  ),
  { minLength: 20, maxLength: 60 },
);

function stack(): fc.Arbitrary<Stack> {
  return fc.constantFrom<Stack>('a', 'b', 'c');
}

function mostly(): fc.Arbitrary<boolean> {
  return fc.integer({ min: 0, max: 4 }).map((n) => n > 0);
}

/** What is wrong with the lists that stacks were given, over many random courses of events. */
async function wrongs(plant?: (lists: AccountLists) => AccountLists): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const events of fc.sample(some, { numRuns: 60, seed: 74 })) {
    const one = fleet(plant);
    for (const event of events) {
      if (event.do === 'read') one.read(event.stack, event).catch(() => undefined);
      else if (event.do === 'write') void one.write(event.stack);
      else if (event.do === 'fail') one.failOnce();
      else if (event.do === 'pass') one.time.leap(event.ms);
      else await one.answer();
      await one.time.quiet();
    }
    await one.all();
    for (const what of one.wrong) found.add(what);
  }
  return [...found].sort();
}

test('whatever happens meanwhile, a list of another is whole, young, of the same key and later than every write', async () => {
  expect(await wrongs()).toEqual([]);
});

const wrapped =
  (change: (one: NonNullable<ReturnType<AccountLists['of']>>) => Partial<typeof one>) =>
  (lists: AccountLists): AccountLists => ({
    ...lists,
    of: (account) => {
      const one = lists.of(account);
      return one === undefined ? undefined : { ...one, ...change(one) };
    },
  });

test.each<[string, (lists: AccountLists) => AccountLists, string]>([
  ['a write goes unnoticed', wrapped(() => ({ duringWrite: (write) => write() })), 'it was begun before a write ended'],
  [
    'a write is noticed once it has ended',
    wrapped(({ duringWrite }) => ({
      duringWrite: async (write) => {
        const done = await write();
        await duringWrite(() => Promise.resolve());
        return done;
      },
    })),
    'it was begun before a write ended',
  ],
  [
    'a list that fails is used as far as it was read',
    wrapped(({ source }) => ({
      source: (own, terms) => source({ ...own, list: (kind) => untilItFails(own.list(kind)) }, terms),
    })),
    'it is not whole',
  ],
  [
    'all keys have the same lists',
    (lists) => ({ ...lists, of: (one) => lists.of({ ...one, key: '' }) }),
    'it is of another key',
  ],
  [
    'lists are valid for two intervals',
    wrapped(({ source }) => ({ source: (own, terms) => source(own, { ...terms, validMs: 2 * validMs }) })),
    'it is too old',
  ],
  [
    'whoever wants a list of its own gets one of another',
    wrapped(({ source }) => ({ source: (own, terms) => source(own, { ...terms, mayReuse: true }) })),
    'it was not to be used',
  ],
])('planted and found: %s', async (_, plant, what) => {
  expect(await wrongs(plant)).toContain(what);
});

async function* untilItFails(list: ReturnType<AccountSource['list']>): AsyncGenerator<ResourceFamily> {
  try {
    for await (const family of list) yield family;
  } catch {
    // As if the list ended here.
  }
}
