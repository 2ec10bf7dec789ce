import { Ajv2020 } from 'ajv/dist/2020.js';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { checkSpec } from '../../../src/derive/check/check-spec.ts';
import { manifestSchema, schemasByKind } from '../../../src/derive/schema/json-schema.ts';
import { externalTypes, kindSet, kinds } from '../../../src/kinds/index.ts';
import type { SpecObject } from '../../../src/kinds/value.ts';

const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, formats: { 'date-time': true } });
const isManifest = ajv.compile(manifestSchema(kinds));
const perKind = new Map([...schemasByKind(kinds)].map(([word, schema]) => [word, ajv.compile(schema)]));

interface Manifest {
  readonly kind: string;
  readonly spec?: SpecObject;
}

// Whether both the schema of its kind and the one of all kinds take the manifest.
function takes(manifest: Manifest): boolean {
  const [byAll, byKind] = [isManifest(manifest), perKind.get(manifest.kind)?.(manifest) ?? byAllOnly(manifest)];
  expect(byKind).toBe(byAll);
  return byAll;
}

function byAllOnly(manifest: Manifest): boolean {
  return isManifest(manifest);
}

function manifest(kind: string, spec: string, rest = 'metadata: {name: shop}'): Manifest {
  return parse(`apiVersion: sluice/v1\nkind: ${kind}\n${rest}\nspec: ${spec}\n`) as Manifest;
}

const backend = 'backend: {backend_id: {ref: shop-backend}}';
const route = `match_type: path_prefix, match: /, ${backend}`;
const standalone = `edge_id: {ref: shop}, ${route}`;

