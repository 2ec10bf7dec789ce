import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { joinMetadata, makeMarker } from '../../src/derive/marker.ts';
import { createEmulator } from '../../src/emulator/emulator.ts';
import type { Actual } from '../../src/model/actual.ts';
import { terraformJson } from '../support/terraform-json.ts';
import { isAdoption, plannedChanges, stackFile } from './exported.ts';
import { directory, sluice } from './terminal.ts';

type Json = Readonly<Record<string, unknown>>;

/** What Terraform prints of a state with these resources, each `type.name` with its values. */
function state(resources: Readonly<Record<string, Json>>, more: Readonly<Record<string, Json>> = {}): string {
  const entries = Object.entries(resources).map(([address, values]) => {
    const [type = '', name = ''] = address.split('.');
    return { address, mode: 'managed', type, name, values, ...more[address] };
  });
  return JSON.stringify({ format_version: '1.0', values: { root_module: { resources: entries } } });
}

async function convert(text: string, args = 'convert terraform show.json') {
  return sluice(await directory({ 'show.json': text }), args);
}

test('resources become manifests that adopt them by id, and refer to each other by name', async () => {
  const { code, out, err } = await convert(
    state({
      'example_https_edge.shop': {
        id: 'edghts_1',
        description: 'Shop',
        hostports: ['shop.example.com:443'],
        mutual_tls: [{ enabled: true, certificate_authority_ids: ['ca_1'] }],
        tls_termination: [],
      },
      'example_https_edge_route.root': {
        id: 'edghtsrt_1',
        edge_id: 'edghts_1',
        match_type: 'path_prefix',
        match: '/',
        backend: [{ enabled: true, backend_id: 'bkd_1' }],
      },
      'example_https_edge_route_oidc.root': {
        edge_id: 'edghts_1',
        route_id: 'edghtsrt_1',
        issuer: 'https://id.example.com',
        client_id: 'shop',
        client_secret: 'canary-oidc',
      },
      'example_certificate_authority.partners': {
        id: 'ca_1',
        ca_pem: await readFile(new URL('../generators/data/partners-ca.pem', import.meta.url), 'utf8'),
        subject_common_name: 'Partners',
      },
    }),
  );
  expect({ code, err }).toEqual({
    code: 0,
    err: `Secrets were not exported. Before the next plan, set these environment variables to the current values of the secrets:
  SHOP_ROOT_OIDC_CLIENT_SECRET
`,
  });
  expect(out.slice(0, out.indexOf('---'))).toBe(`apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
lifecycle: {adopt: edghts_1}
spec:
  description: Shop
  hostports: [shop.example.com:443]
  mutual_tls:
    certificate_authority_ids:
      - {ref: partners}
  routes:
    - name: root
      lifecycle: {adopt: edghtsrt_1}
      match_type: path_prefix
      match: /
      backend: {backend_id: bkd_1}
      oidc:
        issuer: "https://id.example.com"
        client_id: shop
        client_secret: {from_env: SHOP_ROOT_OIDC_CLIENT_SECRET}
`);
});

test('a field of a module written beside it, and ids as the API answers them, are recognized', async () => {
  const { out, err } = await convert(
    state({
      'x_edge_https.shop': {
        id: 'edghts_1',
        hostports: ['shop.example.com:443'],
        route: [
          {
            id: 'edghtsrt_1',
            match_type: 'path_prefix',
            match: '/',
            backend_id: 'bkd_1',
            ip_policies: [{ id: 'ipp_1' }],
          },
        ],
      },
    }),
  );
  expect(err).toBe('');
  expect(out).toContain(`      backend: {backend_id: bkd_1}
      ip_restriction:
        ip_policy_ids: [ipp_1]
`);
});

test('what cannot be converted is reported with resource, field and reason, and never with its value', async () => {
  const dir = await directory({
    'show.json': state({
      'example_ip_policy.office': { id: 'ipp_1' },
      'example_https_edge.shop': {
        id: 'edghts_1',
        hostports: ['shop.example.com:443'],
        https_endpoint_configuration_id: 'canary-ec',
        mutual_tls: 'canary-text',
      },
      'example_https_edge_route_backend.lost': { edge_id: 'edghts_9', route_id: 'edghtsrt_9', backend_id: 'bkd_1' },
      'example_event_subscription.all': { id: 'esb_1', sources: [{ type: 'ip_policy_created.v0', filter: 'canary' }] },
      'example_agent_ingress.new': { description: 'not there yet' },
    }),
  });
  const { code, out, err } = await sluice(dir, 'convert terraform show.json --report report.md');
  expect(code).toBe(0);
  expect(err).toBe(`Not converted (6 entries):
  example_ip_policy.office: sluice does not manage example_ip_policy
  example_https_edge.shop https_endpoint_configuration_id: sluice has no field of this name
  example_https_edge.shop mutual_tls: the field requires an object
  example_event_subscription.all sources[0].filter: sluice has no field of this name
  example_https_edge_route_backend.lost: the HTTPSEdgeRoute that contains the resource is not in the file
  example_agent_ingress.new domain: the field is required, and Terraform does not know its value
`);
  const report = await readFile(join(dir, 'report.md'), 'utf8');
  expect(report).toContain('| `example_https_edge.shop` | `mutual_tls` | the field requires an object |');
  expect(report).toContain('Converted 3 resources.');
  expect(out + report).not.toContain('canary');
});

