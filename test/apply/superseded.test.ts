import { describe, expect, test } from 'vitest';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { refusalAnswer, Refusal } from '../../src/emulator/answer.ts';
import { isEmptyPlan, type Plan } from '../../src/model/plan/plan.ts';
import { asSomebody } from '../support/as-somebody.ts';
import { harness, type Harness } from '../support/harness.ts';

const address = (region: string, more = '') => ({
  'stack.yaml': `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: db}
lifecycle: {protect: false}
spec: {region: ${region}${more}}
`,
});
const edge = (hostports: string, more = '') => ({
  'stack.yaml': `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [${hostports}]
  routes:
    - {match_type: path_prefix, match: /, backend: {backend_id: bkd_app}}
${more}`,
});

const audit = `---
apiVersion: sluice/v1
kind: EventSubscription
metadata: {name: audit}
spec: {sources: [{type: a.v0}]}
`;
const twoEdges = ['a', 'b'].map(
  (name) => `---
apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: ${name}}
spec: {hostports: ['${name}.example.com:443']}
`,
);
const front = (at: string, lifecycle: string) => `---
apiVersion: sluice/v1
kind: HTTPSEdgeRoute
metadata: {name: front}
lifecycle: {${lifecycle}}
spec: {edge_id: {ref: ${at}}, match_type: path_prefix, match: /, backend: {backend_id: bkd_1}}
`;

/** A service that deletes nothing for now, or nothing of a path. */
function keepingAll({ emulator }: Harness, of = ''): () => void {
  return emulator.intercept(({ method, path: asked }, next) =>
    method === 'DELETE' && asked.includes(of)
      ? refusalAnswer(new Refusal(400, undefined, 'not this time'), 'op_1')
      : next(),
  );
}

function changing({ changes }: Plan): string[] {
  return changes
    .filter(({ action }) => action !== 'none')
    .map(({ address: name, action }) => `${action} ${name.replace(/_\w{27}/g, '_ID')}`);
}

