import { fieldPath } from '../../diagnostics/field-path.ts';
import { isUnset } from '../../kinds/checks.ts';
import { namedFieldsWhere } from '../../kinds/named-fields.ts';
import type { Fields, Profile } from '../../kinds/kind.ts';
import type { SpecObject } from '../../kinds/value.ts';
import { emptyList } from '../../model/empty.ts';
import { mayUse } from '../wire/operations.ts';
import type { Finding } from './check-spec.ts';

const completedFields = namedFieldsWhere(({ since, lifecycle }) => since === 'completed' && lifecycle !== 'computed');

/** The fields of a resource that a profile cannot write, by name. */
export function unsupportedNames(fields: Fields, profile: Profile): readonly string[] {
  return mayUse(profile, 'completed') ? emptyList : completedFields(fields).map(({ name }) => name);
}

/** The fields that a spec sets and a profile cannot write: the service would refuse the request, whatever it has done before. */
export function unsupportedFields(fields: Fields, spec: SpecObject, profile: Profile, root: string): Finding[] {
  return unsupportedNames(fields, profile)
    .filter((name) => !isUnset(spec[name]))
    .map((name) => ({
      code: 'UNSUPPORTED_CHANGE',
      since: 'described',
      path: [name],
      message: `the API profile ${profile} does not support setting \`${fieldPath(root, [name])}\``,
      hint: 'remove the field, or set api.profile: completed if the service supports it',
    }));
}
