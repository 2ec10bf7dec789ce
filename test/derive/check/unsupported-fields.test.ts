import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { unsupportedFields } from '../../../src/derive/check/unsupported-fields.ts';
import { kinds } from '../../../src/kinds/index.ts';
import type { Field, Fields, Kind, Profile } from '../../../src/kinds/kind.ts';
import type { Path, SpecObject } from '../../../src/kinds/value.ts';
import { Refusal } from '../../../src/emulator/answer.ts';
import { specOf } from '../../../src/emulator/forms/write-form.ts';

/** Every field that may be written, with a body that sets it alone, to something of a wrong type: a field that is known is refused for its type. */
function* bodies(fields: Fields, path: Path = []): Generator<{ readonly path: Path; readonly body: SpecObject }> {
  for (const [name, field] of Object.entries(fields)) {
    if (field.lifecycle === 'computed') continue;
    yield { path: [...path, name], body: { [name]: field.is === 'leaf' ? {} : 'none' } };
    for (const inner of bodies(fieldsIn(field), [...path, name]))
      yield { ...inner, body: { [name]: field.is === 'list' ? [inner.body] : inner.body } };
  }
}

function fieldsIn(field: Field): Fields {
  if (field.is === 'group') return field.fields;
  return field.is === 'list' && field.of.is === 'group' ? field.of.fields : {};
}

/** The code with which the emulator refuses a body: on a create, and on an update. */
function refusals(kind: Kind, body: SpecObject, profile: Profile): unknown[] {
  return [undefined, {}].map((before) => {
    try {
      specOf(kind, body, profile, before);
      return undefined;
    } catch (error) {
      return error instanceof Refusal ? error.code : error;
    }
  });
}

describe.each(['completed', 'documented'] as const)('under the profile %s', (profile) => {
  test.each(kinds.all)(
    'exactly the fields of $name that the service does not know are refused before it is asked',
    (kind) => {
      const [unknown, refused]: [string[], string[]] = [[], []];
      for (const { path, body } of bodies(kind.fields)) {
        if (path[0] === kind.within?.by) continue;
        if (refusals(kind, body, profile).every((code) => code === 'UNKNOWN_FIELD')) unknown.push(path.join('/'));
        const findings = unsupportedFields(kind.fields, body, profile, kind.name);
        if (findings.some((finding) => isDeepStrictEqual(finding.path, path))) refused.push(path.join('/'));
      }
      expect(refused).toEqual(unknown);
      const known = profile === 'documented' && kind.name === 'ReservedAddr' ? ['endpoint_configuration_id'] : [];
      expect(unknown).toEqual(known);
    },
  );
});
