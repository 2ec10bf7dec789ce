import { expect, test } from 'vitest';
import { unusableIds } from '../../../src/derive/check/unusable-ids.ts';
import { kinds } from '../../../src/kinds/index.ts';
import { Ref, type SpecObject } from '../../../src/kinds/value.ts';
import { views } from '../../../src/kinds/views.ts';

const found = (kind: string, spec: SpecObject): string[] =>
  unusableIds(kinds.named(kind)!, spec, [...kinds.all, ...views]).map(
    ({ path, message }) => `/${path.join('/')}: ${message}`,
  );

test('an id of another family is found in every field that holds one', () => {
  expect(
    found('HTTPSEdgeRoute', {
      edge_id: 'edghts_1',
      backend: { backend_id: 'ra_1' },
      ip_restriction: { ip_policy_ids: ['ipp_1', 'ts_1'] },
    }),
  ).toEqual([
    '/backend/backend_id: `backend.backend_id` requires the id of a resource of type backend, but ra_1 is the id of a resource of type ReservedAddr',
    '/ip_restriction/ip_policy_ids/1: `ip_restriction.ip_policy_ids[1]` requires the id of a resource of type ip policy, but ts_1 is the id of a resource of type TunnelSession',
  ]);
  expect(found('HTTPSEdge', { mutual_tls: { certificate_authority_ids: ['edghts_1'] } })).toHaveLength(1);
});

test('ids of the right family, of families that this API does not have, and references by name are left alone', () => {
  const spec = { mutual_tls: { certificate_authority_ids: ['ca_1', new Ref('CertificateAuthority/office')] } };
  expect(found('HTTPSEdge', spec)).toEqual([]);
  expect(found('HTTPSEdgeRoute', { edge_id: 'edghts_1', backend: { backend_id: 'edghtsx_1' } })).toEqual([]);
});
