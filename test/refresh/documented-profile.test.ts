/* What a refresh reads of edges where the API profile has no list of them. */
import { expect, test } from 'vitest';
import { idsOf, remembered, shop, testAccount } from './account.ts';

const edge = 'HTTPSEdge/shop';
const cart = 'HTTPSEdgeRoute/shop:/cart';
const documented = { ...shop, profile: 'documented' } as const;

test('edges that state knows are read one by one, and nothing is listed for them', async () => {
  const account = testAccount({ profile: 'documented' }, documented);
  const shopId = await account.add(edge);
  const cartId = await account.add(cart, { parent: shopId, body: { match: '/cart' } });
  const state = remembered({ [edge]: shopId, [cart]: [cartId, shopId] });
  const found = await account.look({ state, addresses: [edge, cart] });
  expect(found.requests).toEqual([`GET /edges/https/${shopId}`]);
  expect(idsOf(found)).toEqual({ [edge]: shopId, [cart]: cartId });
});

test('a route to adopt whose edge is not known yet asks for no edge', async () => {
  const account = testAccount({ profile: 'documented' }, documented);
  const adopt = [{ kind: 'HTTPSEdgeRoute', id: 'edghtsrt_cart' }];
  expect((await account.look({ state: remembered({}), adopt })).requests).toEqual([]);
});

test('the edge of others that a manifest nests a route in is read, so that a plan knows what the route opens', async () => {
  const account = testAccount({ profile: 'documented' }, documented);
  const id = await account.addForeign('HTTPSEdge', { body: { hostports: ['office.example.com:443'] } });
  const parents = [{ kind: 'HTTPSEdge', id }];
  const found = await account.look({ state: remembered({}), wanted: new Set(['HTTPSEdgeRoute']), parents });
  expect(found.requests).toEqual([`GET /edges/https/${id}`]);
  expect(found.foreign.map((edge) => edge.id)).toEqual([id]);
});

test('edges are found again where the endpoints show them, edges of others left unread', async () => {
  const account = testAccount({ profile: 'documented' }, documented);
  const hostports = { hostports: ['shop.example.com:443', 'www.example.com:443'] };
  const shopId = await account.add(edge, { body: hostports });
  await account.add('HTTPSEdge/office', {
    stack: { name: 'office', id: 'ffffffff' },
    body: { hostports: ['office.example.com:443'] },
  });
  await account.addForeign('HTTPSEdge', { body: { hostports: ['by-hand.example.com:443'] } });
  const found = await account.look();
  expect(found.requests).toContain('GET /endpoints');
  expect(found.requests.filter((request) => request.startsWith('GET /edges'))).toEqual([`GET /edges/https/${shopId}`]);
  expect(idsOf(found)).toEqual({ [edge]: shopId });
});

test('so are edges that manifests want and an old state does not know', async () => {
  const account = testAccount({ profile: 'documented' }, documented);
  const shopId = await account.add(edge, { body: { hostports: ['shop.example.com:443'] } });
  const found = await account.look({ state: remembered({}), wanted: new Set(['HTTPSEdge']), addresses: [edge] });
  expect(found.requests.sort()).toEqual(['GET /endpoints', `GET /edges/https/${shopId}`].sort());
  expect(idsOf(found)).toEqual({ [edge]: shopId });
});

test('so are edges that an earlier run was creating, though no manifest has them by now', async () => {
  const account = testAccount({ profile: 'documented' }, documented);
  const shopId = await account.add(edge, { body: { hostports: ['shop.example.com:443'] } });
  const intents = { [edge]: { kind: 'HTTPSEdge', nonces: ['n1'] } };
  expect(idsOf(await account.look({ state: { ...remembered({}), intents } }))).toEqual({ [edge]: shopId });
});

test('so is every edge of the stack where all are asked for, though neither state nor manifests know it', async () => {
  const account = testAccount({ profile: 'documented' }, documented);
  const shopId = await account.add(edge, { body: { hostports: ['shop.example.com:443'] } });
  const asked = { state: remembered({}), wanted: new Set(['HTTPSEdge']), everything: true };
  expect(idsOf(await account.look(asked))).toEqual({ [edge]: shopId });
});

test('an endpoint of another family of edges is none of ours', async () => {
  const account = testAccount({ profile: 'documented' }, documented);
  await account.add(edge, { body: { hostports: ['shop.example.com:443'] } });
  account.emulator.intercept(async ({ path }, next) => {
    const answer = await next();
    return path === '/endpoints' ? { ...answer, body: answer.body.replaceAll('edghts_', 'edgtls_') } : answer;
  });
  expect((await account.look()).ours.size).toBe(0);
});
