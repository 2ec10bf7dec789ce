import { describe, expect, test } from 'vitest';
import { joinMetadata } from '../../../src/derive/marker.ts';
import { kinds } from '../../../src/kinds/index.ts';
import { convertTerraform } from '../../../src/manifest/terraform/convert-terraform.ts';
import type { TerraformResource } from '../../../src/manifest/terraform/terraform-resource.ts';

type Values = Readonly<Record<string, unknown>>;

/** What becomes of resources, each `type.name` with its values: the resources by kind and id, and what is noted. */
function converted(all: Readonly<Record<string, Values>>, more: Partial<TerraformResource> = {}) {
  const resources = Object.entries(all).map(([address, values]): TerraformResource => {
    const [type = '', name = ''] = address.split('.');
    return { address, type: `example_${type}`, name, values, sensitive: undefined, isDeposed: false, ...more };
  });
  const { resources: found, notConverted } = convertTerraform(resources, kinds);
  return {
    found: Object.fromEntries(
      found.map(({ actual: { kind, id, ...actual }, ...rest }) => [`${kind} ${id}`, { ...actual, ...rest }]),
    ),
    notes: notConverted.map(({ resource, field, reason }) => `${resource} ${field ?? '-'}: ${reason}`),
  };
}

const path = { match_type: 'path_prefix', match: '/' };
const noId =
  'the file does not contain the id of the resource; if the resource exists, set `lifecycle.adopt` to its id';

describe('a resource of Terraform', () => {
  test('is known by its id and its name, with what the service computes', () => {
    const { found, notes } = converted({
      'https_edge.shop': { id: 'edghts_1', description: 'Shop', uri: 'https://api.example.com/e', created_at: 7 },
    });
    expect(notes).toEqual([]);
    expect(found).toEqual({
      'HTTPSEdge edghts_1': {
        spec: { description: 'Shop' },
        computed: { id: 'edghts_1', uri: 'https://api.example.com/e' },
        from: 'https_edge.shop',
        name: 'shop',
      },
    });
  });

  test('of a plan has no id yet, and one whose id is not readable is noted', () => {
    const created = converted({ 'https_edge.shop': { description: 'Shop' }, 'https_edge.store': {} });
    expect(Object.keys(created.found)).toEqual(['HTTPSEdge new:0', 'HTTPSEdge new:1']);
    expect(created.found['HTTPSEdge new:0']).toMatchObject({ isNew: true });
    expect(created.notes).toEqual([]);
    for (const id of [null, 7, '', 'no id'])
      expect(converted({ 'https_edge.shop': { id } }).notes).toEqual([`https_edge.shop id: ${noId}`]);
    expect(converted({ 'https_edge.shop': { id: 'edghts_1' } }, { sensitive: { id: true } })).toMatchObject({
      found: { 'HTTPSEdge new:0': { isNew: true } },
      notes: [`https_edge.shop id: ${noId}`],
    });
  });

  test('that is of another kind, deposed, or there twice, is noted', () => {
    expect(converted({ 'big_bucket.a': { id: 'b_1' } })).toEqual({
      found: {},
      notes: ['big_bucket.a -: sluice does not manage example_big_bucket'],
    });
    expect(converted({ 'https_edge.a': { id: 'edghts_1' } }, { isDeposed: true })).toEqual({
      found: {},
      notes: [expect.stringMatching(/^https_edge.a -: the resource is a deposed object/)],
    });
    const twice = converted({
      'https_edge.a': { id: 'edghts_1', description: 'A' },
      'https_edge.b': { id: 'edghts_1' },
    });
    expect(twice.found['HTTPSEdge edghts_1']).toMatchObject({ spec: { description: 'A' }, name: 'a' });
    expect(twice.notes).toEqual(['https_edge.b -: another resource in the Terraform state has the same id']);
  });

  test('without a field that is required is noted', () => {
    const { notes } = converted({ 'https_edge_route.root': { id: 'r_1', edge_id: 'edghts_1', match: '/' } });
    expect(notes).toEqual([
      'https_edge_route.root match_type: the field is required, and Terraform does not know its value',
    ]);
  });

  test('of a stack of sluice is adopted from it, and keeps its own metadata', () => {
    const metadata = (own: string, s: string) => joinMetadata(own, { s, a: 'HTTPSEdge/a', p: '', n: 'n' });
    const { found } = converted({
      'https_edge.a': { id: 'edghts_1', metadata: metadata('{"team":"web"}', 'company/5c1e7a90') },
      'https_edge.b': { id: 'edghts_2', metadata: '{"team":"web"}' },
      'https_edge.c': { id: 'edghts_3' },
    });
    expect(found['HTTPSEdge edghts_1']).toMatchObject({ spec: { metadata: '{"team":"web"}' }, otherStack: '5c1e7a90' });
    expect(found['HTTPSEdge edghts_2']).toMatchObject({ spec: { metadata: '{"team":"web"}' } });
    for (const id of ['edghts_2', 'edghts_3']) expect(found[`HTTPSEdge ${id}`]).not.toHaveProperty('otherStack');
    expect(found['HTTPSEdge edghts_3']?.spec).toEqual({});
  });
});

