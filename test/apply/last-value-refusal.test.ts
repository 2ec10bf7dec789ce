import { expect, test } from 'vitest';
import { refusalAnswer, Refusal } from '../../src/emulator/answer.ts';
import { harness, type Harness } from '../support/harness.ts';

const edge = (name: string, ...hostports: string[]) =>
  `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: ${name}}\nspec: {hostports: [${hostports.join()}]}\n---\n`;

/** A service that lets no edge be without a hostport. */
function keepingLast({ emulator }: Harness): Harness['emulator'] {
  emulator.intercept(({ method, body }, next) =>
    method === 'PATCH' && body.includes('"hostports":[]')
      ? refusalAnswer(new Refusal(400, undefined, 'an edge serves at least one hostport'), 'op_1')
      : next(),
  );
  return emulator;
}

test('a service that does not let the last hostport go is reported by a code of its own', async () => {
  const walk = harness();
  await walk.converge({ 'stack.yaml': edge('shop', 'shop.example.com:443') });
  keepingLast(walk);
  const { changes } = await walk.apply((await walk.plan({ 'stack.yaml': edge('shop') })).plan);
  expect(changes).toMatchObject([
    {
      address: 'HTTPSEdge/shop',
      ending: 'failed',
      code: 'LAST_HOSTPORT_REQUIRED',
      message: expect.stringContaining('keep one value') as string,
    },
  ]);
});

test('two that trade hostports stop there, and nothing is lost', async () => {
  const walk = harness();
  const before = edge('shop', 'shop.example.com:443') + edge('api', 'api.example.com:443');
  await walk.converge({ 'stack.yaml': before });
  const held = keepingLast(walk).snapshot().resources;
  const traded = edge('shop', 'api.example.com:443') + edge('api', 'shop.example.com:443');
  const { changes } = await walk.apply((await walk.plan({ 'stack.yaml': traded })).plan);
  expect(changes.map(({ ending }) => ending).sort()).toEqual(['failed', 'skipped']);
  expect(walk.emulator.snapshot().resources).toEqual(held);
});

test('another refusal of such a request keeps its own code', async () => {
  const walk = harness();
  await walk.converge({ 'stack.yaml': edge('shop', 'shop.example.com:443') });
  walk.emulator.intercept(({ method }, next) =>
    method === 'PATCH' ? refusalAnswer(new Refusal(413, undefined, 'too much'), 'op_1') : next(),
  );
  const { changes } = await walk.apply((await walk.plan({ 'stack.yaml': edge('shop') })).plan);
  expect(changes).toMatchObject([{ ending: 'failed' }]);
  expect(changes).not.toMatchObject([{ code: 'LAST_HOSTPORT_REQUIRED' }]);
});

test.each([
  ['keeps its hostports', '{description: new, hostports: [shop.example.com:443]}'],
  ['replaces its hostports', '{hostports: [www.example.com:443]}'],
])('a refusal of an update that %s is not explained by the last one', async (_, spec) => {
  const walk = harness();
  await walk.converge({ 'stack.yaml': edge('shop', 'shop.example.com:443') });
  walk.emulator.intercept(({ method }, next) =>
    method === 'PATCH' ? refusalAnswer(new Refusal(400, undefined, 'not this time'), 'op_1') : next(),
  );
  const wanted = `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nspec: ${spec}\n`;
  const { changes } = await walk.apply((await walk.plan({ 'stack.yaml': wanted })).plan);
  expect(changes).toMatchObject([{ ending: 'failed', status: 400 }]);
});
