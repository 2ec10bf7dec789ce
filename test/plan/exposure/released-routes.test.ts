/* A route that was released with `on_remove: retain` stays on its edge: that it is there is no news. */
import { expect, test } from 'vitest';
import type { SpecObject } from '../../../src/kinds/value.ts';
import { harness, type Harness } from '../../support/harness.ts';
import { hazards } from '../support.ts';

const edge = (...routes: readonly string[]) => ({
  'stack.yaml': `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  routes: [${routes.join(', ')}]
`,
});
const google = 'oauth: {provider: {google: {}}}';
const backend = 'backend: {backend_id: bkd_1}';
const route = (match: string, ...modules: readonly string[]) =>
  `{lifecycle: {on_remove: retain}, match_type: path_prefix, match: ${match}, ${modules.filter(Boolean).join(', ')}}`;
const home = route('/', backend, google);

/** A stack that has released `/help`, and its id. */
async function releasing(more: string, reached = backend): Promise<{ readonly walk: Harness; readonly id: string }> {
  const walk = harness();
  await walk.converge(edge(home, route('/help', reached, more)));
  const id = walk.state()?.entries['HTTPSEdgeRoute/shop:/help']?.id ?? '';
  await walk.converge(edge(home));
  return { walk, id };
}

test('a public one is not reported by later plans', async () => {
  const { walk } = await releasing('');
  const { plan } = await walk.plan(edge(home));
  expect(hazards(plan)).toEqual([]);
});

/** What the next plan reports after others have changed the released route. */
async function changed({ walk, id }: Awaited<ReturnType<typeof releasing>>, fields: SpecObject): Promise<string[]> {
  const account = walk.emulator.snapshot();
  walk.emulator.restore({
    ...account,
    resources: account.resources.map((one) => (one.id === id ? { ...one, spec: { ...one.spec, ...fields } } : one)),
  });
  const { plan } = await walk.plan(edge(home));
  return hazards(plan);
}

test('what others change of it is', async () => {
  const released = await releasing(google);
  const { id } = released;
  expect(await changed(released, { oauth: null })).toEqual([
    'PUBLICLY_EXPOSED HTTPSEdge/shop: https://shop.example.com/help… is already public; after the last apply, authentication (anyone with a Google account) was required; this plan does not change the public access',
    `OPENS_ACCESS unmanaged ${id}: requests to https://shop.example.com/help… are no longer subject to authentication (changed outside sluice)`,
  ]);
});

test('so is a public one that others give another match', async () => {
  const released = await releasing('');
  expect(await changed(released, { match: '/staff' })).toEqual([
    'PUBLICLY_EXPOSED HTTPSEdge/shop: https://shop.example.com/staff… is already public; after the last apply, authentication (anyone with a Google account) was required; this plan does not change the public access',
    `OPENS_ACCESS unmanaged ${released.id}: requests to https://shop.example.com/staff… are no longer subject to authentication (changed outside sluice)`,
  ]);
});

test('so is one that had no backend, and gets one from others', async () => {
  const released = await releasing('', '');
  expect(await changed(released, { backend: { backend_id: 'bkd_1', enabled: true } })).toEqual([
    'PUBLICLY_EXPOSED HTTPSEdge/shop: https://shop.example.com/help… is already public; this plan does not change the public access',
  ]);
});

test('one that is released together with its edge is recorded with the URLs of that, and not apart', async () => {
  const walk = harness();
  const [[file, text]] = Object.entries(edge(home)) as [[string, string]];
  await walk.converge({ [file]: text.replace('spec:', 'lifecycle: {on_remove: retain}\nspec:') });
  const { plan } = await walk.plan({ resources: [], diagnostics: [], complete: true });
  const recorded = Object.keys(plan.lastAccess.remember);
  expect(recorded.length).toBeGreaterThan(0);
  expect(recorded.filter((key) => key.startsWith('released '))).toEqual([]);
});

test('the record of it is removed once it is managed again', async () => {
  const { walk, id } = await releasing('');
  expect(Object.keys(walk.state()?.lastAccess ?? {})).toEqual([`released unmanaged ${id}`]);
  await walk.converge(
    edge(home, route('/help', backend).replace('on_remove: retain', `on_remove: retain, adopt: ${id}`)),
  );
  expect(walk.state()?.lastAccess ?? {}).toEqual({});
});

test('so is that the edge no longer terminates TLS: the access control of the released route refuses nobody then', async () => {
  const walk = harness();
  const open = route('/', backend);
  await walk.converge(edge(open, route('/help', backend, google)));
  await walk.converge(edge(open));
  const account = walk.emulator.snapshot();
  const upstream = { tls_termination: { terminate_at: 'upstream' } };
  const resources = account.resources.map((one) =>
    one.kind === 'HTTPSEdge' ? { ...one, spec: { ...one.spec, ...upstream } } : one,
  );
  walk.emulator.restore({ ...account, resources });
  expect(hazards((await walk.plan(edge(open))).plan)).toEqual([
    'PUBLICLY_EXPOSED HTTPSEdge/shop: https://shop.example.com/help… is already public; after the last apply, authentication (anyone with a Google account) was required; this plan does not change the public access',
    'OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/help… are no longer subject to authentication (changed outside sluice)',
  ]);
});
