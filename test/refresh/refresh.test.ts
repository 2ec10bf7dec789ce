import { describe, expect, test } from 'vitest';
import { NotAllowed } from '../../src/api/api-errors.ts';
import { joinMetadata, makeMarker } from '../../src/derive/marker.ts';
import { Refused } from '../../src/diagnostics/errors.ts';
import { kinds } from '../../src/kinds/index.ts';
import { idsOf, longAddress, remembered, shop, testAccount } from './account.ts';

const edge = 'HTTPSEdge/shop';
const cart = 'HTTPSEdgeRoute/shop:/cart';
const audit = 'EventSubscription/audit';
const devices = 'ReservedAddr/devices';

async function failure(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => error as Error,
  );
}

describe('what is asked for', () => {
  test('is the list of each kind that manifests or state name, and no more; routes come along with their edges', async () => {
    const account = testAccount();
    const shopId = await account.add(edge);
    const cartId = await account.add(cart, { parent: shopId, body: { match: '/cart' } });
    const auditId = await account.add(audit);
    await account.add(devices);
    const state = remembered({ [edge]: shopId, [cart]: [cartId, shopId] });
    const found = await account.look({ state, wanted: new Set(['EventSubscription']) });
    expect(found.requests.sort()).toEqual(['GET /edges/https', 'GET /event_subscriptions']);
    expect(idsOf(found)).toEqual({ [edge]: shopId, [cart]: cartId, [audit]: auditId });
    expect(found.complete).toEqual(new Set(['HTTPSEdge', 'HTTPSEdgeRoute', 'EventSubscription']));
  });

  test('is the list of the edges when only routes are wanted', async () => {
    const found = await testAccount().look({ state: remembered({}), wanted: new Set(['HTTPSEdgeRoute']) });
    expect(found.requests).toEqual(['GET /edges/https']);
  });

  test('is every kind when nothing is remembered', async () => {
    const account = testAccount();
    const shopId = await account.add(edge);
    const devicesId = await account.add(devices);
    const found = await account.look();
    expect(found.requests).toHaveLength(kinds.all.filter(({ operations }) => operations.list !== undefined).length);
    expect(idsOf(found)).toEqual({ [edge]: shopId, [devices]: devicesId });
    expect(found.diagnostics).toEqual([]);
  });

  test('is every page of a list, and nothing else for a thousand resources', async () => {
    const account = testAccount({ pageSize: 100 });
    const names = Array.from({ length: 250 }, (_, n) => `EventSubscription/s${n}`);
    const ids: Record<string, string> = {};
    for (const name of names) ids[name] = await account.add(name);
    const found = await account.look({ state: remembered(ids) });
    expect(found.requests).toHaveLength(3);
    expect(idsOf(found)).toEqual(ids);
  });

  test('is not accepted where it comes back as another: that proves nothing about the one asked for', async () => {
    const stack = { ...shop, profile: 'documented' } as const;
    const account = testAccount({ profile: 'documented' }, stack);
    const [shopId, otherId] = [await account.add(edge), await account.addForeign('HTTPSEdge')];
    account.emulator.intercept(async ({ path }, next) => {
      const answer = await next();
      return path.endsWith(shopId) ? { ...answer, body: answer.body.replaceAll(shopId, otherId) } : answer;
    });
    const error = await failure(account.look({ state: remembered({ [edge]: shopId }) }));
    expect(error.message).toContain('the `id` in the response differs from the requested id');
  });

  test('is one resource by its id when a list leaves out what state knows', async () => {
    const account = testAccount();
    const auditId = await account.add(audit);
    const found = await account.look({ state: remembered({ [audit]: auditId, [devices]: 'ra_gone' }) });
    expect(found.requests.sort()).toEqual([
      'GET /event_subscriptions',
      'GET /reserved_addrs',
      'GET /reserved_addrs/ra_gone',
    ]);
    expect(found.missing).toEqual([devices]);
  });

  test('lets a list that leaves something out by mistake pass for no deletion', async () => {
    const account = testAccount();
    const auditId = await account.add(audit);
    account.emulator.intercept(async ({ path }, next) => {
      const answer = await next();
      return path === '/event_subscriptions'
        ? { ...answer, body: '{"event_subscriptions":[],"next_page_uri":null}' }
        : answer;
    });
    const found = await account.look({ state: remembered({ [audit]: auditId }) });
    expect(idsOf(found)).toEqual({ [audit]: auditId });
    expect(found.missing).toEqual([]);
  });

  test('is an edge by its id where a list shows it without a route that state knows: the list may lag behind', async () => {
    const account = testAccount();
    const shopId = await account.add(edge);
    const cartId = await account.add(cart, { parent: shopId, body: { match: '/cart' } });
    account.emulator.intercept(async ({ path }, next) => {
      const answer = await next();
      if (path !== '/edges/https') return answer;
      const { https_edges: edges } = JSON.parse(answer.body) as { readonly https_edges: readonly object[] };
      return { ...answer, body: JSON.stringify({ https_edges: edges.map((one) => ({ ...one, routes: [] })) }) };
    });
    const state = remembered({ [edge]: shopId, [cart]: [cartId, shopId] });
    const found = await account.look({ state });
    expect(found.requests).toEqual(['GET /edges/https', `GET /edges/https/${shopId}`]);
    expect(idsOf(found)).toEqual({ [edge]: shopId, [cart]: cartId });
    expect(found.missing).toEqual([]);
  });

  test('is the edge of a route that state knows and the list does not show, once, and the route is gone if the edge no longer holds it', async () => {
    const account = testAccount();
    const shopId = await account.add(edge);
    const cartId = await account.add(cart, { parent: shopId, body: { match: '/cart' } });
    const state = remembered({
      [cart]: [cartId, shopId],
      'HTTPSEdgeRoute/shop:/gone': ['edghtsrt_gone', shopId],
      'HTTPSEdgeRoute/old:/a': ['edghtsrt_a', 'edghts_old'],
      'HTTPSEdgeRoute/old:/b': ['edghtsrt_b', 'edghts_old'],
    });
    const found = await account.look({ state, acceptMissing: true });
    expect(found.requests).toEqual(['GET /edges/https', 'GET /edges/https/edghts_old', `GET /edges/https/${shopId}`]);
    expect(found.missing).toEqual(['HTTPSEdgeRoute/old:/a', 'HTTPSEdgeRoute/old:/b', 'HTTPSEdgeRoute/shop:/gone']);
  });

  test('tells what is served only where that had to be read', async () => {
    const account = testAccount();
    const shopId = await account.add(edge, { body: { hostports: ['shop.example.com:443'] } });
    const state = remembered({ [edge]: shopId });
    expect((await account.look({ state })).served).toBeUndefined();
    const documented = testAccount({ profile: 'documented' }, { ...shop, profile: 'documented' });
    await documented.add(edge, { body: { hostports: ['Shop.example.com:443'] } });
    const found = await documented.look({ state: undefined });
    expect(found.served).toMatchObject([{ url: 'https://shop.example.com', hostport: 'shop.example.com:443' }]);
  });

  test('is nothing of a kind that this version does not know, and it is not missing either', async () => {
    const account = testAccount();
    const state = remembered({ [audit]: await account.add(audit), 'LaterKind/one': ['later_1', 'edghts_shop'] });
    const found = await account.look({ state });
    expect(found.requests).toEqual(['GET /event_subscriptions']);
    expect(found.missing).toEqual([]);
  });

  test('never goes beyond the given number of requests at once', async () => {
    const account = testAccount();
    let running = 0;
    let most = 0;
    account.emulator.intercept(async (_, next) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running--;
      return next();
    });
    await account.look({ parallelism: 2 });
    expect(most).toBe(2);
  });
});

