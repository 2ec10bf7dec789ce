import { isDeepStrictEqual } from 'node:util';
import { normalize } from '../derive/canonical.ts';
import { pointerNames } from '../derive/pointer.ts';
import type { Field, Fields } from '../kinds/kind.ts';
import { isSpecObject } from '../kinds/value.ts';
import type { UnmanagedFields } from '../model/plan/plan.ts';
import type { StateObject, StateValue } from '../model/state.ts';

/** What decides which value of an unmanaged field is recorded. All specs are in the form of state. */
export interface UnmanagedValues {
  readonly fields: Fields;
  /** The fields that the plan leaves to the service. */
  readonly unmanaged: UnmanagedFields;
  /** What the requests of this run have written. */
  readonly sent: () => StateObject;
  /** What was recorded before. */
  readonly before: StateObject | undefined;
}

/**
 * The spec as applied: an unmanaged field has the desired value only if a request has sent it, and otherwise the value that
 * was sent last. Else a value that was never sent would count as applied once the field is managed again, and a value that
 * was sent as somebody else's.
 */
export function recordedSpec(desired: StateObject, { fields, unmanaged, sent, before }: UnmanagedValues): StateObject {
  return Object.entries(unmanaged).reduce((spec, [pointer, reason]) => {
    const path = pathOf(pointer, fields);
    const [now, then] = [valueAt(spec, path), valueAt(before, path)];
    if (isDeepStrictEqual(now, then)) return spec;
    const was = valueAt(sent(), path);
    // A field that the manifest does not set either is sluice's own only as long as `lifecycle.ignore` lists it.
    const isRecorded = was === undefined ? now === undefined && reason !== 'ignored' : isDeepStrictEqual(now, was);
    return isRecorded ? spec : withValue(spec, path, then);
  }, desired);
}

/** One name of a path, and whether a key is another spelling of it. */
interface Part {
  readonly name: string;
  readonly isSame: (key: string) => boolean;
}

function pathOf(pointer: string, fields: Fields): readonly Part[] {
  const path: Part[] = [];
  let inside: Field | undefined;
  for (const name of pointerNames(pointer)) {
    const key = inside?.is === 'dict' ? inside.key : undefined;
    const spelled = key === undefined ? name : normalize(key, name);
    path.push({
      name,
      isSame: key === undefined ? (other) => other === name : (other) => normalize(key, other) === spelled,
    });
    inside =
      path.length === 1
        ? fields[name]
        : inside?.is === 'group'
          ? inside.fields[name]
          : inside?.is === 'dict'
            ? inside.of
            : undefined;
  }
  return path;
}

function valueAt(value: StateValue | undefined, path: readonly Part[]): StateValue | undefined {
  return path.reduce<StateValue | undefined>((at, part) => (isSpecObject(at) ? at[keyIn(at, part)] : undefined), value);
}

function keyIn(object: StateObject, { name, isSame }: Part): string {
  return Object.hasOwn(object, name) ? name : (Object.keys(object).find(isSame) ?? name);
}

/** A spec with another value at a path, or without the value. */
function withValue(spec: StateObject, [part, ...rest]: readonly Part[], value: StateValue | undefined): StateObject {
  if (part === undefined) return spec;
  const name = keyIn(spec, part);
  const { [name]: inner, ...others } = spec;
  if (rest.length === 0)
    // In its place: an entry that says the same is the same text.
    return value === undefined ? others : { ...spec, [name]: value };
  if (isSpecObject(inner)) return { ...spec, [name]: withValue(inner, rest, value) };
  return value === undefined ? spec : { ...spec, [name]: withValue({}, rest, value) };
}