describe('a route of Terraform', () => {
  test('is in the edge that it names', () => {
    const { found } = converted({ 'https_edge_route.root': { id: 'r_1', edge_id: 'edghts_1', ...path } });
    expect(found['HTTPSEdgeRoute r_1']).toMatchObject({ parent: 'edghts_1', spec: { edge_id: 'edghts_1', ...path } });
  });

  test.each(['routes', 'route'])('may be a block of its edge, called %s', (block) => {
    const edge = {
      id: 'edghts_1',
      [block]: [
        { id: 'r_1', ...path },
        { ...path, match: '/a' },
      ],
    };
    const { found, notes } = converted({ 'https_edge.shop': edge });
    expect(Object.keys(found)).toEqual(['HTTPSEdge edghts_1', 'HTTPSEdgeRoute r_1', 'HTTPSEdgeRoute new:2']);
    expect(found['HTTPSEdgeRoute r_1']).toMatchObject({ parent: 'edghts_1', spec: { edge_id: 'edghts_1', ...path } });
    expect(found['HTTPSEdge edghts_1']?.spec).toEqual({});
    expect(notes).toEqual([`https_edge.shop.${block}[1] id: ${noId}`]);
  });

  test('in an edge that does not exist yet does not exist either', () => {
    const { found, notes } = converted({ 'https_edge.shop': { routes: [path] } });
    expect(found['HTTPSEdgeRoute new:1']).toMatchObject({ parent: 'new:0', isNew: true });
    expect(notes).toEqual([]);
  });

  test('that is a resource and a block is the resource, in any order', () => {
    const edge = { id: 'edghts_1', routes: [{ id: 'r_1', ...path, description: 'block' }] };
    const own = { id: 'r_1', edge_id: 'edghts_1', ...path, description: 'resource' };
    for (const all of [
      { 'https_edge.shop': edge, 'https_edge_route.root': own },
      { 'https_edge_route.root': own, 'https_edge.shop': edge },
    ]) {
      const { found, notes } = converted(all);
      expect(found['HTTPSEdgeRoute r_1']).toMatchObject({ spec: { description: 'resource' }, name: 'root' });
      expect(notes).toEqual([]);
    }
  });
});

describe('a module of Terraform', () => {
  const shop = { 'https_edge.shop': { id: 'edghts_1' } };
  const route = { 'https_edge_route.root': { id: 'r_1', edge_id: 'edghts_1', ...path } };
  const tls = { certificate_authority_ids: ['ca_1'] };

  test.each<[string, Values]>([
    ['with its fields', { id: 'edghts_1', uri: 'x', edge_id: 'edghts_1', ...tls }],
    ['with a block of its name', { edge_id: 'edghts_1', mutual_tls: [tls] }],
    ['whose block is empty beside its fields', { edge_id: 'edghts_1', mutual_tls: null, ...tls }],
    ['that has only an id', { id: 'edghts_1', ...tls }],
  ])('belongs to the resource that it names: %s', (_, values) => {
    const { found, notes } = converted({ 'https_edge_mutual_tls.shop': values, ...shop });
    expect(found['HTTPSEdge edghts_1']?.spec).toEqual({ mutual_tls: tls });
    expect(notes.filter((note) => !note.includes('mutual_tls.mutual_tls'))).toEqual([]);
  });

  test('of a route may name the edge as well', () => {
    const oidc = { issuer: 'https://id.example.com', client_id: 'shop' };
    const { found, notes } = converted({
      ...{ ...shop, ...route },
      'https_edge_route_oidc.root': { edge_id: 'edghts_1', route_id: 'r_1', ...oidc },
    });
    expect(found['HTTPSEdgeRoute r_1']?.spec).toMatchObject({ oidc });
    expect(notes.filter((note) => !note.includes('client_secret'))).toEqual([]);
  });

  test('whose resource is not there is noted', () => {
    for (const id of ['edghts_2', undefined, 7])
      expect(converted({ ...shop, 'https_edge_mutual_tls.shop': { edge_id: id, ...tls } }).notes).toEqual([
        'https_edge_mutual_tls.shop -: the HTTPSEdge that contains the resource is not in the file',
      ]);
  });
});
