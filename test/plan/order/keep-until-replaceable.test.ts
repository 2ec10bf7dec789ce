import { describe, expect, test } from 'vitest';
import { Ref } from '../../../src/kinds/value.ts';
import { backend, graph, order, planOf, to, type Specs } from '../support.ts';

const shop = { hostports: ['shop.example.com:443'] };
const ops = 'CertificateAuthority/ops';
const trusting = { mutual_tls: { certificate_authority_ids: [to(ops)] } };
const ca = (ca_pem: string): Specs => ({ [ops]: { ca_pem } });

describe('what is deleted before it is created again', () => {
  test('stays until all that the new one refers to exists', () => {
    const ours = { ...ca('A'), 'HTTPSEdge/shop': { ...shop, ...trusting } };
    const wanted = { ...ca('B'), 'HTTPSEdge/shop': { ...shop, ...trusting, description: 'Shop' } };
    expect(graph(planOf({ wanted, ours, profile: 'documented' }))).toEqual([
      `${ops} create`,
      `HTTPSEdge/shop delete <- ${ops} create (its replacement requires the id of ${ops})`,
      `HTTPSEdge/shop create <- ${ops} create (requires the id of ${ops}), HTTPSEdge/shop delete (the old resource is deleted first)`,
      `${ops} delete <- ${ops} create (the replacement is created first), HTTPSEdge/shop delete (HTTPSEdge/shop still refers to the resource)`,
    ]);
  });

  test('stays also for what a route refers to that is created again with it', () => {
    const ours = { 'HTTPSEdge/shop': shop, 'HTTPSEdgeRoute/shop:/': backend };
    const wanted = { ...ours, ...ca('A'), 'HTTPSEdgeRoute/shop:/': { ...backend, description: new Ref(ops, 'id') } };
    expect(order(planOf({ wanted, ours, profile: 'documented' }))).toContain(`HTTPSEdge/shop delete <- ${ops} create`);
  });

  test('stays also where only a swap of hostports makes it go first', () => {
    const [a, b] = [{ hostports: ['a.example.com:443'] }, { hostports: ['b.example.com:443'] }];
    const ours = { 'HTTPSEdge/a': a, 'HTTPSEdge/b': b };
    const both = { 'HTTPSEdge/a': { ...b, ...trusting }, 'HTTPSEdge/b': { ...a, ...trusting } };
    expect(order(planOf({ wanted: { ...ca('A'), ...both }, ours, profile: 'documented' }))).toContain(
      `HTTPSEdge/b delete <- ${ops} create`,
    );
  });

  test('is deleted before what takes its hostport is created, even if the new one refers to that', () => {
    const ours = { 'HTTPSEdge/a': { hostports: ['a.example.com:443', 'b.example.com:443'] } };
    const wanted = {
      'HTTPSEdge/a': { hostports: ['a.example.com:443'], description: new Ref('HTTPSEdge/b', 'id') },
      'HTTPSEdge/b': { hostports: ['b.example.com:443'] },
    };
    expect(order(planOf({ wanted, ours, profile: 'documented' }))).toEqual([
      'HTTPSEdge/a delete',
      'HTTPSEdge/b create <- HTTPSEdge/a delete',
      'HTTPSEdge/a create <- HTTPSEdge/a delete, HTTPSEdge/b create',
    ]);
  });
});
