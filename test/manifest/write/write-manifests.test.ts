import { describe, expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import { OutsideValue, Secret, type SpecObject } from '../../../src/kinds/value.ts';
import { writeManifests, type ToWrite } from '../../../src/manifest/write/write-manifests.ts';

test('a route at / whose edge is not written has a file that is read again: no hidden one', () => {
  const spec = { edge_id: 'edghts_9', match_type: 'path_prefix', match: '/' };
  const actual = { kind: 'HTTPSEdgeRoute', id: 'edghtsrt_1', parent: 'edghts_9', spec, computed: {} };
  const { documents } = writeManifests([{ actual, address: 'HTTPSEdgeRoute/edghts_9:/' }], { kinds });
  expect(documents.map(({ file }) => file)).toEqual(['edghtsrt-1']);
});

test('many resources of one name, and routes in as many edges, are written in proportion', { timeout: 60_000 }, () => {
  const all = Array.from({ length: 15_000 }, (_, n) => {
    const edge = { kind: 'HTTPSEdge', id: `edghts_${String(n)}`, spec: { description: 'shop' }, computed: {} };
    const spec = { edge_id: edge.id, match_type: 'path_prefix', match: '/' };
    return [edge, { kind: 'HTTPSEdgeRoute', id: `edghtsrt_${String(n)}`, parent: edge.id, spec, computed: {} }];
  }).flat();
  const { documents } = writeManifests(
    all.map((actual) => ({ actual })),
    { kinds },
  );
  const names = new Set(documents.map(({ file }) => file));
  expect([names.size, names.has('shop'), names.has('shop-15000')]).toEqual([15_000, true, true]);
  expect(
    documents.every(({ value }) => Array.isArray((value['spec'] as Readonly<Record<string, unknown>>)['routes'])),
  ).toBe(true);
});

interface Given extends Omit<ToWrite, 'actual'> {
  readonly kind?: string;
  readonly spec?: SpecObject;
  readonly computed?: SpecObject;
  readonly parent?: string;
  readonly protections?: string;
}

/** Resources to write, by their ids. */
function written(all: Readonly<Record<string, Given>>, more: { readonly prefix?: string } = {}) {
  const resources = Object.entries(all).map(
    ([id, { kind = 'HTTPSEdge', spec = {}, computed = {}, parent, protections, ...rest }]): ToWrite => ({
      actual: {
        ...{ kind, id, spec, computed },
        ...(parent === undefined ? {} : { parent }),
        ...(protections === undefined ? {} : { marker: { s: 's/1', a: rest.address ?? '', p: protections, n: 'n' } }),
      },
      ...rest,
    }),
  );
  const { documents, variables } = writeManifests(resources, { kinds, ...more });
  const values = documents.map(({ value }) => value as Readonly<Record<string, Readonly<Record<string, unknown>>>>);
  return { files: documents.map(({ kind, file }) => `${kind}/${file}`), values, variables };
}

const route = (parent: string, match: string, more: SpecObject = {}): Given => ({
  kind: 'HTTPSEdgeRoute',
  parent,
  spec: { edge_id: parent, match_type: 'path_prefix', match, ...more },
});

describe('live resources are written', () => {
  test('by kind and then by name, the oldest with the best name and what has an address before all', () => {
    const { files, values } = written({
      edghts_1: { spec: { description: 'Shop' }, computed: { created_at: '2026-02-01T00:00:00Z' } },
      edghts_2: { spec: { description: 'Shop' }, computed: { created_at: '2026-01-01T00:00:00Z' } },
      edghts_3: { address: 'HTTPSEdge/shop', computed: { created_at: '2026-03-01T00:00:00Z' } },
      edghts_4: { name: 'a-shop' },
      ra_1: { kind: 'ReservedAddr', spec: { region: 'eu' } },
    });
    expect(files).toEqual([
      ...['HTTPSEdge/a-shop', 'HTTPSEdge/shop', 'HTTPSEdge/shop-2', 'HTTPSEdge/shop-3'],
      expect.stringContaining('ReservedAddr/') as string,
    ]);
    const adopted = values.map(({ lifecycle }) => lifecycle?.['adopt']);
    expect(adopted).toEqual(['edghts_4', undefined, 'edghts_2', 'edghts_1', 'ra_1']);
  });

  test('with what they contain inside them, in the order of its key, and named only where it had a name or shares its key', () => {
    const { files, values } = written({
      edghts_1: { name: 'shop' },
      r_1: { ...route('edghts_1', '/b'), address: 'HTTPSEdgeRoute/shop:/b' },
      r_2: { ...route('edghts_1', '/a'), address: 'HTTPSEdgeRoute/shop:first' },
      r_3: route('edghts_1', '/c'),
      r_4: route('edghts_1', '/c'),
    });
    expect(files).toEqual(['HTTPSEdge/shop']);
    expect(values[0]?.['spec']?.['routes']).toEqual([
      { name: 'first', match_type: 'path_prefix', match: '/a' },
      { match_type: 'path_prefix', match: '/b' },
      { lifecycle: { adopt: 'r_3' }, match_type: 'path_prefix', match: '/c' },
      { name: 'c', lifecycle: { adopt: 'r_4' }, match_type: 'path_prefix', match: '/c' },
    ]);
  });

  const lifecycles: readonly (readonly [string, Given, unknown])[] = [
    ['of no stack', {}, { adopt: 'ID' }],
    ['of another stack', { otherStack: '00000002' }, { adopt: 'ID', adopt_from: '00000002' }],
    ['that does not exist yet', { isNew: true }, undefined],
    ['of this stack', { address: 'HTTPSEdge/shop' }, undefined],
    ['of this stack, protected', { address: 'HTTPSEdge/shop', protections: 'p' }, { protect: true }],
    ['of this stack, retained', { address: 'HTTPSEdge/shop', protections: 'r' }, { on_remove: 'retain' }],
    [
      'of this stack, with both',
      { address: 'HTTPSEdge/shop', protections: 'pr' },
      { protect: true, on_remove: 'retain' },
    ],
    ['of this stack, found only by its id', { address: 'HTTPSEdge/shop', hidden: true }, { adopt: 'ID' }],
    [
      'of this stack, under another name',
      { address: 'HTTPSEdge/shop', name: 'market' },
      { moved_from: 'HTTPSEdge/shop' },
    ],
    [
      'that is protected unless the manifest says otherwise',
      { kind: 'ReservedAddr', address: 'ReservedAddr/a' },
      undefined,
    ],
    [
      'that is not protected although others of its kind are',
      { kind: 'ReservedAddr', address: 'ReservedAddr/a', protections: '' },
      { protect: false },
    ],
  ];
  test.each(lifecycles)('with the lifecycle of a resource %s', (_, given, lifecycle) => {
    expect(written({ ID: given }).values[0]?.['lifecycle']).toEqual(lifecycle);
  });

  test('with names in place of ids, sets in order, and without what is computed, empty or a default', () => {
    const { values } = written({
      ca_2: { kind: 'CertificateAuthority', name: 'partners' },
      edghts_1: {
        name: 'shop',
        spec: {
          description: '',
          hostports: ['b.example.com:443', 'a.example.com:443'],
          mutual_tls: { certificate_authority_ids: ['ca_2', 'ca_1'] },
          metadata: null,
        },
        computed: { uri: 'https://api.example.com/edghts_1' },
      },
    });
    const { spec } = values.find(({ kind }) => (kind as unknown) === 'HTTPSEdge') ?? {};
    expect(spec).toEqual({
      hostports: ['a.example.com:443', 'b.example.com:443'],
      mutual_tls: { certificate_authority_ids: ['ca_1', { ref: 'partners' }] },
    });
  });

  test('with variables in place of secrets and values from outside, also where the service hides a secret', () => {
    const oidc = { issuer: 'https://id.example.com', client_id: 'shop' };
    const { values, variables } = written(
      {
        edghts_1: { name: 'shop', spec: { description: new OutsideValue('canary') } },
        r_1: route('edghts_1', '/', { oidc: { ...oidc, client_secret: new Secret('canary') } }),
        r_2: route('edghts_1', '/login', { oidc }),
        edghts_2: { name: 'store', spec: { description: new OutsideValue('canary', { from_env: 'NOTE' }) } },
      },
      { prefix: 'tf_' },
    );
    expect(JSON.stringify(values)).not.toContain('canary');
    expect(variables).toEqual([
      ...['TF_SHOP_DESCRIPTION', 'TF_SHOP_LOGIN_OIDC_CLIENT_SECRET', 'TF_SHOP_OIDC_CLIENT_SECRET'],
    ]);
    expect(values.map(({ spec }) => spec?.['description'])).toEqual([
      { from_env: 'TF_SHOP_DESCRIPTION' },
      { from_env: 'NOTE' },
    ]);
  });
});

test.each([
  ['the service has set when it was made', '2026-01-01T00:00:59Z', undefined],
  ['somebody else has set', '2026-01-01T00:01:00Z', '2026-01-01T00:01:00Z'],
])('the beginning of a certificate that %s', (_, valid_after, expected) => {
  const spec = { ssh_certificate_authority_id: 'sshca_1', public_key: 'ssh-ed25519 AAAA', valid_after };
  const { values } = written({
    c_1: { kind: 'SSHHostCertificate', spec, computed: { created_at: '2026-01-01T00:00:00Z' } },
  });
  expect(values[0]?.['spec']?.['valid_after']).toBe(expected);
});
