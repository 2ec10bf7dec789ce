import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fleet, type Fleet } from './fleet.ts';

const tunnels = [
  { proto: 'https', hostport: 'shop.example.com:443' },
  { proto: 'tcp', hostport: 'office.example.com:2222' },
] as const;

describe('endpoints list', () => {
  test('shows which agent or edge serves what', async () => {
    const served = await shop();
    const { code, out } = await served.sluice(['endpoints', 'list']);
    expect(code).toBe(0);
    expect(out).toMatch(/^ID +TYPE +URL +REGION +SERVED BY +METADATA\n/);
    expect(out).toMatch(/^ep_\w+ +ephemeral +tcp:\/\/office\.example\.com:2222 +us +tn_\w+ +-$/m);
    expect(out).toMatch(/^ep_\w+ +edge +https:\/\/api\.example\.com +\w+ +edghts_\w+ +-$/m);
  });

  test.each([
    ['--type ephemeral', 2],
    ['--type edge', 1],
    ['--proto tcp', 1],
    ['--proto tcp --proto https', 3],
    ['--region eu', 0],
    ['--hostport *.example.com:443', 2],
    ['--hostport SHOP.example.com:443 --proto https', 1],
  ])('with %s shows %i', async (conditions, many) => {
    const { sluice } = await shop();
    const { out } = await sluice(['endpoints', 'list', ...conditions.split(' '), '--format', 'yaml']);
    expect((parse(out) as { endpoints: unknown[] }).endpoints).toHaveLength(many);
  });

  test('reports when there is none', async () => {
    const { sluice } = await fleet([]);
    expect(await sluice(['endpoints', 'list'])).toEqual({
      code: 0,
      out: 'No active endpoints found.\n',
      err: '',
    });
  });
});

describe('endpoints get', () => {
  test('shows everything of one endpoint, and nothing that does not apply to it', async () => {
    const { sluice } = await shop();
    const [id = ''] = /ep_\w+/.exec((await sluice(['endpoints', 'list', '--proto', 'tcp'])).out) ?? [];
    const { out } = await sluice(['endpoints', 'get', id]);
    expect(out).toMatch(/^hostport +office\.example\.com:2222$/m);
    expect(out).not.toContain('edge');
    for (const format of ['json', 'yaml'])
      expect(parse((await sluice(['endpoints', 'get', id, '--format', format])).out)).toMatchObject({
        endpoint: { id, proto: 'tcp', type: 'ephemeral' },
      });
  });

  test('reports when there is no such endpoint', async () => {
    const { sluice } = await fleet([]);
    const { code, err } = await sluice(['endpoints', 'get', 'ep_nothing']);
    expect(code).toBe(1);
    expect(err).toContain('active endpoint "ep_nothing" not found');
  });
});

async function shop(): Promise<Fleet> {
  const served = await fleet([{ tunnels }]);
  await served.emulator.handle({
    method: 'POST',
    path: '/edges/https',
    headers: { authorization: 'Bearer any', 'example-version': '2', 'content-type': 'application/json' },
    body: JSON.stringify({ hostports: ['api.example.com:443'] }),
  });
  return served;
}