test('no sensitive value is written: a text comes from the environment, another field is reported', async () => {
  const canary = { id: 'edghts_1', description: 'canary-a', hostports: ['canary-b.example.com:443'] };
  const dir = await directory({
    'show.json': state(
      {
        'example_https_edge.shop': canary,
        'example_reserved_addr.mqtt': { id: 'ra_1', description: 'canary-c', metadata: '{"canary":"d"}', region: 'eu' },
      },
      {
        'example_https_edge.shop': { sensitive_values: { description: true, hostports: [true] } },
        'example_reserved_addr.mqtt': { sensitive_values: true },
      },
    ),
  });
  const { out, err } = await sluice(dir, 'convert terraform show.json --report report.md');
  expect(out).toContain('  description: {from_env: SHOP_DESCRIPTION}\n');
  expect(err).toContain('example_https_edge.shop hostports[0]: the value is sensitive, so it was not written');
  expect(err).toContain('  MQTT_DESCRIPTION\n');
  expect(err).toContain('example_reserved_addr.mqtt id: the file does not contain the id of the resource');
  expect(err).toContain('example_reserved_addr.mqtt region: the value is sensitive, so it was not written');
  expect(out + err + (await readFile(join(dir, 'report.md'), 'utf8'))).not.toContain('canary');
});

test('a resource of a stack is adopted from it, with its own metadata and without the marker', async () => {
  const marker = makeMarker(
    { name: 'prod', id: '7f3a9c21' },
    'ReservedAddr/mqtt',
    { protect: false, retain: false },
    '0123456789ab',
  );
  const metadata = { marked: joinMetadata('{"team":"web"}', marker), own: '{"team":"net"}' };
  const { out, err } = await convert(
    state({
      'example_reserved_addr.marked': { id: 'ra_1', metadata: metadata.marked, region: 'eu' },
      'example_reserved_addr.own': { id: 'ra_2', metadata: metadata.own, region: 'eu' },
      'example_reserved_addr.none': { id: 'ra_3', region: 'eu' },
    }),
  );
  expect(out).toMatchInlineSnapshot(`
    "apiVersion: sluice/v1
    kind: ReservedAddr
    metadata: {name: marked}
    lifecycle:
      adopt: ra_1
      adopt_from: "7f3a9c21"
    spec:
      metadata: {team: web}
      region: eu
    ---
    apiVersion: sluice/v1
    kind: ReservedAddr
    metadata: {name: none}
    lifecycle: {adopt: ra_3}
    spec: {region: eu}
    ---
    apiVersion: sluice/v1
    kind: ReservedAddr
    metadata: {name: own}
    lifecycle: {adopt: ra_2}
    spec:
      metadata: {team: net}
      region: eu
    "
  `);
  expect(err).toBe('');
});

test('a saved plan is converted too; what does not exist yet is created', async () => {
  const text = state({ 'example_tcp_address.mqtt': { description: 'New' } });
  const { code, out } = await convert(text.replace('"values":', '"planned_values":'));
  expect(code).toBe(0);
  expect(out).toBe(`apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: mqtt}
spec: {description: New}
`);
});

test.each([
  ['[]', 'show.json:1:1', 'the file is not the output of terraform show -json'],
  ['{"format_version": "1.0",\n  "values": {"a": canary}}', 'show.json:2:19', 'not valid JSON'],
  ['{"format_version": "1.0", "values": {}', 'show.json:1:39', 'the JSON text ends too early'],
  ['{"format_version": "1.0", "values": "can\nary"}', 'show.json:1:37', 'not valid JSON'],
  ['{"a": 1,}', 'show.json:1:9', 'not valid JSON'],
  ['{} {}', 'show.json:1:4', 'not valid JSON'],
  ['['.repeat(5000), 'show.json:1:257', 'the JSON text is nested more than 256 levels deep'],
  ['{"version": 4, "resources": []}', 'show.json:1:1', 'the file is a Terraform state, not its JSON representation'],
  ['{"canary": 4}', 'show.json:1:1', 'the file is not the output of terraform show -json'],
  ['{"format_version": "2.0"}', 'show.json:1:1', 'format_version "2.0" is not supported'],
])('%# a file that cannot be used ends with 8 and the place', async (text, place, message) => {
  const { code, out, err } = await convert(text);
  expect({ code, out }).toEqual({ code: 8, out: '' });
  expect(err).toContain(place);
  expect(err).toContain(message);
  expect(err).not.toContain('canary');
});

