import { expect, test } from 'vitest';
import { runSteps } from '../../src/apply/schedule.ts';
import type { Step } from '../../src/model/plan/plan.ts';
import { grouped } from '../../src/state/state-to-write.ts';
import { harness } from '../support/harness.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const roundTripMs = 20;

/** A plan of so many creations, and a service that takes its time from then on. */
async function slow(count: number) {
  const walk = harness();
  const { plan } = await walk.plan(addresses(count));
  const clock = virtualClock();
  walk.emulator.intercept(async (_, next) => {
    await clock.sleep(roundTripMs);
    return next();
  });
  return { walk, plan, clock };
}

const addresses = (count: number) => ({
  'stack.yaml': Array.from(
    { length: count },
    (_, n) => `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: address-${n}}\nspec: {region: eu}\n`,
  ).join('---\n'),
});

test('1,000 creations at 50 in parallel take what 20 rounds of requests and the list at the end take, on a clock that only requests move', async () => {
  const { walk, plan, clock } = await slow(1_000);
  const { changes } = await clock.run(walk.apply(plan, { parallelism: 50 }));
  expect(changes.filter(({ ending }) => ending === 'done')).toHaveLength(1_000);
  const pages = 1_000 / 100;
  const ideal = (1_000 / 50 + pages) * roundTripMs;
  expect(clock.now() / ideal).toBeLessThanOrEqual(1.3);
});

test.each([10, 50])(
  'the same at %i in parallel, with a store that is as far away as the service, takes at most a tenth longer',
  async (parallelism) => {
    const took = async (storeMs: number): Promise<number> => {
      const { walk, plan, clock } = await slow(1_000);
      const write = grouped(() => (storeMs === 0 ? Promise.resolve() : clock.sleep(storeMs)));
      const { changes } = await clock.run(
        walk.apply(plan, { parallelism, lookAhead: 3 * parallelism, record: () => write() }),
      );
      expect(changes.filter(({ ending }) => ending === 'done')).toHaveLength(1_000);
      return clock.now();
    };
    expect((await took(roundTripMs)) / (await took(0))).toBeLessThanOrEqual(1.1);
  },
);

test('two applies of one plan start their changes in the same order, however long each request takes', async () => {
  const started = async (parallelism: number): Promise<string[]> => {
    const { walk, plan, clock } = await slow(60);
    const order: string[] = [];
    await clock.run(
      walk.apply(plan, {
        parallelism,
        onEvent: (event) => {
          if (event.type === 'started') order.push(event.address);
        },
      }),
    );
    return order;
  };
  const one = await started(7);
  expect(one).toHaveLength(60);
  expect(await started(7)).toEqual(one);
  // What is independent starts as listed, whatever runs beside it.
  expect(await started(60)).toEqual(one);
});

test('a chain among a crowd is not starved: each link starts as soon as the one before it is done', async () => {
  const step = (id: string, after: readonly string[] = []): Step => ({
    id,
    address: id,
    role: 'update',
    request: { method: 'PATCH', path: [id] },
    dependsOn: after.map((earlier) => ({ step: earlier, reason: 'needs it' })),
  });
  const links = Array.from({ length: 20 }, (_, n) => step(`link ${n}`, n === 0 ? [] : [`link ${n - 1}`]));
  const crowd = Array.from({ length: 400 }, (_, n) => step(`one of many ${n}`));
  const clock = virtualClock();
  const startedAt = new Map<string, number>();
  await clock.run(
    runSteps([...links, ...crowd], {
      parallelism: 10,
      mayStart: () => true,
      perform: async ({ id }) => {
        startedAt.set(id, clock.now());
        await clock.sleep(roundTripMs);
        return { ending: 'done' };
      },
    }),
  );
  expect(links.map(({ id }) => startedAt.get(id))).toEqual(links.map((_, n) => n * roundTripMs));
  expect(clock.now()).toBe(Math.ceil((links.length + crowd.length) / 10) * roundTripMs);
});
