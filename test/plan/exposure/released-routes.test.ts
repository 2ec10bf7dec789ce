/* A route that was released with `on_remove: retain` stays on its edge: that it is there is no news. */
import { expect, test } from 'vitest';
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
const route = (match: string, more = '') =>
  `{lifecycle: {on_remove: retain}, match_type: path_prefix, match: ${match}, backend: {backend_id: bkd_1}${more === '' ? '' : `, ${more}`}}`;
const home = route('/', google);

/** A stack that has released `/help`, and its id. */
async function releasing(more: string): Promise<{ readonly walk: Harness; readonly id: string }> {
  const walk = harness();
  await walk.converge(edge(home, route('/help', more)));
  const id = walk.state()?.entries['HTTPSEdgeRoute/shop:/help']?.id ?? '';
  await walk.converge(edge(home));
  return { walk, id };
}

test('a public one is not reported by later plans', async () => {
  const { walk } = await releasing('');
  const { plan } = await walk.plan(edge(home));
  expect(hazards(plan)).toEqual([]);
});

test('what others change of it is', async () => {
  const { walk, id } = await releasing(google);
  const account = walk.emulator.snapshot();
  walk.emulator.restore({
    ...account,
    resources: account.resources.map((one) => (one.id === id ? { ...one, spec: { ...one.spec, oauth: null } } : one)),
  });
  const { plan } = await walk.plan(edge(home));
  expect(hazards(plan)).toEqual([
    'PUBLICLY_EXPOSED HTTPSEdge/shop: https://shop.example.com/help… is public now; after the last apply, authentication (anyone with a Google account) was required; this plan does not change the public access',
    `OPENS_ACCESS unmanaged ${id}: requests to https://shop.example.com/help… are no longer subject to authentication (changed outside sluice)`,
  ]);
});

test('the record of it is removed once it is managed again', async () => {
  const { walk, id } = await releasing('');
  expect(Object.keys(walk.state()?.lastAccess ?? {})).toEqual([`released unmanaged ${id}`]);
  await walk.converge(edge(home, route('/help').replace('on_remove: retain', `on_remove: retain, adopt: ${id}`)));
  expect(walk.state()?.lastAccess ?? {}).toEqual({});
});
