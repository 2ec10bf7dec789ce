import { expect, test } from 'vitest';
import { createTurns } from '../../../src/watch/fleet/turns.ts';

const never = new AbortController().signal;

/** Lets whoever has got a turn go on. */
const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

test('at most so many stacks have a turn at a time', async () => {
  const turns = createTurns(2);
  let atOnce = 0;
  let most = 0;
  const stack = async (): Promise<void> => {
    const takeTurn = turns.join();
    for (let turn = 0; turn < 5; turn++) {
      const end = await takeTurn(never);
      most = Math.max(most, (atOnce += 1));
      await settled();
      atOnce -= 1;
      end();
    }
  };
  await Promise.all(Array.from({ length: 10 }, stack));
  expect(most).toBe(2);
});

test('the stack whose last turn is longest ago is next, whenever it asked', async () => {
  const turns = createTurns(1);
  const order: string[] = [];
  const names = ['a', 'b', 'c'];
  const stacks = new Map(names.map((name) => [name, turns.join()]));
  const turn = async (name: string): Promise<void> => {
    const end = await stacks.get(name)?.(never);
    order.push(name);
    await settled();
    end?.();
  };
  for (const name of names) await turn(name);
  const first = turn('c');
  await Promise.all([first, turn('c'), turn('b'), turn('a')]);
  expect(order.slice(3)).toEqual(['c', 'a', 'b', 'c']);
});

test('a stack that always asks again keeps none waiting for more than one round', async () => {
  const turns = createTurns(1);
  const order: number[] = [];
  const stack = async (own: number): Promise<void> => {
    const takeTurn = turns.join();
    while (order.length < 60) {
      const end = await takeTurn(never);
      order.push(own);
      if (own !== 0) await settled();
      end();
      for (let idle = 0; idle < own; idle++) await settled();
    }
  };
  await Promise.all([0, 1, 2].map(stack));
  for (const own of [1, 2]) {
    const at = order.flatMap((one, index) => (one === own ? [index] : []));
    expect(Math.max(...at.slice(1).map((index, n) => index - (at[n] ?? 0)))).toBeLessThanOrEqual(8);
  }
});

test('who gives up while it waits takes no turn', async () => {
  const turns = createTurns(1);
  const end = await turns.join()(never);
  const over = new AbortController();
  const given = turns.join()(over.signal);
  const waiting = turns.join()(never);
  over.abort();
  await expect(given).rejects.toThrow();
  end();
  (await waiting)();
  await expect(turns.join()(AbortSignal.abort())).rejects.toThrow();
});
