import { expect, test } from 'vitest';
import { reportOf } from '../support/manifests.ts';

const route = (backend: string) => `apiVersion: sluice/v1
kind: ModuleSet
metadata: {name: office}
spec:
  ip_restriction: {ip_policy_ids: [edghts_1]}
---
apiVersion: sluice/v1
kind: External
metadata: {name: shop}
spec: {type: backend, id: edghtsrt_1}
---
apiVersion: sluice/v1
kind: HTTPSEdgeRoute
spec:
  edge_id: edghts_1
  match_type: path_prefix
  match: /
  module_sets: [office]
  backend: {backend_id: ${backend}}
`;

test.each(['edghtsrt_1', '{ref: shop}'])(
  'an id of another family is an error before the first request, also in a module set and behind a name: %s',
  async (backend) => {
    const reported = await reportOf(route(backend));
    expect(reported.match(/ID_OF_OTHER_KIND/g)).toHaveLength(2);
    expect(reported).toContain('edghtsrt_1 is the id of a resource of type HTTPSEdgeRoute');
    expect(reported).toContain(
      '`ModuleSet.spec.ip_restriction.ip_policy_ids[0]` requires the id of a resource of type ip policy',
    );
  },
);
