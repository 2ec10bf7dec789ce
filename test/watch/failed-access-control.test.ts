/* What a watch applies while a part of what the manifests require cannot be applied: never what opens access for want of that part. */
import { expect, test } from 'vitest';
import { rig } from './rig.ts';

const edge = (hostports: string): string => `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec: {hostports: [${hostports}]}
`;
const route = (guard: string): string => `apiVersion: sluice/v1
kind: HTTPSEdgeRoute
metadata: {name: front}
spec: {edge_id: {ref: shop}, match_type: path_prefix, match: /, backend: {backend_id: bkd_1}${guard}}
`;
const hidden = { 'edge.yaml': edge(''), 'route.yaml': route('') };
const served = edge('shop.example.com:443');
const guard = ', oauth: {provider: {google: {}}}';
const hour = 3_600_000;

test('a URL whose access control the service refuses does not become public, however often that is tried again', async () => {
  const watch = rig(hidden);
  await watch.rests();
  const accept = watch.account.emulator.intercept(({ method, path }, next) =>
    method === 'PATCH' && path.includes('/routes/')
      ? Promise.resolve({ status: 400, headers: {}, body: '{"msg":"no"}' })
      : next(),
  );
  watch.write({ 'edge.yaml': served, 'route.yaml': route(guard) });
  await watch.pass(3 * hour);
  expect(watch.status().pending).toMatchObject([
    { address: 'HTTPSEdge/shop', reason: 'dependency', message: expect.stringContaining('EXPOSES_PUBLICLY') as string },
    { reason: 'refused' },
  ]);
  expect(watch.spec('HTTPSEdge/shop')).toMatchObject({ hostports: [] });
  accept();
  await watch.pass(hour);
  expect(watch.spec('HTTPSEdge/shop')).toMatchObject({ hostports: ['shop.example.com:443'] });
  expect(watch.status().exposure?.rows.map(({ audience }) => audience)).toEqual(['restricted']);
});

test('a URL does not become public while the manifest with its access control has an error', async () => {
  const watch = rig(hidden);
  await watch.rests();
  watch.write({ 'edge.yaml': served, 'route.yaml': `${route(guard)}kind: [` });
  const status = await watch.rests();
  expect(status.pending).toMatchObject([{ address: 'HTTPSEdge/shop', reason: 'dependency' }]);
  expect(watch.spec('HTTPSEdge/shop')).toMatchObject({ hostports: [] });
  watch.write({ 'edge.yaml': served, 'route.yaml': route(guard) });
  expect((await watch.rests()).pending).toEqual([]);
  expect(watch.spec('HTTPSEdge/shop')).toMatchObject({ hostports: ['shop.example.com:443'] });
});

test('nor by a watch that starts while it has the error, and knows no earlier version of it', async () => {
  const watch = rig(hidden);
  await watch.rests();
  await watch.stop();
  watch.write({ 'edge.yaml': served, 'route.yaml': `${route(guard)}kind: [` });
  const again = watch.another();
  await again.until(({ role, nextRefresh }) => role === 'leader' && nextRefresh !== undefined);
  expect(again.status().pending).toMatchObject([{ address: 'HTTPSEdge/shop', reason: 'dependency' }]);
  expect(again.spec('HTTPSEdge/shop')).toMatchObject({ hostports: [] });
});

test('what has nothing to do with manifests that have errors becomes public as they say', async () => {
  const watch = rig(hidden);
  await watch.rests();
  const other = `${served}---\n${route('')}`.replaceAll('shop', 'blog').replace('name: front', 'name: posts');
  watch.write({ 'edge.yaml': edge(''), 'route.yaml': `${route(guard)}kind: [`, 'blog.yaml': other });
  expect((await watch.rests()).pending).toEqual([]);
  expect(watch.spec('HTTPSEdge/blog')).toMatchObject({ hostports: ['blog.example.com:443'] });
});

const nonsense = ', nonsense: 1';

test.each([
  ['with an error', nonsense],
  ['that cannot be read', '}kind: ['],
])('a path does not become public while the new manifest that protects it is one %s', async (_, error) => {
  const watch = rig({ 'edge.yaml': served });
  await watch.rests();
  const admin = route(guard).replace('front', 'admin').replace('match: /', 'match: /admin');
  const front = { 'edge.yaml': served, 'front.yaml': route('') };
  watch.write({ ...front, 'admin.yaml': admin.replace(guard, guard + error) });
  const message = expect.stringContaining('until the errors in the manifests are corrected') as string;
  expect((await watch.rests()).pending).toMatchObject([{ address: 'HTTPSEdgeRoute/shop:front', message }]);
  watch.write({ ...front, 'admin.yaml': admin });
  expect((await watch.rests()).exposure?.rows.map(({ route }) => route)).toEqual([
    'HTTPSEdgeRoute/shop:front',
    'HTTPSEdgeRoute/shop:admin',
  ]);
});

test('a new manifest with an error does not keep other edges from becoming public, as long as it is known what it is about', async () => {
  const watch = rig({ 'edge.yaml': served });
  await watch.rests();
  const blog = `${served}---\n${route('')}`.replaceAll('shop', 'blog');
  const set = 'apiVersion: sluice/v1\nkind: ModuleSet\nmetadata: {name: sso}\nspec: {oauth: {provider: 1}}\n';
  watch.write({ 'edge.yaml': served, 'admin.yaml': route(guard + nonsense), 'sets.yaml': set, 'blog.yaml': blog });
  expect((await watch.rests()).pending).toEqual([]);
  expect(watch.status().exposure?.rows.map(({ edge: at }) => at)).toEqual(['HTTPSEdge/blog']);
});
