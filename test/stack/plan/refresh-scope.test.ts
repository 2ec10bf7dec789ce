import { expect, test } from 'vitest';
import { Ref } from '../../../src/kinds/value.ts';
import type { Desired } from '../../../src/model/resource.ts';
import { refreshScope } from '../../../src/stack/plan/refresh-stack.ts';

const resource = (address: string, more: object): Desired =>
  ({ address, kind: address.split('/')[0], spec: {}, lifecycle: {}, ...more }) as unknown as Desired;

const resources = [
  resource('HTTPSEdge/shop', {
    spec: { mutual_tls: { certificate_authority_ids: [new Ref('CertificateAuthority/ops')] } },
  }),
  resource('ReservedAddr/old', { lifecycle: { adopt: 'ra_1' } }),
  resource('HTTPSEdgeRoute/there:/', { spec: { edge_id: 'edghts_1' }, lifecycle: { adopt: 'edghtsrt_1' } }),
  resource('HTTPSEdgeRoute/shop:/', {
    spec: { edge_id: new Ref('HTTPSEdge/shop') },
    lifecycle: { adopt: 'edghtsrt_2' },
  }),
];
const stack = (given: readonly Desired[]) =>
  ({ desired: { resources: given, diagnostics: [] }, described: given.map(({ address }) => address) }) as never;

test('what is read is what manifests define, refer to and adopt; what is nested by its parent, where that is an id', () => {
  expect(refreshScope(stack(resources), {})).toEqual({
    addresses: resources.map(({ address }) => address),
    wanted: new Set(['HTTPSEdge', 'ReservedAddr', 'HTTPSEdgeRoute', 'CertificateAuthority']),
    formerly: [],
    adopt: [
      { kind: 'ReservedAddr', id: 'ra_1' },
      { kind: 'HTTPSEdgeRoute', id: 'edghtsrt_1', parent: 'edghts_1' },
      { kind: 'HTTPSEdgeRoute', id: 'edghtsrt_2' },
    ],
    parents: [{ kind: 'HTTPSEdge', id: 'edghts_1' }],
  });
});

test('what is compared is read as well, but adopts nothing', () => {
  const [edge, address] = [
    resource('HTTPSEdge/shop', {}),
    resource('ReservedAddr/a', { lifecycle: { adopt: 'ra_1' } }),
  ];
  const scope = refreshScope({ ...(stack([edge]) as object), compared: [stack([address])] } as never, {
    renameFrom: 'old',
  });
  expect(scope).toEqual({
    addresses: ['HTTPSEdge/shop', 'ReservedAddr/a'],
    renameFrom: 'old',
    wanted: new Set(['HTTPSEdge', 'ReservedAddr']),
    formerly: [],
    adopt: [],
    parents: [],
  });
});