describe('a replacement whose old one could not be deleted', () => {
  test('is finished by the next run, under the same policies as any deletion', async () => {
    const walk = harness({ policy: { maxDeletes: { count: 1 }, block: [] } });
    await walk.converge(address('eu'));
    const serveAgain = keepingAll(walk);
    const { plan } = await walk.plan(address('us'));
    const outcome = await walk.apply(plan);
    expect(outcome.changes.map(({ ending }) => ending)).toEqual(['failed']);
    serveAgain();
    const next = await walk.plan(address('us'));
    expect(changing(next.plan)).toEqual(['delete ReservedAddr/db (deposed ra_ID)']);
    const strict = await walk.plan(address('us'), { policy: { maxDeletes: { count: 0 }, block: [] } });
    expect(strict.plan.changes.flatMap(({ blocked }) => blocked?.code ?? [])).toEqual(['MAX_DELETES']);
    await walk.apply(next.plan);
    expect(isEmptyPlan((await walk.plan(address('us'))).plan)).toBe(true);
    expect(walk.state()?.entries['ReservedAddr/db']?.deposed).toBeUndefined();
  });

  test('does not count the new one as deleted, where nobody knows whether the old one is', async () => {
    const walk = harness();
    await walk.converge(address('eu'));
    walk.emulator.intercept(faulty(parseFault('reset-before@DELETE:ReservedAddr:0')));
    const { changes } = await walk.apply((await walk.plan(address('us'))).plan);
    expect(changes).toMatchObject([{ ending: 'unknown' }]);
    expect(walk.state()?.entries['ReservedAddr/db']).toHaveProperty('deposed');
    expect(walk.state()?.entries['ReservedAddr/db']).not.toHaveProperty('deleting');
  });

  test('is finished though a change of the new one is refused meanwhile', async () => {
    const walk = harness();
    await walk.converge(address('eu'));
    const serveAgain = keepingAll(walk);
    await walk.apply((await walk.plan(address('us'))).plan);
    serveAgain();
    let isDeleted: () => void = () => undefined;
    const deleted = new Promise<void>((resolve) => (isDeleted = resolve));
    walk.emulator.intercept(async ({ method }, next) => {
      if (method !== 'PATCH') return next();
      await deleted;
      return refusalAnswer(new Refusal(400, undefined, 'not this time'), 'op_1');
    });
    const { changes } = await walk.apply((await walk.plan(address('us', ', description: new'))).plan, {
      onEvent: (event) => {
        if (event.type === 'finished' && event.outcome.action === 'delete') isDeleted();
      },
    });
    expect(changes.map(({ action, ending }) => `${action} ${ending}`)).toEqual(['update failed', 'delete done']);
    expect(walk.state()?.entries['ReservedAddr/db']).not.toHaveProperty('deposed');
  });

  test('is finished though the new one changes too, and is replaced once more', async () => {
    const walk = harness();
    await walk.converge(address('eu'));
    const serveAgain = keepingAll(walk);
    await walk.apply((await walk.plan(address('us'))).plan);
    await walk.apply((await walk.plan(address('ap'))).plan);
    serveAgain();
    const next = await walk.plan(address('ap', ', description: new'));
    expect(changing(next.plan)).toEqual([
      'update ReservedAddr/db',
      'delete ReservedAddr/db (deposed ra_ID)',
      'delete ReservedAddr/db (deposed ra_ID)',
    ]);
    await walk.converge(address('ap', ', description: new'));
  });

  test('is finished though the resource would be kept without its manifest: that is no reason to keep the old one', async () => {
    const walk = harness();
    const retained = (region: string) => ({
      'stack.yaml': address(region)['stack.yaml'].replace('protect: false', 'protect: false, on_remove: retain'),
    });
    await walk.converge(retained('eu'));
    const serveAgain = keepingAll(walk);
    await walk.apply((await walk.plan(retained('us'))).plan);
    serveAgain();
    const { plan } = await walk.converge(retained('us'));
    expect(changing(plan)).toEqual(['delete ReservedAddr/db (deposed ra_ID)']);
  });

  test('is finished though the run that created the new one was killed, and the next run could not delete the old one either', async () => {
    const shop = (host: string) => ({
      'stack.yaml': `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nspec: {hostports: ['${host}:443'], routes: [{match_type: path_prefix, match: /, backend: {backend_id: bkd_app}}]}\n`,
    });
    const first = harness({ profile: 'documented' });
    const { emulator } = first;
    await first.converge(shop('shop.example.com'));
    const before = first.state();
    const serveAgain = keepingAll(first);
    await first.apply((await first.plan(shop('www.example.com'))).plan);
    const { nonce = '' } = first.state()?.entries['HTTPSEdge/shop'] ?? {};
    const intents = { 'HTTPSEdge/shop': { kind: 'HTTPSEdge', nonces: [nonce] } };
    const walk = harness({ profile: 'documented', emulator, ...(before && { state: { ...before, intents } }) });
    const { plan, account } = await walk.plan(shop('www.example.com'));
    const left = ['delete HTTPSEdge/shop (deposed edghts_ID)', 'delete HTTPSEdgeRoute/shop:/ (deposed edghtsrt_ID)'];
    expect(changing(plan)).toEqual(left);
    await walk.apply(plan, { account });
    expect((await walk.plan(shop('www.example.com'))).account.deposed).toHaveLength(left.length);
    serveAgain();
    await walk.converge(shop('www.example.com'));
    expect(emulator.snapshot().resources.filter(({ kind }) => kind === 'HTTPSEdge')).toHaveLength(1);
  });

  test('leaves state if somebody else deletes the old one, and takes nothing of its address along', async () => {
    for (const next of [address('us')['stack.yaml'] + audit, audit]) {
      const walk = harness();
      await walk.converge(address('eu'));
      const old = walk.state()?.entries['ReservedAddr/db']?.id ?? '';
      const serveAgain = keepingAll(walk);
      await walk.apply((await walk.plan(address('us'))).plan);
      serveAgain();
      expect(walk.state()?.entries['ReservedAddr/db']?.deposed).toEqual([old]);
      await asSomebody(walk, 'DELETE', `/reserved_addrs/${old}`);
      await walk.converge({ 'stack.yaml': next });
      expect(JSON.stringify(walk.state()?.entries)).not.toContain(old);
    }
  });

  test('stays known although the new one is deleted or released', async () => {
    for (const lifecycle of ['protect: false', 'protect: false, on_remove: retain']) {
      const walk = harness();
      const both = (region: string) => ({
        'stack.yaml':
          audit +
          address(region)['stack.yaml'].replace('apiVersion', '---\napiVersion').replace('protect: false', lifecycle),
      });
      await walk.converge(both('eu'));
      const old = walk.state()?.entries['ReservedAddr/db']?.id ?? '';
      const serveAgain = keepingAll(walk, old);
      await walk.apply((await walk.plan(both('us'))).plan);
      const { changes } = await walk.apply((await walk.plan({ 'stack.yaml': audit })).plan);
      expect(changes.map(({ ending }) => ending).sort()).toEqual(['done', 'failed']);
      expect(JSON.stringify(walk.state()?.entries['ReservedAddr/db'])).toContain(old);
      serveAgain();
      await walk.converge({ 'stack.yaml': audit });
      expect(Object.keys(walk.state()?.entries ?? {})).toEqual(['EventSubscription/audit']);
      expect(walk.emulator.snapshot().resources.map(({ id }) => id)).not.toContain(old);
    }
  });

  test.each([0, 1])(
    'is not released together with the new one where old instance %i of two cannot be deleted',
    async (left) => {
      const walk = harness();
      const retained = (region: string) => ({
        'stack.yaml': `${audit}${address(region)['stack.yaml'].replace('apiVersion', '---\napiVersion').replace('protect: false', 'protect: false, on_remove: retain')}`,
      });
      await walk.converge(retained('eu'));
      const serveAgain = keepingAll(walk);
      for (const region of ['us', 'ap']) await walk.apply((await walk.plan(retained(region))).plan);
      serveAgain();
      const { id, deposed = [] } = walk.state()?.entries['ReservedAddr/db'] ?? {};
      const deleteAgain = keepingAll(walk, deposed[left]);
      await walk.apply((await walk.plan({ 'stack.yaml': audit })).plan, { parallelism: 1 });
      deleteAgain();
      await walk.converge({ 'stack.yaml': audit });
      expect(walk.emulator.snapshot().resources.flatMap((one) => (one.kind === 'ReservedAddr' ? one.id : []))).toEqual([
        id,
      ]);
    },
  );

  test.each(['', 'on_remove: retain'])('is deleted together with its parent (lifecycle: {%s})', async (lifecycle) => {
    const walk = harness();
    const [a = '', b = ''] = twoEdges;
    const moved = `moved_from: HTTPSEdgeRoute/a:front${lifecycle === '' ? '' : `, ${lifecycle}`}`;
    await walk.converge({ 'stack.yaml': a + b + front('a', lifecycle) });
    const serveAgain = keepingAll(walk, '/routes/');
    await walk.apply((await walk.plan({ 'stack.yaml': a + b + front('b', moved) })).plan);
    serveAgain();
    const kept = lifecycle === '' ? '' : b + front('b', lifecycle);
    await walk.converge({ 'stack.yaml': audit + kept });
    expect(walk.state()?.entries['HTTPSEdgeRoute/b:front']?.deposed).toBeUndefined();
    expect(Object.keys(walk.state()?.entries ?? {})).toHaveLength(lifecycle === '' ? 1 : 3);
  });

  test('takes along what lived inside the old one', async () => {
    const walk = harness({ profile: 'documented' });
    await walk.converge(edge('shop.example.com:443'));
    const serveAgain = keepingAll(walk);
    await walk.apply((await walk.plan(edge('www.example.com:443'))).plan);
    serveAgain();
    const next = await walk.plan(edge('www.example.com:443'));
    expect(changing(next.plan)).toEqual([
      'delete HTTPSEdge/shop (deposed edghts_ID)',
      'delete HTTPSEdgeRoute/shop:/ (deposed edghtsrt_ID)',
    ]);
    await walk.converge(edge('www.example.com:443'));
  });

  test('keeps what lived inside the old one, and is not in the manifests any more', async () => {
    const walk = harness({ profile: 'documented' });
    const old = '    - {match_type: path_prefix, match: /old, backend: {backend_id: bkd_app}}\n';
    await walk.converge(edge('shop.example.com:443', old));
    keepingAll(walk);
    await walk.apply((await walk.plan(edge('www.example.com:443'))).plan);
    expect(walk.state()?.entries).toHaveProperty(['HTTPSEdgeRoute/shop:/old']);
  });
});

