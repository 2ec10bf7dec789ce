import { isDeepStrictEqual } from 'node:util';
import type { Fields } from '../kinds/kind.ts';
import { isSpecObject } from '../kinds/value.ts';
import type { StateObject } from '../model/state.ts';

/**
 * A spec in state without the secrets that a request changes; the spec itself if the request changes none. While the request
 * is under way, and where its outcome stays unknown, nobody can read which of two secrets the service has: no record of
 * either means that the next apply sends the desired one.
 */
export function withoutChangedSecrets(fields: Fields, spec: StateObject, sent: StateObject): StateObject {
  let kept = spec;
  for (const [name, value] of Object.entries(sent)) {
    const [field, before] = [fields[name], spec[name]];
    if (field?.is === 'group' && isSpecObject(before) && isSpecObject(value)) {
      const inner = withoutChangedSecrets(field.fields, before, value);
      if (inner !== before) kept = { ...kept, [name]: inner };
    } else if (field?.is === 'leaf' && field.secret === true && !isDeepStrictEqual(before, value)) {
      const { [name]: _, ...others } = kept;
      kept = others;
    }
  }
  return kept;
}
