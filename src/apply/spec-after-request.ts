import { isDeepStrictEqual } from 'node:util';
import { isAtOrBelow, pointerOf } from '../derive/pointer.ts';
import type { Fields } from '../kinds/kind.ts';
import { isSpecObject, type SpecObject } from '../kinds/value.ts';
import type { Change, Step } from '../model/plan/plan.ts';
import type { StateObject } from '../model/state.ts';

/** What a request writes, by field of the resource: the values of its body, or for a PUT the module that its path names. */
export function sentFields({ request: { method, path, body = {} } }: Step): SpecObject {
  if (method !== 'PUT') return body;
  const last = path.at(-1);
  const module = typeof last === 'string' ? last.split('/').at(-1) : undefined;
  return module === undefined ? {} : { [module]: body };
}

/**
 * A spec in state after one of several requests of a change; `sent` is what the request writes, and `module` what it writes or
 * removes alone. Without this record, what a run that ends in between has done would count as drift. Of what is unmanaged,
 * state keeps what was sent last.
 */
export function specAfterRequest(
  spec: StateObject,
  { request }: Pick<Step, 'request'>,
  { unmanagedFields }: Pick<Change, 'unmanagedFields'>,
  module: string | undefined,
  sent: StateObject,
): StateObject {
  const isManaged = (name: string): boolean =>
    !Object.keys(unmanagedFields).some((pointer) => isAtOrBelow(pointer, [pointerOf([name])]));
  if (module === undefined || request.method !== 'DELETE')
    return { ...spec, ...Object.fromEntries(Object.entries(sent).filter(([name]) => isManaged(name))) };
  if (!Object.hasOwn(spec, module) || !isManaged(module)) return spec;
  const { [module]: _, ...others } = spec;
  return others;
}

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