describe('a replacement whose new one may or may not be there', () => {
  test('took along what lived inside the old one: that is done, and not in doubt', async () => {
    const walk = harness({ profile: 'documented' });
    const old = '    - {match_type: path_prefix, match: /old, backend: {backend_id: bkd_app}}\n';
    await walk.converge(edge('shop.example.com:443', old));
    walk.emulator.intercept(({ method, path }, next) =>
      method === 'POST' && path === '/edges/https' ? { status: 500, headers: {}, body: '{}' } : next(),
    );
    const { plan } = await walk.plan(edge('www.example.com:443, shop.example.com:443'));
    const { changes } = await walk.apply(plan);
    expect(changes.map((change) => [change.address, change.ending])).toEqual([
      ['HTTPSEdge/shop', 'unknown'],
      ['HTTPSEdgeRoute/shop:/', 'skipped'],
      ['HTTPSEdgeRoute/shop:/old', 'done'],
    ]);
    expect(walk.state()?.entries).not.toHaveProperty(['HTTPSEdgeRoute/shop:/old']);
  });
});

test('what lives inside the new one stays recorded once the old one is deleted together with its own', async () => {
  const walk = harness({ profile: 'documented' });
  await walk.converge(edge('shop.example.com:443'));
  const { plan } = await walk.plan(edge('www.example.com:443'));
  expect(changing(plan)).toContain('replace-create-first HTTPSEdge/shop');
  await walk.apply(plan);
  const inside = walk.emulator.snapshot().resources.find(({ kind }) => kind === 'HTTPSEdgeRoute')?.id;
  expect(walk.state()?.entries['HTTPSEdgeRoute/shop:/']?.id).toBe(inside);
});

