/* `{ref: NAME, field: FIELD}`: values that resources take from others, from the manifest to the request. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planJsonSchema } from '../../src/render/plan/plan-json-schema.ts';
import { directory, sluice, stackFile, type Ended } from './terminal.ts';

const address = (region = 'eu', name = 'mqtt'): string => `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: ${name}}
lifecycle: {protect: false}
spec: {region: ${region}, description: Sensors}
---
`;
const edge = (spec: string, name = 'shop'): string => `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: ${name}}
spec:
  ${spec}
---
`;
const shop = edge('hostports: [shop.example.com:443]\n  description: {ref: mqtt, field: addr}');

/** A stack in the emulator, whose manifests can be changed. */
async function stackOf(manifests: string): Promise<{
  readonly dir: string;
  readonly run: (args: string) => Promise<Ended>;
  readonly change: (text: string) => Promise<void>;
}> {
  const dir = await directory({ 'sluice.yaml': stackFile, 'manifests/all.yaml': manifests });
  return {
    dir,
    run: (args) => sluice(dir, args),
    change: (text) => writeFile(join(dir, 'manifests/all.yaml'), text),
  };
}

describe('a value that the service computes', () => {
  test('is known after apply where its resource is new, and is in place when it is written', async () => {
    const { run } = await stackOf(shop + address());
    const planned = await run('plan --requests');
    expect([planned.code, planned.err]).toEqual([0, '']);
    expect(planned.out).toContain('description: {ReservedAddr/mqtt.addr} (known after apply)');
    expect(planned.out).toContain('depends on ReservedAddr/mqtt');
    expect(planned.out).toContain('(requires `addr` of ReservedAddr/mqtt)');
    expect((await run('apply --auto-approve')).code).toBe(0);
    const { out } = await run('get https-edge shop -o yaml');
    expect(out).toMatch(/description: "\S+:\d+"\n/);
    expect((await run('plan')).out).toMatch(/^No changes/);
  });

  test('is marked as unknown in JSON, and shown in Markdown', async () => {
    const { run } = await stackOf(shop + address());
    const { resource_changes: changes } = planJsonSchema.parse(JSON.parse((await run('plan --format json')).out));
    const [{ change }] = changes.filter((one) => one.address === 'HTTPSEdge/shop') as [(typeof changes)[number]];
    expect(change.after).toMatchObject({ description: { ref: 'ReservedAddr/mqtt', field: 'addr' } });
    expect(change.after_unknown).toMatchObject({ description: true });
    expect((await run('plan --format markdown')).out).toContain('(known after apply)');
  });

  test('is known after apply again where its resource is replaced', async () => {
    const { run, change } = await stackOf(shop + address());
    await run('apply --auto-approve');
    await change(shop + address('us'));
    const { out } = await run('plan');
    expect(out).toMatch(/~ HTTPSEdge\/shop[^]*description: \S+ -> \{ReservedAddr\/mqtt.addr\} \(known after apply\)/);
    expect((await run('apply --auto-approve')).code).toBe(0);
    expect((await run('plan')).out).toMatch(/^No changes/);
  });

  test('is a plain value in the plan once it is known, also where only one resource is planned', async () => {
    const { run, change } = await stackOf(address());
    await run('apply --auto-approve');
    await change(address() + shop);
    for (const args of ['plan', 'plan --target HTTPSEdge/shop'])
      expect((await run(args)).out).toMatch(/description: [\w.-]+:\d+\n/);
    await change(shop.replace('ref: mqtt', 'ref: ReservedAddr/mqtt'));
    expect((await run('plan -f manifests/all.yaml')).out).toMatch(/description: [\w.-]+:\d+\n/);
  });

  test('is applied from a saved plan', async () => {
    const { run } = await stackOf(shop + address());
    await run('plan --out saved.plan');
    expect((await run('apply saved.plan --auto-approve')).code).toBe(0);
    expect((await run('plan')).out).toMatch(/^No changes/);
  });

  test('is checked when it is known: before the request, and already in the plan', async () => {
    const other = edge('hostports: [{ref: mqtt, field: id}]', 'api');
    const { run, change } = await stackOf(address());
    await run('apply --auto-approve');
    await change(address() + other);
    const { code, err } = await run('plan');
    expect([code, err]).toEqual([8, expect.stringContaining('must be `hostname:port`')]);
    expect(err).toContain('hostports: [{ref: mqtt, field: id}]');
  });
});

describe('a value that a manifest sets', () => {
  test('is in place in every command, and follows the manifest', async () => {
    const second = edge('hostports: [api.example.com:443]\n  description: {ref: mqtt, field: description}', 'api');
    const { run } = await stackOf(address() + second);
    expect((await run('render --kind edges')).out).toContain('description: Sensors');
    expect((await run('plan')).out).toContain('description: Sensors');
  });

  test('is taken through several resources, in any order of the manifests', async () => {
    const [a, b] = ['b', 'mqtt'].map((from, index) =>
      edge(
        `hostports: [h${String(index)}.example.com:443]\n  description: {ref: ${from}, field: description}`,
        index === 0 ? 'a' : 'b',
      ),
    );
    const texts = [address(), a ?? '', b ?? ''];
    const plans = [texts, [...texts].reverse()].map(async (all) => {
      const { run } = await stackOf(all.join(''));
      return (await run('plan --format json')).out.match(/"description": "Sensors"/g)?.length;
    });
    const [first, second] = await Promise.all(plans);
    expect(first).toBe(second);
    expect(first).toBeGreaterThan(2);
  });

  test('is that of the account where the other resource is not part of the run', async () => {
    const second = edge('hostports: [api.example.com:443]\n  description: {ref: mqtt, field: description}', 'api');
    const { run, change } = await stackOf(address());
    await run('apply --auto-approve');
    await change(address().replace('Sensors', 'Probes') + second);
    expect((await run('plan --target HTTPSEdge/api')).out).toContain('description: Sensors');
    expect((await run('plan')).out).toContain('description: Probes');
  });
});

