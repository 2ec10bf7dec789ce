import { expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import { Ref, type SpecObject } from '../../../src/kinds/value.ts';
import { dependenciesOf } from '../../../src/watch/decide/resource-dependencies.ts';

// What ids stand for in this account.
const addressOfId = new Map([
  ['edghts_shop', 'HTTPSEdge/shop'],
  ['ca_old', 'CertificateAuthority/old'],
  ['ca_new', 'CertificateAuthority/new'],
]);

/** What a resource depends on, from what manifests want of it and what the account has of it. */
function dependencies(
  kind: string,
  wanted: SpecObject | undefined,
  there?: SpecObject,
  parent?: string,
  isChanging = true,
) {
  const desired = wanted && { kind, spec: wanted };
  const actual = there && { kind, id: 'own', spec: there, computed: {}, ...(parent === undefined ? {} : { parent }) };
  return dependenciesOf({ desired, actual, isChanging } as never, addressOfId, kinds);
}

const trusting = (...ids: readonly (string | Ref)[]): SpecObject => ({
  mutual_tls: { certificate_authority_ids: ids },
});

test('a resource without a change depends on what it lives in and on what its manifest refers to', () => {
  const route = { edge_id: new Ref('HTTPSEdge/shop'), backend: { backend_id: 'bkd_1' } };
  expect(dependencies('HTTPSEdgeRoute', route, route, 'edghts_shop', false)).toEqual({ dependsOn: ['HTTPSEdge/shop'] });
  expect(dependencies('HTTPSEdge', trusting(new Ref('CertificateAuthority/new')), {}, undefined, false)).toEqual({
    dependsOn: ['CertificateAuthority/new'],
  });
});

test('a change that refers to another resource than before adds one dependency and removes one', () => {
  const wanted = trusting(new Ref('CertificateAuthority/new'));
  expect(dependencies('HTTPSEdge', wanted, trusting('ca_old'))).toEqual({
    dependsOn: ['CertificateAuthority/new', 'CertificateAuthority/old'],
    addedDependencies: ['CertificateAuthority/new'],
    removedDependencies: ['CertificateAuthority/old'],
  });
});

test('a reference to what the account has already by its id is no change of dependencies', () => {
  const wanted = trusting(new Ref('CertificateAuthority/new'));
  expect(dependencies('HTTPSEdge', wanted, trusting('ca_new'))).toEqual({ dependsOn: ['CertificateAuthority/new'] });
  expect(dependencies('HTTPSEdge', trusting('ca_new'), trusting('ca_old'))).toMatchObject({
    addedDependencies: ['CertificateAuthority/new'],
    removedDependencies: ['CertificateAuthority/old'],
  });
});

test('of a value that is taken from another resource, only a new resource gets a new dependency: the account shows the value alone', () => {
  const wanted = { description: new Ref('ReservedAddr/mqtt', 'addr') };
  expect(dependencies('HTTPSEdge', wanted)).toEqual({
    dependsOn: ['ReservedAddr/mqtt'],
    addedDependencies: ['ReservedAddr/mqtt'],
  });
  expect(dependencies('HTTPSEdge', wanted, { description: '1.tcp.example.com:20001' })).toEqual({
    dependsOn: ['ReservedAddr/mqtt'],
  });
});

test('what is deleted depends on what it referred to until it is gone', () => {
  expect(dependencies('HTTPSEdge', undefined, trusting('ca_old'))).toEqual({
    dependsOn: ['CertificateAuthority/old'],
    removedDependencies: ['CertificateAuthority/old'],
  });
});
