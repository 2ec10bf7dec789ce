import { expect, test } from 'vitest';
import {
  externalFamilies,
  familiesIn,
  idsIn,
  refsIn,
  replaceFieldRefs,
  resolveRefs,
} from '../../src/derive/references.ts';
import { externalTypes, kinds } from '../../src/kinds/index.ts';
import type { Field } from '../../src/kinds/kind.ts';
import { Ref, Secret } from '../../src/kinds/value.ts';

const edge = kinds.named('HTTPSEdge')!;
const route = kinds.named('HTTPSEdgeRoute')!;

test('refsIn finds every address that a spec refers to, however deep', () => {
  const spec = {
    description: 'ref: none',
    mutual_tls: {
      certificate_authority_ids: ['ca_1', new Ref('CertificateAuthority/a'), new Ref('CertificateAuthority/b')],
    },
    secret: new Secret('External/no'),
  };
  expect(refsIn(spec)).toEqual(['CertificateAuthority/a', 'CertificateAuthority/b']);
  expect(refsIn(undefined)).toEqual([]);
});

test('idsIn finds every id that an actual spec holds, and of what kind it is', () => {
  expect(idsIn(edge, { hostports: ['a:1'], mutual_tls: { certificate_authority_ids: ['ca_1', 'ca_2'] } })).toEqual([
    { path: ['mutual_tls', 'certificate_authority_ids', 0], to: 'CertificateAuthority', id: 'ca_1' },
    { path: ['mutual_tls', 'certificate_authority_ids', 1], to: 'CertificateAuthority', id: 'ca_2' },
  ]);
  const spec = {
    edge_id: 'edghts_1',
    backend: { backend_id: 'bkd_1' },
    request_headers: { add: { a: 'b' } },
    oauth: null,
  };
  expect(idsIn(route, spec).map(({ to, id }) => `${to} ${id}`)).toEqual(['HTTPSEdge edghts_1', 'backend bkd_1']);
});

test('idsIn passes over what is not known yet or of the wrong shape', () => {
  const spec = { edge_id: new Ref('HTTPSEdge/shop'), ip_restriction: { ip_policy_ids: 'ipp_1' }, backend: 'bkd_1' };
  expect(idsIn(route, spec)).toEqual([]);
});

test('resolveRefs puts ids in the place of addresses that are known, and leaves the rest', () => {
  const secret = new Secret('s3cret');
  const spec = { a: new Ref('A/known'), list: [new Ref('A/known'), new Ref('A/new')], secret, none: null };
  const resolved = resolveRefs(spec, (address) => (address === 'A/known' ? 'id_1' : undefined));
  expect(resolved).toEqual({ a: 'id_1', list: ['id_1', new Ref('A/new')], secret, none: null });
  expect(resolved.secret).toBe(secret);
});

test('replaceFieldRefs puts values in the place of references to fields, and leaves references to resources', () => {
  const spec = { region: new Ref('ReservedAddr/db', 'region'), ids: [new Ref('A/x'), new Ref('A/x', 'id')], on: true };
  expect(replaceFieldRefs(spec, ({ to, field }, path) => `${to} ${field} at ${path.join('/')}`)).toEqual({
    region: 'ReservedAddr/db region at region',
    ids: [new Ref('A/x'), 'A/x id at ids/1'],
    on: true,
  });
});

test('the families that an External may name are those that kinds refer to and that are no kind', () => {
  expect(externalFamilies(kinds)).toEqual([...externalTypes].sort());
});

test('familiesIn lists what the fields refer to that a manifest writes, and not what only the service sets', () => {
  const { edge_id } = route.fields as Record<string, Field>;
  expect(familiesIn({ edge_id: edge_id! })).toEqual(['HTTPSEdge']);
  expect(familiesIn({ edge_id: { ...edge_id!, lifecycle: 'computed' } })).toEqual([]);
});