describe('the schemas take', () => {
  test.each([
    ['an edge with nothing', 'HTTPSEdge', '{}'],
    ['an edge without fields', 'HTTPSEdge', ''],
    ['lists and modules left out as null', 'HTTPSEdge', '{hostports: null, mutual_tls: null, routes: null}'],
    [
      'ids as they are, by name and from the environment',
      'HTTPSEdge',
      '{mutual_tls: {certificate_authority_ids: [ca_1, {ref: partners}, {from_env: CA}]}}',
    ],
    ['an empty list of ids that must be given', 'HTTPSEdge', '{mutual_tls: {certificate_authority_ids: []}}'],
    ['metadata as text', 'HTTPSEdge', '{metadata: plain}'],
    ['metadata as a mapping', 'HTTPSEdge', '{metadata: {cost_center: retail, nested: {deep: [1]}}}'],
    [
      'nested routes with name, labels and lifecycle beside their fields',
      'HTTPSEdge',
      `{routes: [{${route}, name: all, labels: {team: web}, lifecycle: {protect: true}}]}`,
    ],
    ['module sets on a nested route', 'HTTPSEdge', `{routes: [{${route}, module_sets: [sso], oauth: null}]}`],
    ['module sets on a route of its own', 'HTTPSEdgeRoute', `{${standalone}, module_sets: [sso, hardening]}`],
    ['a policy as a mapping', 'HTTPSEdgeRoute', `{${standalone}, traffic_policy: {value: {inbound: []}}}`],
    [
      'headers by name',
      'HTTPSEdgeRoute',
      `{${standalone}, request_headers: {add: {x-area: {from_env: AREA}}, remove: [server]}}`,
    ],
    [
      'numbers at their bounds',
      'HTTPSEdgeRoute',
      `{${standalone}, circuit_breaker: {num_buckets: 128, error_threshold_percentage: 1, tripped_duration: 4294967295}}`,
    ],
    ['a region', 'ReservedAddr', '{region: eu, endpoint_configuration_id: {ref: limits}}'],
    ['a PEM from a file', 'CertificateAuthority', '{ca_pem: {from_file: partners.pem}}'],
    [
      'a policy switched off by null',
      'AgentIngress',
      '{domain: connect.example.com, certificate_management_policy: null}',
    ],
    [
      'a validity',
      'SSHHostCertificate',
      '{ssh_certificate_authority_id: {ref: hosts}, public_key: ssh-ed25519 AAAA, valid_until: "2030-01-01T00:00:00Z"}',
    ],
    ['sources by type', 'EventSubscription', '{sources: [{type: ip_policy_created.v0}], destination_ids: []}'],
    ['a name for an id', 'External', '{type: backend, id: bkd_1}'],
    [
      'modules under a name',
      'ModuleSet',
      '{compression: {}, oauth: {provider: {google: {email_domains: [example.com]}}}}',
    ],
  ])('%s', (_what, kind, spec) => {
    expect(takes(manifest(kind, spec))).toBe(true);
  });

  test('a route without a name, which its match then gives', () => {
    expect(takes(manifest('HTTPSEdgeRoute', `{${standalone}}`, ''))).toBe(true);
    expect(takes(manifest('HTTPSEdgeRoute', `{${standalone}}`, 'metadata: {labels: {team: web}}'))).toBe(true);
  });

  test('what is issued for a while reports when to issue it anew, and nothing else does', () => {
    const lifecycle = 'lifecycle: {valid_for: 90d, renew_before: 12h, certificate_file: ssh/a-cert.pub}';
    const spec = '{ssh_certificate_authority_id: sshca_1, public_key: ssh-ed25519 AAAA}';
    const own = takes(manifest('SSHHostCertificate', spec, `metadata: {name: a}\n${lifecycle}`));
    const other = takes(manifest('ReservedAddr', '{}', `metadata: {name: a}\n${lifecycle}`));
    expect([own, other]).toEqual([true, false]);
  });

  test('a whole lifecycle block', () => {
    const lifecycle = `lifecycle: {protect: true, on_remove: retain, ignore: [/description, /oauth/provider], adopt: ca_1, adopt_from: 7f3a9c21, moved_from: ReservedAddr/old}`;
    expect(takes(manifest('ReservedAddr', '{}', `metadata: {name: a}\n${lifecycle}`))).toBe(true);
  });

  test('a List of manifests, and refuse it for one that is wrong', () => {
    const list = { apiVersion: 'sluice/v1', kind: 'List', items: [manifest('ReservedAddr', '{region: eu}')] };
    expect(takes(list)).toBe(true);
    expect(takes({ ...list, items: [manifest('ReservedAddr', '{region: moon}')] } as Manifest)).toBe(false);
    expect(takes({ ...list, items: [list] } as Manifest)).toBe(false);
  });

  test('every example', () => {
    const files = readdirSync('examples', { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.includes('manifests') && file.endsWith('.yaml'),
    );
    const documents = files.flatMap((file) => parseAllDocuments(readFileSync(join('examples', file), 'utf8')));
    expect(documents.length).toBeGreaterThan(10);
    for (const document of documents) {
      isManifest(document.toJS());
      expect(isManifest.errors ?? []).toEqual([]);
    }
  });
});

describe('the schemas and the check of a spec both refuse', () => {
  test.each([
    ['a field that does not exist', 'HTTPSEdge', '{hostport: []}'],
    [
      'a field inside a module that does not exist',
      'HTTPSEdge',
      '{mutual_tls: {certificate_authority_ids: [], ca: 1}}',
    ],
    ['a field that can only be read', 'ReservedAddr', '{addr: "1.tcp.example.com:1"}'],
    ['a read-only field in a module', 'HTTPSEdge', '{tls_termination: {terminate_at: edge}}'],
    ['a required field left out', 'CertificateAuthority', '{}'],
    ['a required field as null', 'CertificateAuthority', '{ca_pem: null}'],
    ['a required field in a module left out', 'HTTPSEdge', '{mutual_tls: {}}'],
    ['text where a list stands', 'HTTPSEdge', '{hostports: "shop.example.com:443"}'],
    ['a number where text stands', 'ReservedAddr', '{description: 1}'],
    [
      'text where a number stands',
      'HTTPSEdgeRoute',
      '{edge_id: edghts_1, match_type: exact_path, match: /, circuit_breaker: {num_buckets: "1"}}',
    ],
    ['a list where a mapping stands', 'HTTPSEdge', '{mutual_tls: []}'],
    ['null in a list', 'HTTPSEdge', '{hostports: [null]}'],
    [
      'null in a map',
      'HTTPSEdgeRoute',
      '{edge_id: edghts_1, match_type: exact_path, match: /, request_headers: {add: {a: null}}}',
    ],
    ['a word that is not in the list', 'ReservedAddr', '{region: moon}'],
    ['text that is too long', 'CertificateAuthority', `{ca_pem: x, description: ${'d'.repeat(256)}}`],
    [
      'a number above its bound',
      'HTTPSEdgeRoute',
      '{edge_id: edghts_1, match_type: exact_path, match: /, circuit_breaker: {num_buckets: 129}}',
    ],
    [
      'a share above 1',
      'HTTPSEdgeRoute',
      '{edge_id: edghts_1, match_type: exact_path, match: /, circuit_breaker: {error_threshold_percentage: 1.1}}',
    ],
    [
      'part of a number',
      'HTTPSEdgeRoute',
      '{edge_id: edghts_1, match_type: exact_path, match: /, oauth: {provider: {google: {}}, maximum_duration: 0.5}}',
    ],
    [
      'too few entries',
      'HTTPSEdgeRoute',
      '{edge_id: edghts_1, match_type: exact_path, match: /, ip_restriction: {ip_policy_ids: []}}',
    ],
    ['entries that must not repeat', 'EventSubscription', '{sources: [{type: a.v0}, {type: a.v0}]}'],
    ['an empty id', 'ReservedAddr', '{endpoint_configuration_id: ""}'],
  ])('%s', (_what, kind, text) => {
    const bad = manifest(kind, text);
    expect(takes(bad)).toBe(false);
    expect(checkSpec(kinds.named(kind)!, bad.spec!)).not.toEqual([]);
  });
});

describe('the schemas refuse', () => {
  test.each([
    ['another form of manifest', { apiVersion: 'v1', kind: 'ReservedAddr', metadata: { name: 'a' } }],
    ['a kind that does not exist', { apiVersion: 'sluice/v1', kind: 'TCPEdge', metadata: { name: 'a' } }],
    ['a kind left out', { apiVersion: 'sluice/v1', metadata: { name: 'a' } } as unknown as Manifest],
    ['a name left out', { apiVersion: 'sluice/v1', kind: 'ReservedAddr', spec: {} }],
    ['a name that is no DNS label', { apiVersion: 'sluice/v1', kind: 'ReservedAddr', metadata: { name: 'a/b' } }],
    [
      'a block that does not exist',
      { apiVersion: 'sluice/v1', kind: 'ReservedAddr', metadata: { name: 'a' }, status: {} },
    ],
    [
      'a label that is no text',
      { apiVersion: 'sluice/v1', kind: 'ReservedAddr', metadata: { name: 'a', labels: { n: 1 } } },
    ],
  ])('%s', (_what, bad) => {
    expect(isManifest(bad)).toBe(false);
  });

  test.each([
    ['a value from two places', 'ReservedAddr', '{description: {from_env: A, from_file: b}}'],
    ['a value from nowhere', 'ReservedAddr', '{description: {}}'],
    ['a reference where no id stands', 'ReservedAddr', '{description: {ref: a}}'],
    ['the key of metadata that is our own', 'ReservedAddr', '{metadata: {sluice: mine}}'],
    ['the parent of a route nested in it', 'HTTPSEdge', `{routes: [{${standalone}}]}`],
    ['module sets where nothing takes them', 'HTTPSEdge', '{module_sets: [sso]}'],
    ['an External whose id is a reference', 'External', '{type: backend, id: {ref: shop}}'],
    ['an id of a family that does not exist', 'External', '{type: tunnel, id: tn_1}'],
    ['what is no module in a module set', 'ModuleSet', '{description: no}'],
  ])('%s', (_what, kind, spec) => {
    expect(takes(manifest(kind, spec))).toBe(false);
  });

  test.each([
    '{protected: true}',
    '{on_remove: keep}',
    '{ignore: [description]}',
    '{adopt_from: 7f3a9c21}',
    '{moved_from: old}',
  ])('the lifecycle %s', (lifecycle) => {
    expect(takes(manifest('ReservedAddr', '{}', `metadata: {name: a}\nlifecycle: ${lifecycle}`))).toBe(false);
  });
});

describe('a schema', () => {
  test('follows a kind that is new', () => {
    const gauge = { ...kinds.named('ReservedAddr')!, name: 'Gauge' };
    const schema = manifestSchema(kindSet([gauge]));
    expect(new Ajv2020({ allowUnionTypes: true }).validate(schema, { ...manifest('Gauge', '{region: eu}') })).toBe(
      true,
    );
    expect(JSON.stringify(schema)).not.toContain('HTTPSEdge');
  });

  test('reports what its validator cannot: bytes, and what is fixed once created', () => {
    const text = JSON.stringify(schemasByKind(kinds).get('CertificateAuthority'));
    expect(text).toContain('At most 255 bytes of UTF-8.');
    expect(text).toContain('if the field changes, sluice replaces the resource');
  });

  test('lists the families that an External may name as the kinds refer to them', () => {
    expect(JSON.stringify(schemasByKind(kinds).get('External'))).toContain(JSON.stringify([...externalTypes].sort()));
  });
});