test('files that exist are not overwritten, and standard input is read', async () => {
  const dir = await directory({ 'manifests/reserved-addr/mqtt.yaml': 'mine' });
  const text = state({ 'example_reserved_addr.mqtt': { id: 'ra_1' } });
  const io = { stdin: () => Promise.resolve(Buffer.from(text)) };
  const { code, err } = await sluice(dir, 'convert terraform - --out manifests', io);
  expect(code).toBe(8);
  expect(err).toContain('manifests/reserved-addr/mqtt.yaml already exists; nothing was written');
  expect(await readFile(join(dir, 'manifests/reserved-addr/mqtt.yaml'), 'utf8')).toBe('mine');
});

test('a file of 200 resources needs no edit', async () => {
  const emulator = createEmulator({ seed: 1 });
  const numbers = Array.from({ length: 50 }, (_, number) => String(number));
  const live = numbers.flatMap((number): Actual[] => [
    {
      kind: 'HTTPSEdge',
      id: `edghts_${number}`,
      spec: { hostports: [`shop-${number}.example.com:443`] },
      computed: {},
    },
    ...['/', '/api'].map((match, index) => ({
      kind: 'HTTPSEdgeRoute',
      id: `edghtsrt_${number}_${String(index)}`,
      parent: `edghts_${number}`,
      spec: {
        edge_id: `edghts_${number}`,
        match_type: 'path_prefix',
        match,
        backend: { backend_id: 'bkd_1' },
      },
      computed: {},
    })),
    { kind: 'ReservedAddr', id: `ra_${number}`, spec: { description: `Number ${number}`, region: 'eu' }, computed: {} },
  ]);
  emulator.copy(live);
  const { url, close } = await emulator.listen();
  onTestFinished(close);
  const dir = await directory({ 'sluice.yaml': stackFile(url, 'completed') });
  const shape = {
    blocks: 'lists',
    routes: 'resources',
    modules: 'blocks',
    index: 'for_each',
    depth: 1,
    order: 'edge_https',
  } as const;
  await writeFile(join(dir, 'show.json'), terraformJson(emulator.snapshot().resources, shape));
  expect(await sluice(dir, 'convert terraform show.json --out manifests')).toMatchObject({ code: 0, err: '' });
  const changes = await plannedChanges(dir, { env: { SLUICE_API_KEY: 'any' } });
  expect(changes).toHaveLength(200);
  expect(changes.every(({ change }) => isAdoption(change))).toBe(true);
});

test.each([
  ['a state without resources', JSON.stringify({ format_version: '1.0', values: { root_module: {} } })],
  ['a state that was never written', JSON.stringify({ format_version: '1.0' })],
])('of %s nothing is written, and that is said', async (_, text) => {
  expect(await convert(text)).toEqual({ code: 0, out: '', err: 'The file has no resources to convert.\n' });
});

test.each([
  'aws_acmpca_certificate_authority',
  'google_privateca_certificate_authority',
  'aws_db_event_subscription',
  'azurerm_eventgrid_event_subscription',
  'example_ssh_certificate_authority',
  'certificate_authority',
])('%s is none of the kinds, although it ends with the words of one', async (type) => {
  const { code, out, err } = await convert(
    state({ [`${type}.root`]: { id: 'x_1', name: 'root' }, 'example_https_edge.shop': { id: 'edghts_1' } }),
  );
  expect([code, out.match(/^kind: .*/gm)]).toEqual([0, ['kind: HTTPSEdge']]);
  expect(err).toContain(`${type}.root: sluice does not manage ${type}`);
});

test('a string of megabytes, each character of it escaped, is read', async () => {
  const values = { id: 'ra_1', region: 'us', description: '\n'.repeat(4_000_000) };
  const dir = await directory({ 'state.json': state({ 'x_reserved_addr.a': values }) });
  expect(await sluice(dir, 'convert terraform state.json --out manifests')).toMatchObject({ code: 0, err: '' });
});
