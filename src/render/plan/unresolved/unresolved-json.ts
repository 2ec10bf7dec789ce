import type { UnresolvedCreation } from '../../../model/unresolved.ts';
import type { PlanJson } from '../plan-json-schema.ts';

/** Creations of earlier runs that only a person can resolve, as values for JSON. */
export function unresolvedJson(unresolved: readonly UnresolvedCreation[]): PlanJson['unresolved_creations'] {
  return unresolved.map(({ address, kind, parent }) => ({
    address,
    type: kind,
    ...(parent === undefined ? {} : { parent }),
  }));
}
