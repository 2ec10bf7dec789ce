import type { Actual, Marker } from './actual.ts';
import type { Entry } from './state.ts';

/** The entry of a resource that only its ownership marker tells of. */
export function markerEntry({ kind, id, parent }: Pick<Actual, 'kind' | 'id' | 'parent'>, { n, p }: Marker): Entry {
  return {
    kind,
    id,
    ...(parent === undefined ? {} : { parent }),
    spec: {},
    protect: p.includes('p'),
    retain: p.includes('r'),
    ...(n === '' ? {} : { nonce: n }),
    rebuilt: true,
  };
}

/** Whether an entry records anything of what was applied. */
export function recordsApplied({ rebuilt, spec }: Entry): boolean {
  return rebuilt !== true || Object.keys(spec).length > 0;
}
