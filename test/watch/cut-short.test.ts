import { expect, test } from 'vitest';
import { rig } from './rig.ts';

/** Two routes, each of which takes one of two paths; to trade them takes three requests. */
function shop(first: string, second: string, description = 'Shop'): string {
  const route = (name: string, match: string): string =>
    `    - {name: ${name}, match_type: path_prefix, match: ${match}, backend: {backend_id: bkd_${name}}}\n`;
  return `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  description: ${description}
  hostports: [shop.example.com:443]
  routes:
${route('one', first)}${route('two', second)}`;
}

test('what newer manifests cut short has not failed, and is done at once', async () => {
  const watch = rig({ 'a.yaml': shop('/a', '/b') });
  await watch.until(({ next }) => next !== undefined);
  const letGo = watch.holdUp('PATCH');
  watch.write({ 'a.yaml': shop('/b', '/a') });
  await watch.until(({ applying }) => applying !== undefined);
  watch.write({ 'a.yaml': shop('/b', '/a', 'The shop') });
  await watch.pass(1_000);
  letGo();
  await watch.rests();
  expect(watch.log.join('\n')).toContain('interrupted');
  expect(watch.log.filter((line) => line.startsWith('error'))).toEqual([]);
  expect(watch.spec('HTTPSEdge/shop')).toMatchObject({ description: 'The shop' });
  expect(watch.spec('HTTPSEdgeRoute/shop:one')).toMatchObject({ match: '/b' });
  expect(watch.status()).toMatchObject({ troubles: [], waiting: [] });
});

test('what could not be finished because something else failed says so', async () => {
  const watch = rig({ 'a.yaml': shop('/a', '/b') });
  await watch.until(({ next }) => next !== undefined);
  let patches = 0;
  const over = watch.account.emulator.intercept(({ method }, next) =>
    method === 'PATCH' && (patches += 1) === 2 ? { status: 422, headers: {}, body: '{}' } : next(),
  );
  watch.write({ 'a.yaml': shop('/b', '/a') });
  const { troubles } = await watch.rests();
  over();
  expect(troubles.map(({ message }) => message)).not.toContain('failed');
  expect(troubles.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^begun, and waits for HTTPSEdgeRoute\/shop:(one|two)$/),
  );
});
