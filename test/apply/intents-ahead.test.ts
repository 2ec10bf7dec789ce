import { expect, test } from 'vitest';
import { digest, harness } from '../support/harness.ts';
import { loadText } from '../support/load-text.ts';

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

test('the intent of a route names the edge that it is created in, by the id of the edge', async () => {
  const edge = (routes: string) => ({
    'stack.yaml': `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec: {hostports: [shop.example.com:443], routes: [${routes}]}
`,
  });
  const walk = harness();
  await walk.converge(edge(''));
  const { plan } = await walk.plan(
    edge('{name: all, match_type: path_prefix, match: /, backend: {backend_id: bkd_1}}'),
  );
  const intents: unknown[] = [];
  await walk.apply(plan, {
    lookAhead: 5,
    record: (change) => Promise.resolve(void intents.push(...Object.values(change.intents))),
  });
  const parent = walk.state()?.entries['HTTPSEdge/shop']?.id;
  expect(intents).toEqual([{ kind: 'HTTPSEdgeRoute', parent, nonces: [expect.any(String)] }, null]);
});

test('a creation that sends a value from a variable is recorded with the digest of the value', async () => {
  const walk = harness();
  const manifest = `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: devices}
spec: {region: eu, description: {from_env: NOTE}}
`;
  const env = { NOTE: 'hunter2-and-more' };
  const desired = await loadText({ 'stack.yaml': manifest }, { ...walk, env, inputs: ['stack.yaml'] });
  const intents: unknown[] = [];
  await walk.apply((await walk.plan(desired)).plan, {
    record: (change) => Promise.resolve(void intents.push(...Object.values(change.intents))),
  });
  expect(intents).toMatchObject([{ spec: { description: { secret: digest('hunter2-and-more') } } }, null]);
});

test('a nonce that is drawn for a creation has twelve hexadecimal digits', async () => {
  const walk = harness();
  await walk.converge({
    'stack.yaml': 'apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: devices}\nspec: {region: eu}\n',
  });
  expect(walk.state()?.entries['ReservedAddr/devices']?.nonce).toMatch(/^[0-9a-f]{12}$/);
});

test.each([
  ['of an address', 'completed', 'kind: ReservedAddr\nspec: {region: eu}', {}],
  ['that is in no list', 'documented', 'kind: HTTPSEdge\nspec: {description: For later}', { unresolved: true }],
  ['without a marker', 'completed', 'kind: ReservedAddr\nspec: {region: eu, metadata: plain}', { unresolved: true }],
  [
    'that sends a value from a variable',
    'completed',
    'kind: ReservedAddr\nspec: {description: {from_env: NOTE}}',
    { spec: { description: { secret: digest('hunter2-and-more'), from_env: 'NOTE' } } },
  ],
] as const)(
  'a creation %s is recorded the same ahead and as it starts, and looked up no more',
  async (_, profile, rest, more) => {
    const manifest = `apiVersion: sluice/v1\nmetadata: {name: devices}\n${rest}\n`;
    const recorded = async (lookAhead?: number) => {
      const walk = harness({ profile });
      const env = { NOTE: 'hunter2-and-more' };
      const desired = await loadText({ 'stack.yaml': manifest }, { ...walk, env, inputs: ['stack.yaml'] });
      const { plan } = await walk.plan(desired);
      const before = walk.emulator.log.length;
      const intents: unknown[] = [];
      await walk.apply(plan, {
        ...(lookAhead === undefined ? {} : { lookAhead }),
        drawNonce: () => '0123456789ab',
        record: (change) => Promise.resolve(void intents.push(...Object.values(change.intents))),
      });
      return { intents, requests: walk.emulator.log.slice(before).map(({ method }) => method) };
    };
    const atStart = await recorded();
    const intent = { kind: expect.any(String) as string, nonces: ['0123456789ab'], ...more };
    expect(atStart.intents).toEqual([intent, null]);
    expect(await recorded(5)).toEqual(atStart);
  },
);

test('deletions are recorded ahead of their requests, and taken back where these are not started', async () => {
  const walk = harness();
  await walk.converge({
    'stack.yaml': addresses['stack.yaml'].replaceAll('spec:', 'lifecycle: {protect: false}\nspec:'),
  });
  const { plan } = await walk.plan({ resources: [], diagnostics: [], complete: true });
  const stop = new AbortController();
  const deleting = new Set<string>();
  let recordedAtFirst = 0;
  walk.emulator.intercept(async ({ method }, next) => {
    if (method === 'DELETE') {
      recordedAtFirst ||= deleting.size;
      stop.abort();
    }
    return next();
  });
  await walk.apply(plan, {
    parallelism: 1,
    lookAhead: 5,
    signal: stop.signal,
    record: (change) => {
      for (const [address, entry] of Object.entries(change.entries))
        if (entry?.deleting === true) deleting.add(address);
        else deleting.delete(address);
      return Promise.resolve();
    },
  });
  expect(recordedAtFirst).toBe(5);
  expect([...deleting]).toEqual([]);
});
