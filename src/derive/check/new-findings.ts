import type { Kind } from '../../kinds/kind.ts';
import { UnavailableValue, type SpecObject } from '../../kinds/value.ts';
import { valueAt } from '../value-at.ts';
import { checkSpec, type Finding } from './check-spec.ts';

/** What a spec does not keep now that values of other resources are in place, beside what it did not keep before. */
export function newFindings(kind: Kind, before: SpecObject, after: SpecObject): readonly Finding[] {
  const root = `${kind.name}.spec`;
  const known = new Set(checkSpec(kind, before, { root }).map(keyOf));
  return checkSpec(kind, after, { root }).filter(
    (finding) => !known.has(keyOf(finding)) && !(valueAt(after, finding.path) instanceof UnavailableValue),
  );
}

function keyOf({ code, path, message }: Finding): string {
  return JSON.stringify([code, path, message]);
}
