import { describe, expect, test } from 'vitest';
import { company, directory, sluice, stackFile } from '../../cli/terminal.ts';

const nested = company;
const alone = `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec: {hostports: [shop.example.com:443]}
---
apiVersion: sluice/v1
kind: HTTPSEdgeRoute
metadata: {name: front}
spec: {edge_id: {ref: shop}, match_type: path_prefix, match: /, backend: {backend_id: bkd_1}}
`;

async function planned(target: string, operations: string, manifests: string) {
  const patches = `patches: [{target: ${target}, patch: [${operations}]}]\n`;
  const dir = await directory({ 'sluice.yaml': stackFile + patches, 'manifests/company.yaml': manifests });
  return sluice(dir, 'plan');
}

describe('a patch', () => {
  test.each([
    ['inside its edge', nested],
    ['in a manifest of its own', alone],
  ])('reaches a route written %s by the address that plans show', async (_, manifests) => {
    const { code, out } = await planned(
      '{kind: HTTPSEdgeRoute, name: "shop:front"}',
      '{op: replace, path: /spec/match, value: /patched}, {op: add, path: /spec/compression, value: {}}',
      manifests,
    );
    expect(code).toBe(0);
    expect(out).toContain('match: /patched');
    expect(out).toContain('compression: {}');
  });

  test('reaches a route without a name by its match, and its lifecycle', async () => {
    const { out } = await planned(
      '{kind: HTTPSEdgeRoute, name: "shop:/"}',
      '{op: add, path: /metadata/name, value: home}, {op: add, path: /lifecycle, value: {protect: true}}',
      nested.replace('name: front, ', ''),
    );
    expect(out).toContain('HTTPSEdgeRoute/shop:home');
  });

  test('reaches all that a wildcard or labels mean, and only those', async () => {
    const add = '{op: add, path: /spec/description, value: Patched}';
    const all = await planned('{kind: HTTPSEdgeRoute, name: "shop:*"}', add, nested);
    expect(all.out.match(/Patched/g)).toHaveLength(1);
    const web = await planned('{kind: HTTPSEdge, labels: {team: web}}', add, nested);
    expect(web.out.match(/Patched/g)).toHaveLength(1);
    const other = await planned('{kind: HTTPSEdge, labels: {team: other}}', add, nested);
    expect([other.code, other.err]).toEqual([
      8,
      expect.stringContaining('no manifest matches the patch target HTTPSEdge/* with the labels team=other'),
    ]);
  });

  test.each([
    ['HttpsEdge', 'hint: did you mean `HTTPSEdge`?'],
    ['edge', 'hint: known kinds: HTTPSEdge, '],
  ])('of the kind %s gets a hint to the kinds that there are', async (kind, hint) => {
    const { code, err } = await planned(`{kind: ${kind}, name: shop}`, '{op: remove, path: /spec/hostports}', nested);
    expect([code, err]).toEqual([8, expect.stringContaining(hint)]);
  });

  test('means by a name with * the resource that has this very name, wherever it is written', async () => {
    const add = '{op: add, path: /spec/description, value: Patched}';
    const routes = ['*.example.com/x', 'a.example.com/x'].map(
      (match) => `    - {match_type: path_prefix, match: "${match}", backend: {backend_id: bkd_1}}`,
    );
    const edge = (name: string, route = '') => `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: ${name}}
spec:
  hostports: [${name}.example.com:443]
  routes:
${route}
`;
    const exact = await planned(
      '{kind: HTTPSEdgeRoute, name: "shop:*.example.com/x"}',
      add,
      edge('shop', routes.join('\n')),
    );
    expect(exact.out.match(/Patched/g)).toHaveLength(1);
    const last = await planned(
      '{kind: HTTPSEdgeRoute, name: "*:*.example.com/x"}',
      add,
      [edge('mall', routes[1]), edge('shop', routes[1])].join('---\n'),
    );
    expect(last.out.match(/Patched/g)).toHaveLength(2);
  });

  test('can remove several entries of one edge', async () => {
    const two = nested.replace(
      '    - {name: front',
      '    - {name: old-1, match_type: path_prefix, match: /1}\n    - {name: old-2, match_type: path_prefix, match: /2}\n    - {name: front',
    );
    const { out } = await planned('{kind: HTTPSEdgeRoute, name: "shop:old-*"}', '{op: remove, path: /spec}', two);
    expect(out).toContain('HTTPSEdgeRoute/shop:front');
    expect(out).not.toContain('old-');
  });

  test.each([
    '{op: replace, path: /spec, value: {match_type: path_prefix, match: /new}}',
    '{op: add, path: /metadata, value: {labels: {team: web}}}',
    '{op: remove, path: /metadata}',
  ])('cannot take the name and lifecycle of a route inside its edge along: %s', async (operation) => {
    const { code, err } = await planned('{kind: HTTPSEdgeRoute, name: "shop:front"}', operation, nested);
    expect([code, err]).toEqual([8, expect.stringContaining('error[PATCH_FAILED] sluice.yaml:')]);
    expect(err).toContain('HTTPSEdgeRoute/shop:front: the patch replaces `spec` or `metadata` of a resource that');
  });
});