test('a replacement that deletes the old one first leaves nothing to be deleted later', async () => {
  const walk = harness({ profile: 'documented' });
  await walk.converge(edge('shop.example.com:443'));
  const { plan } = await walk.converge(edge('www.example.com:443, shop.example.com:443'));
  expect(changing(plan)).toContain('replace-delete-first HTTPSEdge/shop');
  for (const entry of Object.values(walk.state()?.entries ?? {})) expect(entry).not.toHaveProperty('deposed');
});

test('a route that is still to be created again is not called deleted while it is in the old edge', async () => {
  const walk = harness({ profile: 'documented' });
  await walk.converge(edge('shop.example.com:443'));
  keepingAll(walk);
  const end = walk.emulator.intercept(faulty(parseFault('status-before=400@POST:HTTPSEdgeRoute:0')));
  await walk.apply((await walk.plan(edge('www.example.com:443'))).plan);
  end();
  const { plan } = await walk.plan(edge('www.example.com:443'));
  const route = plan.changes.find(({ address: name }) => name === 'HTTPSEdgeRoute/shop:/');
  expect(route).toMatchObject({ action: 'create' });
  expect(route).not.toHaveProperty('deletedOutside');
});

test('a released resource leaves state with the last old instance that is there, whatever else state has of them', async () => {
  const walk = harness();
  const db = (lifecycle: string) =>
    `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: db}\nlifecycle: {${lifecycle}}\nspec: {region: us}\n`;
  const other = db('protect: false').replace('name: db', 'name: other');
  await walk.converge({ 'stack.yaml': `${db('protect: false, on_remove: retain')}---\n${other}` });
  const { metadata } = walk.emulator.snapshot().resources[0]?.spec ?? {};
  await asSomebody(walk, 'POST', '/reserved_addrs', { region: 'eu', metadata });
  const old = walk.emulator.snapshot().resources.find(({ spec }) => spec['region'] === 'eu')?.id ?? '';
  const known = walk.state();
  const entry = known?.entries['ReservedAddr/db'];
  if (known === undefined || entry === undefined) throw new Error('nothing was created');
  const entries = { ...known.entries, 'ReservedAddr/db': { ...entry, deposed: [old, 'ra_gone'] } };
  const again = harness({ emulator: walk.emulator, state: { ...known, entries } });
  await again.apply((await again.plan({ 'stack.yaml': other })).plan);
  expect(again.state()?.entries['ReservedAddr/db']?.id).not.toBe(entry.id);
  await again.converge({ 'stack.yaml': other });
  expect(Object.keys(again.state()?.entries ?? {})).toEqual(['ReservedAddr/other']);
  const left = again.emulator.snapshot().resources.map(({ id }) => id);
  expect(left).toContain(entry.id);
  expect(left).not.toContain(old);
});
