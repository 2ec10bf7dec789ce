import { expect, test } from 'vitest';
import { shopOfTwo } from './company-files.ts';
import { rig } from './rig.ts';

test('what newer manifests cut short has not failed, and is done at once', async () => {
  const watch = rig({ 'a.yaml': shopOfTwo('/a', '/b') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  const letGo = watch.holdUp('PATCH');
  watch.write({ 'a.yaml': shopOfTwo('/b', '/a') });
  await watch.until(({ applying }) => applying !== undefined);
  watch.write({ 'a.yaml': shopOfTwo('/b', '/a', 'The shop') });
  await watch.pass(1_000);
  letGo();
  await watch.rests();
  expect(watch.log.join('\n')).toContain('interrupted');
  expect(watch.log.filter((line) => line.startsWith('error'))).toEqual([]);
  expect(watch.spec('HTTPSEdge/shop')).toMatchObject({ description: 'The shop' });
  expect(watch.spec('HTTPSEdgeRoute/shop:one')).toMatchObject({ match: '/b' });
  expect(watch.status()).toMatchObject({ failures: [], pending: [] });
});

test('what could not be finished because something else failed reports that', async () => {
  const watch = rig({ 'a.yaml': shopOfTwo('/a', '/b') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  let patches = 0;
  const over = watch.account.emulator.intercept(({ method }, next) =>
    method === 'PATCH' && (patches += 1) === 2 ? { status: 422, headers: {}, body: '{}' } : next(),
  );
  watch.write({ 'a.yaml': shopOfTwo('/b', '/a') });
  const { failures } = await watch.rests();
  over();
  expect(failures.map(({ message }) => message)).not.toContain('failed');
  expect(failures.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^started, but depends on HTTPSEdgeRoute\/shop:(one|two), which did not complete$/),
  );
});
