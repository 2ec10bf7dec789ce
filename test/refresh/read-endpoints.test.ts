import { expect, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { readEndpoints } from '../../src/refresh/service-source.ts';
import { clientOf } from '../support/client-of.ts';
import { harness, type Harness } from '../support/harness.ts';
import { reported } from '../plan/support.ts';

const edge = (hostports: string, more = '') => ({
  'stack.yaml': `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nspec: {hostports: [${hostports}]${more}}\n`,
});

/** What was asked for while something was done. */
async function asked({ emulator }: Harness, work: () => Promise<unknown>): Promise<string[]> {
  const already = emulator.log.length;
  await work();
  return emulator.log.slice(already).map(({ method, path }) => `${method} ${path}`);
}

test('a hostport that an agent serves by now is a conflict before the first write', async () => {
  const walk = harness();
  walk.emulator.addAgent({ tunnels: [{ proto: 'https', hostport: 'api.example.com:443' }] });
  const { plan } = await walk.plan(edge('shop.example.com:443, API.example.com:443'));
  expect(reported(plan, 'error')).toEqual([
    expect.stringMatching(
      /^IN_USE_BY_AGENT HTTPSEdge\/shop: api\.example\.com:443 is already in use by an agent \(endpoint ep_/,
    ),
  ]);
  expect(plan.diagnostics).toMatchObject([{ place: { file: 'stack.yaml', line: 4, col: 42 } }]);
});

test('what is served is read once where a hostport is new or goes, and not otherwise (law 9)', async () => {
  const walk = harness();
  const reads = (manifests: ReturnType<typeof edge>) => asked(walk, () => walk.plan(manifests));
  expect((await reads(edge('shop.example.com:443'))).filter((one) => one === 'GET /endpoints')).toHaveLength(1);
  await walk.converge(edge('shop.example.com:443'));
  expect(await reads(edge('shop.example.com:443'))).toEqual(['GET /edges/https']);
  expect(await reads(edge('shop.example.com:443', ', description: Shop'))).toEqual(['GET /edges/https']);
  expect(await reads(edge(''))).toEqual(['GET /edges/https', 'GET /endpoints']);
});

test('a service that hides what edges serve is reported, and the hostport is named instead', async () => {
  const walk = harness({ service: { edgeEndpoints: 'hidden' } });
  await walk.converge(edge('shop.example.com:443'));
  const { plan } = await walk.plan({ 'stack.yaml': '' });
  expect(plan.hazards.map(({ message }) => message)).toEqual([
    'shop.example.com:443 (the service lists no active endpoint of an edge) is no longer served',
  ]);
});

test('endpoints are read however many there are on a page', async () => {
  const endpoints = Array.from({ length: 150_000 }, (_, n) => ({ id: `ep_${String(n)}` }));
  async function* pages(): AsyncGenerator<readonly unknown[]> {
    yield await Promise.resolve(endpoints);
  }
  const client = { ...clientOf(createEmulator().dispatcher()), pages };
  expect(await readEndpoints(client)).toHaveLength(endpoints.length);
});