test.each([
  ['{ref: mqt, field: addr}', 'no resource named `mqt` is defined in the manifests', 'did you mean `mqtt`?'],
  ['{ref: mqtt, field: adr}', 'ReservedAddr has no field `adr`', 'did you mean `addr`?'],
  ['{ref: shop, field: hostports}', 'cannot be referenced: the field is a list', 'fields that can be referenced'],
  [
    '{ref: shop, field: tls_termination}',
    'cannot be referenced: the field is a mapping',
    'fields that can be referenced',
  ],
  [
    '{ref: "HTTPSEdgeRoute/shop:front", field: oidc.client_secret}',
    'cannot be referenced: the field is a secret',
    'fields that can be referenced',
  ],
  [
    '{ref: api, field: description}',
    'HTTPSEdge/api refers to itself: HTTPSEdge/api -> HTTPSEdge/api',
    'replace one of the references with a literal value',
  ],
  [
    '{ref: back, field: description}',
    'HTTPSEdge/api refers to itself: HTTPSEdge/api -> HTTPSEdge/back -> HTTPSEdge/api',
    'replace one',
  ],
  [
    '{ref: plain, field: description}',
    '`description` is not set in the manifest of ReservedAddr/plain',
    'set the field in the manifest of the referenced resource',
  ],
  ['{ref: twice, field: id}', 'several resources are named `twice`', '{ref: HTTPSEdge/twice, field: …}'],
  ['{ref: mqtt}', 'is not an id', '{ref: NAME, field: FIELD}'],
])('the description %s is refused, with its line and what to write', async (description, message, hint) => {
  const { run } = await stackOf(
    address() +
      edge('hostports: [shop.example.com:443]\n  routes: [{name: front, match_type: path_prefix, match: /}]') +
      edge('hostports: [back.example.com:443]\n  description: {ref: api, field: description}', 'back') +
      address('eu', 'plain').replace(', description: Sensors', '') +
      address('eu', 'twice') +
      edge('hostports: [twice.example.com:443]', 'twice') +
      edge(`hostports: [api.example.com:443]\n  description: ${description}`, 'api'),
  );
  const { code, err } = await run('validate');
  expect(code).toBe(8);
  expect(err).toContain(message);
  expect(err).toContain(hint);
  expect(err).toMatch(new RegExp(`\\d+ \\| +description: ${description.replace(/[{}.*]/g, String.raw`\$&`)}\n.*\\^`));
});

test.each([
  ['mutual_tls: {certificate_authority_ids: [{ref: mqtt, field: id}]}', 'requires an id and does not accept a field'],
  ['mutual_tls: {enabled: {ref: mqtt, field: addr}, certificate_authority_ids: [ca_1]}', 'is not a string and cannot'],
  ['mutual_tls: {enabled: {ref: mqtt}, certificate_authority_ids: [ca_1]}', 'is not a string and cannot'],
  [
    'description: {ref: mqtt, field: addr, more: x}',
    '`field` must be a field of that resource, and no other keys are allowed',
  ],
  ['routes: [{match_type: path_prefix, match: {ref: mqtt, field: description}}]', 'set `metadata.name`'],
  [
    'routes: [{name: a, match_type: path_prefix, match: /, oidc: {issuer: https://id.example.com, client_id: a, client_secret: {ref: mqtt, field: addr}}}]',
    'is a secret and cannot reference',
  ],
])('%s is refused', async (field, message) => {
  const { run } = await stackOf(address() + edge(`hostports: [shop.example.com:443]\n  ${field}`));
  const { code, err } = await run('validate');
  expect([code, err]).toEqual([8, expect.stringContaining(message)]);
});

test.each([
  'hostports: [{ref: mqtt, field: addr}]',
  'hostports: [a.example.com:443]\n  routes: [{name: a, match_type: path_prefix, match: {ref: mqtt, field: addr}}]',
  'hostports: [a.example.com:443]\n  routes: [{name: a, match_type: path_prefix, match: /, oidc: {issuer: {ref: mqtt, field: uri}, client_id: a, client_secret: s}}]',
])('%s cannot wait for the apply: the plan names what to apply first', async (spec) => {
  const { run } = await stackOf(address() + edge(spec));
  expect((await run('validate')).code).toBe(0);
  const { code, err } = await run('plan');
  expect([code, err]).toEqual([8, expect.stringContaining('is known only after the apply')]);
  expect(err).toContain('first run: sluice apply --target ReservedAddr/mqtt');
});
