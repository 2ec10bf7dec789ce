import { expect, test } from 'vitest';
import { harness } from '../support/harness.ts';

const addresses = {
  'stack.yaml': Array.from(
    { length: 8 },
    (_, n) => `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: a-${n}}\nspec: {region: eu}\n`,
  ).join('---\n'),
};

test('intents are recorded ahead of their creations, and withdrawn where these are not started', async () => {
  const walk = harness();
  const { plan } = await walk.plan(addresses);
  const stop = new AbortController();
  let recordedAtFirst = 0;
  const recorded = new Set<string>();
  walk.emulator.intercept(async ({ method }, next) => {
    if (method === 'POST') {
      recordedAtFirst ||= recorded.size;
      stop.abort();
    }
    return next();
  });
  const open = new Set<string>();
  const { changes } = await walk.apply(plan, {
    parallelism: 1,
    lookAhead: 5,
    signal: stop.signal,
    record: (change) => {
      for (const [address, intent] of Object.entries(change.intents)) {
        recorded.add(address);
        if (intent === null) open.delete(address);
        else open.add(address);
      }
      return Promise.resolve();
    },
  });
  expect(recordedAtFirst).toBe(5);
  expect([...open]).toEqual([]);
  expect(changes.map(({ ending }) => ending)).toEqual(['done', ...Array.from({ length: 7 }, () => 'not-started')]);
});

test('what an earlier run may have created is looked up, whatever is recorded ahead', async () => {
  const walk = harness();
  const { plan } = await walk.plan(addresses);
  let isCut = false;
  walk.emulator.intercept(async ({ method }, next) => {
    const answer = await next();
    if (method !== 'POST' || isCut) return answer;
    isCut = true;
    throw new Error('the answer is lost');
  });
  await walk.apply(plan, { parallelism: 1, lookAhead: 5, lookUpDelayMs: 0 });
  const again = await walk.plan(addresses);
  await walk.apply(again.plan, { lookAhead: 5 });
  const account = await walk.plan(addresses);
  expect(account.account.foreign).toEqual([]);
  expect(account.account.ours.size).toBe(8);
});
