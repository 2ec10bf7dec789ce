import { isDeepStrictEqual } from 'node:util';
import { isSpecObject } from '../kinds/value.ts';
import type { StateObject, StateValue } from '../model/state.ts';

/** What decides which value of an unmanaged field is recorded. All specs are in the form of state. */
export interface UnmanagedValues {
  /** Pointers of fields that the plan leaves to the service. */
  readonly pointers: readonly string[];
  /** What the requests of this run have written. */
  readonly sent: () => StateObject;
  /** What was recorded before. */
  readonly before: StateObject | undefined;
}

/**
 * The spec as applied: an unmanaged field has the desired value only if a request has sent it, and otherwise the value that
 * was sent last. Else a value that was never sent would count as applied once the field is managed again.
 */
export function recordedSpec(desired: StateObject, { pointers, sent, before }: UnmanagedValues): StateObject {
  return pointers.reduce((spec, pointer) => {
    const path = pathOf(pointer);
    const [now, then] = [valueAt(spec, path), valueAt(before, path)];
    const isRecorded = isDeepStrictEqual(now, then) || isDeepStrictEqual(now, valueAt(sent(), path));
    return isRecorded ? spec : withValue(spec, path, then);
  }, desired);
}

function pathOf(pointer: string): readonly string[] {
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueAt(value: StateValue | undefined, path: readonly string[]): StateValue | undefined {
  return path.reduce<StateValue | undefined>((at, name) => (isSpecObject(at) ? at[name] : undefined), value);
}

/** A spec with another value at a path, or without the value; unchanged where the path leads nowhere. */
function withValue(spec: StateObject, [name, ...rest]: readonly string[], value: StateValue | undefined): StateObject {
  if (name === undefined) return spec;
  const { [name]: inner, ...others } = spec;
  if (rest.length > 0) return isSpecObject(inner) ? { ...spec, [name]: withValue(inner, rest, value) } : spec;
  // In its place: an entry that says the same is the same text.
  return value === undefined ? others : { ...spec, [name]: value };
}
