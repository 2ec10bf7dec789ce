import { describe, expect, test } from 'vitest';
import { reportOf } from '../../support/manifests.ts';

const edge = (name: string, from: string): string => `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: ${name}}
lifecycle: {moved_from: ${from}}
spec: {hostports: []}
`;

describe('moved_from', () => {
  test('may name several addresses, the latest first', async () => {
    expect(await reportOf(edge('store', '[HTTPSEdge/market, HTTPSEdge/shop]'))).toBe('');
  });

  test('that goes round is reported with every place', async () => {
    expect(await reportOf([edge('a', 'HTTPSEdge/c'), edge('b', 'HTTPSEdge/a'), edge('c', 'HTTPSEdge/b')].join('---\n')))
      .toMatchInlineSnapshot(`
        "error[INVALID_LIFECYCLE] stack.yaml:1:1: \`moved_from\` forms a cycle: HTTPSEdge/a moved from HTTPSEdge/c moved from HTTPSEdge/b moved from HTTPSEdge/a
            1 | apiVersion: sluice/v1
              | ^^^^^^^^^^
           stack.yaml:13:1: \`moved_from\` of HTTPSEdge/c
           13 | apiVersion: sluice/v1
              | ^^^^^^^^^^
           stack.yaml:7:1: \`moved_from\` of HTTPSEdge/b
            7 | apiVersion: sluice/v1
              | ^^^^^^^^^^
           hint: swap names in two steps: apply with one resource under a temporary name first
        "
      `);
  });

  test('that names itself is reported', async () => {
    expect(await reportOf(edge('a', 'HTTPSEdge/a'))).toMatchInlineSnapshot(`
      "error[INVALID_LIFECYCLE] stack.yaml:1:1: \`moved_from\` is the resource's own address
          1 | apiVersion: sluice/v1
            | ^^^^^^^^^^
         hint: remove \`moved_from\`
      "
    `);
  });

  test('of another kind is an error: nothing changes its kind', async () => {
    expect(await reportOf(edge('a', 'ReservedAddr/a'))).toMatchInlineSnapshot(`
      "error[INVALID_LIFECYCLE] stack.yaml:4:13: \`HTTPSEdge.lifecycle.moved_from\` must be an address of the same kind: a ReservedAddr cannot become a HTTPSEdge
          4 | lifecycle: {moved_from: ReservedAddr/a}
            |             ^^^^^^^^^^
      "
    `);
  });

  test.each(['HTTPSEdgeRoute/shop', 'shop:/old'])('of a route names its edge too: %s', async (from) => {
    const route = `apiVersion: sluice/v1
kind: HTTPSEdgeRoute
metadata: {name: cart}
lifecycle: {moved_from: "${from}"}
spec: {edge_id: edghts_shop, match_type: path_prefix, match: /cart}
`;
    expect(await reportOf(route)).toContain(
      '`HTTPSEdgeRoute.lifecycle.moved_from` must be an address, such as HTTPSEdgeRoute/parent:name, or a list of them',
    );
    expect(await reportOf(route.replace(from, 'HTTPSEdgeRoute/shop:/old'))).toBe('');
  });
});