describe('what is ours', () => {
  test('is what state knows, even when its marker is gone', async () => {
    const account = testAccount();
    const auditId = await account.addForeign('EventSubscription');
    const found = await account.look({ state: remembered({ [audit]: auditId }) });
    expect(idsOf(found)).toEqual({ [audit]: auditId });
  });

  test('is what carries our marker, taken over with a note when state does not know it so', async () => {
    const account = testAccount();
    const auditId = await account.add(audit);
    const found = await account.look({ state: remembered({ [audit]: 'esb_before' }) });
    expect(idsOf(found)).toEqual({ [audit]: auditId });
    expect(found.diagnostics).toMatchObject([{ code: 'ADOPTED_BY_MARKER', severity: 'note', address: audit }]);
    expect(found.diagnostics[0]?.message).toContain('the state contained the id esb_before');
  });

  test('is nothing else', async () => {
    const account = testAccount();
    const plain = await account.addForeign('EventSubscription');
    const others = await account.add(audit, { stack: { name: 'shop', id: 'ffffffff' } });
    const found = await account.look();
    expect(found.ours.size).toBe(0);
    expect(found.foreign.map(({ id }) => id).sort()).toEqual([plain, others].sort());
    expect(found.diagnostics).toEqual([]);
    expect(found.takenOver).toEqual(new Map());
  });

  test('is found by the hash of an address too long for a marker, if anyone still knows that address', async () => {
    const account = testAccount();
    const shopId = await account.addForeign('HTTPSEdge');
    const deepId = await account.add(longAddress, { parent: shopId });
    expect(idsOf(await account.look({ addresses: [longAddress] }))).toEqual({ [longAddress]: deepId });
    expect(Object.keys(idsOf(await account.look()))).toEqual([
      expect.stringMatching(/^HTTPSEdgeRoute\/#[0-9a-f]{16}$/),
    ]);
  });

  test('keeps the newer of two names: the marker`s, unless manifests want what state says', async () => {
    const account = testAccount();
    const auditId = await account.add('EventSubscription/new');
    const state = remembered({ 'EventSubscription/old': auditId });
    const afterCrash = await account.look({ state, addresses: ['EventSubscription/new'] });
    expect(idsOf(afterCrash)).toEqual({ 'EventSubscription/new': auditId });
    expect(afterCrash.missing).toEqual(['EventSubscription/old']);
    const moved = await account.look({ state, addresses: ['EventSubscription/old'] });
    expect(idsOf(moved)).toEqual({ 'EventSubscription/old': auditId });
  });

  test('follows two that have traded names, by their markers', async () => {
    const account = testAccount();
    const one = await account.add('EventSubscription/one');
    const two = await account.add('EventSubscription/two');
    const state = remembered({ 'EventSubscription/one': two, 'EventSubscription/two': one });
    const now = { 'EventSubscription/one': one, 'EventSubscription/two': two };
    expect(idsOf(await account.look({ state }))).toEqual(now);
    expect(idsOf(await account.look({ state, addresses: Object.keys(now) }))).toEqual(now);
  });

  test('stays what was adopted from another stack, where its marker cannot be written again', async () => {
    const documented = testAccount({ profile: 'documented' }, { ...shop, profile: 'documented' });
    const id = await documented.add('HTTPSEdge/till', { stack: { name: 'office', id: '0ff1ce00' } });
    const found = await documented.look({ state: remembered({ 'HTTPSEdge/shop': id }) });
    expect(idsOf(found)).toEqual({ 'HTTPSEdge/shop': id });
    expect(found.diagnostics).toEqual([]);
  });

  test('is no longer what another stack has made its own, though state remembers it', async () => {
    const account = testAccount();
    const auditId = await account.add(audit, { stack: { name: 'office', id: 'ffffffff' } });
    const found = await account.look({ state: remembered({ [audit]: auditId }) });
    expect(found.ours.size).toBe(0);
    expect([...(found.takenOver ?? [])]).toMatchObject([[audit, { id: auditId, marker: { s: 'office/ffffffff' } }]]);
    expect(found.missing).toEqual([]);
  });

  test('is not what carries the marker of another kind', async () => {
    const account = testAccount();
    await account.add(audit, { body: { metadata: metadataOf(devices) } });
    const found = await account.look();
    expect(found.ours.size).toBe(0);
    expect(found.diagnostics).toMatchObject([{ code: 'MARKER_MISMATCH' }]);
  });

  test('does not include what is to be adopted, which is looked up by its id', async () => {
    const account = testAccount({ profile: 'documented' }, { ...shop, profile: 'documented' });
    const other = await account.addForeign('HTTPSEdge');
    const found = await account.look({ state: remembered({}), adopt: [{ kind: 'HTTPSEdge', id: other }] });
    expect(found.requests).toEqual([`GET /edges/https/${other}`]);
    expect(found.foreign).toMatchObject([{ kind: 'HTTPSEdge', id: other }]);
  });
});

describe('a replacement whose run died in the middle', () => {
  test('goes on from the new one, and the old one is what is left to delete', async () => {
    const { add, look } = testAccount();
    const old = await add('ReservedAddr/devices');
    const made = await add('ReservedAddr/devices');
    const state = {
      ...remembered({ 'ReservedAddr/devices': old }),
      intents: { 'ReservedAddr/devices': { kind: 'ReservedAddr', nonces: ['n1'] } },
    };
    const account = await look({ state, addresses: ['ReservedAddr/devices'] });
    expect(idsOf(account)).toEqual({ 'ReservedAddr/devices': made });
    expect(account.deposed).toMatchObject([{ address: 'ReservedAddr/devices', actual: { id: old } }]);
    expect(account.duplicates).toEqual([]);
  });
});

describe('a stack whose id is live under another name', () => {
  test('stops with the two ways out', async () => {
    const account = testAccount();
    await account.add(audit, { stack: { name: 'store', id: shop.id } });
    const error = await failure(account.look());
    expect(error).toBeInstanceOf(Refused);
    expect(error).toMatchObject({
      hint: 'if this stack is a copy of store, run `sluice init --new-id`; if this stack was renamed, run `sluice apply --rename-from store` first',
    });
  });

  test('goes on when it is confirmed that it was renamed', async () => {
    const account = testAccount();
    const auditId = await account.add(audit, { stack: { name: 'store', id: shop.id } });
    expect(idsOf(await account.look({ renameFrom: 'store' }))).toEqual({ [audit]: auditId });
  });
});

describe('an account that has lost much of what state knows', () => {
  const four = { 'ReservedAddr/a': 'ra_a', 'ReservedAddr/b': 'ra_b', 'ReservedAddr/c': 'ra_c' };

  test('stops the run, for it may be the wrong account', async () => {
    const error = await failure(testAccount().look({ state: remembered(four) }));
    expect(error).toBeInstanceOf(Refused);
    expect(error).toMatchObject({ code: 'MANY_RESOURCES_MISSING' });
    expect(error.message).toContain('3 of the 3 resources');
  });

  test('is taken as it is when a person confirms it, and on this machine with a warning', async () => {
    const state = remembered(four);
    expect((await testAccount().look({ state, acceptMissing: true })).missing).toHaveLength(3);
    const found = await testAccount().look({ state, isLocal: true });
    expect(found.diagnostics).toMatchObject([{ code: 'MANY_RESOURCES_MISSING', severity: 'warning' }]);
    expect(found.diagnostics[0]?.hint).toContain('apply creates the resources again');
  });

  test('has not, when it is fewer than three or less than half', async () => {
    const account = testAccount();
    expect((await account.look({ state: remembered({ [audit]: 'esb_1', [devices]: 'ra_1' }) })).missing).toHaveLength(
      2,
    );
    const ids: Record<string, string> = {};
    for (const name of ['d', 'e', 'f', 'g']) ids[`ReservedAddr/${name}`] = await account.add(`ReservedAddr/${name}`);
    expect((await account.look({ state: remembered({ ...four, ...ids }) })).missing).toHaveLength(3);
  });
});

describe('an answer that is no', () => {
  test.each([401, 403])('%i to any request stops the run: nothing is concluded from it', async (status) => {
    const account = testAccount();
    const ids = { 'ReservedAddr/a': await account.add('ReservedAddr/a') };
    account.emulator.intercept(async ({ path }, next) =>
      path === '/reserved_addrs' ? { ...(await next()), status, body: '{"msg":"no"}' } : next(),
    );
    expect(await failure(account.look({ state: remembered(ids) }))).toBeInstanceOf(NotAllowed);
  });

  test.each([
    [404, 'check the path in api.base_url; if the path is correct, set api.profile: documented'],
    [405, 'set api.profile: documented'],
  ])('%i to a list means that it is not offered, never that it is empty', async (status, hint) => {
    const account = testAccount();
    account.emulator.intercept(async ({ path }, next) =>
      path === '/edges/https' ? { ...(await next()), status, body: '{}' } : next(),
    );
    expect(await failure(account.look())).toMatchObject({ code: 'OPERATION_NOT_SUPPORTED', hint });
  });

  test.each([
    [400, 'API_REFUSED'],
    [500, 'API_FAILED'],
  ])('%i to a read by id is an error: the resource is not gone', async (status, code) => {
    const account = testAccount({ profile: 'documented' }, { ...shop, profile: 'documented' });
    const state = remembered({ [edge]: await account.add(edge) });
    account.emulator.intercept(async ({ path }, next) =>
      path.startsWith('/edges') ? { ...(await next()), status, body: '{}' } : next(),
    );
    const look = account.look({ state, addresses: [edge], acceptMissing: true });
    expect(await failure(look)).toMatchObject({ code });
  });

  test('500 in the middle of a list is an error, and not one request is begun after it', async () => {
    const account = testAccount();
    account.emulator.intercept(async (_, next) => ({ ...(await next()), status: 500, body: '{}' }));
    expect(await failure(account.look({ parallelism: 1 }))).toMatchObject({ code: 'API_FAILED' });
    expect(account.emulator.log).toHaveLength(1);
  });
});

function metadataOf(address: string): string {
  return joinMetadata('', makeMarker(shop, address, { protect: false, retain: false }));
}
