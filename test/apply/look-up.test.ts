import { expect, test } from 'vitest';
import { isListed } from '../../src/apply/look-up.ts';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { kinds } from '../../src/kinds/index.ts';
import { harness } from '../support/harness.ts';
import { virtualClock } from '../support/virtual-clock.ts';

test.each([
  ['by its marker', 'ReservedAddr', '{region: eu}'],
  ['by its natural key', 'AgentIngress', '{domain: agents.example.com, metadata: plain}'],
])('what is carried out only after the first look for it is found %s by the second', async (_, kind, spec) => {
  const walk = harness();
  const { plan } = await walk.plan({
    'stack.yaml': `apiVersion: sluice/v1\nkind: ${kind}\nmetadata: {name: late}\nspec: ${spec}\n`,
  });
  walk.emulator.intercept(faulty(parseFault(`late-commit=list@POST:${kind}:1`)));
  expect((await walk.apply(plan)).changes).toMatchObject([{ ending: 'done' }]);
  expect(walk.emulator.snapshot().resources.map(({ id }) => id)).toEqual([walk.state()?.entries[`${kind}/late`]?.id]);
  const posts = walk.emulator.log.filter(({ method }) => method === 'POST');
  expect(posts).toHaveLength(1);
});

test('what was created is found among others without a marker, also those that came after it', async () => {
  const walk = harness();
  const { plan } = await walk.plan({
    'stack.yaml': 'apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: late}\nspec: {region: eu}\n',
  });
  walk.emulator.intercept(async ({ method, path, headers, body }, next) => {
    const answer = await next();
    if (method !== 'POST' || body === '{}') return answer;
    await walk.emulator.handle({ method, path, headers, body: '{}' });
    throw new Error('the response is lost');
  });
  expect((await walk.apply(plan)).changes).toMatchObject([{ ending: 'done' }]);
  const [made, ...others] = walk.emulator.snapshot().resources;
  expect(others).toHaveLength(1);
  expect(made?.id).toBe(walk.state()?.entries['ReservedAddr/late']?.id);
});

test('a creation that the service cannot report on stays recorded as unresolved, also where endpoints would show it', async () => {
  const walk = harness({ profile: 'documented', service: { edgeEndpoints: 'hidden' } });
  const { plan } = await walk.plan({
    'stack.yaml':
      'apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nspec: {hostports: [shop.example.com:443]}\n',
  });
  walk.emulator.intercept(faulty(parseFault('reset-after@POST:HTTPSEdge:1')));
  expect((await walk.apply(plan)).changes).toMatchObject([{ ending: 'unknown', code: 'OUTCOME_UNKNOWN' }]);
  expect(walk.state()?.intents).toMatchObject({ 'HTTPSEdge/shop': { unresolved: true } });
});

test('two routes that are created although the response is 429 are each looked for in their own edge, and not sent again', async () => {
  const edges = (routes: string) => ({
    'stack.yaml': ['shop', 'www']
      .map(
        (name) =>
          `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: ${name}}\nspec: {hostports: [${name}.example.com:443], routes: [${routes}]}\n`,
      )
      .join('---\n'),
  });
  const walk = harness();
  await walk.converge(edges(''));
  const { plan } = await walk.plan(
    edges('{name: all, match_type: path_prefix, match: /, backend: {backend_id: bkd_1}}'),
  );
  let sent = 0;
  walk.emulator.intercept(async ({ method }, next) => {
    const response = await next();
    if (method !== 'POST') return response;
    sent += 1;
    return sent <= 2 ? { status: 429, headers: {}, body: '{"error_code": "NONE", "msg": "none"}' } : response;
  });
  const clock = virtualClock();
  const outcome = await clock.run(walk.apply(plan, { clock }));
  expect(outcome).toMatchObject({ changes: [{ ending: 'done' }, { ending: 'done' }], requests: 2 });
  expect(sent).toBe(2);
});

test('an edge that no list shows is found by the endpoints that it serves', async () => {
  const walk = harness({ profile: 'documented' });
  const { plan } = await walk.plan({
    'stack.yaml':
      'apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nspec: {hostports: [shop.example.com:443]}\n',
  });
  walk.emulator.intercept(faulty(parseFault('reset-after@POST:HTTPSEdge:1')));
  expect((await walk.apply(plan)).changes).toMatchObject([{ ending: 'done' }]);
  const edges = walk.emulator.snapshot().resources.filter(({ kind }) => kind === 'HTTPSEdge');
  expect(edges.map(({ id }) => id)).toEqual([walk.state()?.entries['HTTPSEdge/shop']?.id]);
});

test('a plan that is applied again takes over what its first apply created and could not see', async () => {
  const walk = harness();
  const { plan } = await walk.plan({
    'stack.yaml': 'apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: late}\nspec: {region: eu}\n',
  });
  const heal = [
    walk.emulator.intercept(faulty(parseFault('reset-after@POST:ReservedAddr:1'))),
    walk.emulator.intercept(faulty(parseFault('status-before=400@GET:ReservedAddr:0'))),
  ];
  expect((await walk.apply(plan)).changes).toMatchObject([{ ending: 'unknown' }]);
  for (const stop of heal) stop();
  expect((await walk.apply(plan)).changes).toMatchObject([{ ending: 'done' }]);
  expect(walk.emulator.snapshot().resources.map(({ id }) => id)).toEqual([
    walk.state()?.entries['ReservedAddr/late']?.id,
  ]);
});

test('a list, an edge that it is in, or a hostport shows what is created; an edge without one is shown nowhere (documented)', () => {
  const listed = (kind: string, body: Parameters<typeof isListed>[1], profile: 'completed' | 'documented') =>
    isListed(kinds.named(kind)!, body, profile);
  expect(listed('ReservedAddr', undefined, 'documented')).toBe(true);
  expect(listed('HTTPSEdgeRoute', undefined, 'documented')).toBe(true);
  expect(listed('HTTPSEdge', undefined, 'completed')).toBe(true);
  expect(listed('HTTPSEdge', { hostports: ['shop.example.com:443'] }, 'documented')).toBe(true);
  for (const body of [undefined, null, 'hostports', {}, { hostports: [] }, { hostports: 'shop.example.com:443' }])
    expect(listed('HTTPSEdge', body, 'documented')).toBe(false);
});

test('endpoints whose edge has no valid id, or no marker, are not what was created', async () => {
  const walk = harness({ profile: 'documented' });
  const { plan } = await walk.plan({
    'stack.yaml':
      'apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nspec: {hostports: [shop.example.com:443]}\n',
  });
  let isLost = false;
  walk.emulator.intercept(async ({ method, path }, next) => {
    const answer = await next();
    if (method === 'POST') {
      isLost = true;
      throw new Error('the response is lost');
    }
    if (!isLost || !path.startsWith('/endpoints')) return answer;
    const shown = JSON.parse(answer.body) as { endpoints: { edge: object; metadata: string }[] };
    const [own] = shown.endpoints;
    const others = [
      { ...own, edge: { id: '../x' } },
      { ...own, edge: null },
      { ...own, edge: { id: 'e_1' }, metadata: '' },
    ];
    return { ...answer, body: JSON.stringify({ ...shown, endpoints: [...others, own] }) };
  });
  expect((await walk.apply(plan)).changes).toMatchObject([{ ending: 'done' }]);
  expect(walk.state()?.entries['HTTPSEdge/shop']?.id).toBe(walk.emulator.snapshot().resources[0]?.id);
});
