import { Ref, Secret } from '../../src/kinds/value.ts';
import type { Change, FieldChange, Plan } from '../../src/model/plan/plan.ts';

/** A change with nothing to say but what is given. */
export function change(facts: Partial<Change> & Pick<Change, 'address' | 'action'>): Change {
  return {
    kind: facts.address.slice(0, facts.address.indexOf('/')),
    fields: [],
    why: [],
    shows: {},
    markerOnly: false,
    protect: false,
    retain: false,
    unmanagedFields: {},
    unverified: [],
    ...facts,
  };
}

/** A field that somebody changed in its manifest. */
export function field(path: string, before: FieldChange['before'], after: FieldChange['after']): FieldChange {
  return { path: path.split('.'), before, after, reason: 'changed', immutable: false, secret: false };
}

/** A plan of the company for the changes given. */
export function planOf(changes: readonly Change[], facts: Partial<Plan> = {}): Plan {
  return {
    stack: { name: 'company', id: '5c1e7a90' },
    profile: 'completed',
    changes,
    steps: [],
    files: [],
    hazards: [],
    diagnostics: [],
    unresolved: [],
    publicByPolicy: [],
    exposureChanges: [],
    lastAccess: { remember: {}, forget: [] },
    resolvedCreations: [],
    complete: true,
    ...facts,
  };
}

/** The shop with a restricted route, made anew: an id not known yet and a secret. */
export const newShop: Plan = planOf(
  [
    change({
      address: 'HTTPSEdge/shop',
      action: 'create',
      place: { file: 'manifests/shop.yaml', line: 4, col: 1 },
      desired: { hostports: ['shop.example.com:443'], description: 'Public shop' },
      shows: { hostports: ['shop.example.com:443'] },
    }),
    change({
      address: 'HTTPSEdgeRoute/shop:console',
      action: 'create',
      place: { file: 'manifests/shop.yaml', line: 9, col: 7 },
      desired: {
        edge_id: new Ref('HTTPSEdge/shop'),
        match_type: 'path_prefix',
        match: '/console',
        compression: {},
        oauth: { provider: { github: { client_id: 'shop', client_secret: new Secret('hunter2') } } },
      },
    }),
  ],
  {
    steps: [
      {
        id: 'HTTPSEdge/shop create',
        address: 'HTTPSEdge/shop',
        role: 'create',
        request: {
          method: 'POST',
          path: ['/edges/https'],
          body: { hostports: ['shop.example.com:443'], description: 'Public shop' },
          marker: { field: 'metadata', marker: { s: 'company/5c1e7a90', a: 'HTTPSEdge/shop', p: '', n: '' } },
        },
        dependsOn: [],
      },
      {
        id: 'HTTPSEdgeRoute/shop:console create',
        address: 'HTTPSEdgeRoute/shop:console',
        role: 'create',
        request: {
          method: 'POST',
          path: ['/edges/https', '/', { idOf: 'HTTPSEdge/shop' }, '/routes'],
          body: {
            match: '/console',
            oauth: { provider: { github: { client_id: 'shop', client_secret: new Secret('hunter2') } } },
          },
        },
        dependsOn: [{ step: 'HTTPSEdge/shop create', reason: 'it lives there' }],
      },
    ],
  },
);
