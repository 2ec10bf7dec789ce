import type { Field, Fields } from '../../kinds/kind.ts';
import { isSpecObject, type SpecObject } from '../../kinds/value.ts';
import type { StateObject, StateValue } from '../../model/state.ts';
import { isAtOrBelow, pointerOf } from '../pointer.ts';
import { resolveRefs } from '../references.ts';
import { toState } from './to-state.ts';

/** What the comparison of a manifest with what was last applied needs beside both. */
export interface AsAppliedOptions {
  /** The id of another resource of the stack, as state has it. */
  readonly idOf: (address: string) => string | undefined;
  readonly digest: (text: string) => string;
  /** Pointers of fields that the manifest leaves to the service. */
  readonly ignore: readonly string[];
}

/** Whether a manifest says what was last applied, as far as state can tell: values of other resources and times that depend on the apply are not compared. */
export function isAsApplied(
  fields: Fields,
  desired: SpecObject,
  applied: StateObject,
  { idOf, digest, ignore }: AsAppliedOptions,
): boolean {
  const wanted = toState(fields, resolveRefs(desired, idOf), digest);
  return sameGroup((name) => fields[name], wanted, applied, '');

  function sameGroup(
    fieldAt: (name: string) => Field | undefined,
    a: StateObject,
    b: StateObject,
    at: string,
  ): boolean {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) =>
      same(fieldAt(name), a[name], b[name], at + pointerOf([name])),
    );
  }

  function same(field: Field | undefined, a: StateValue | undefined, b: StateValue | undefined, at: string): boolean {
    if (isAtOrBelow(at, ignore) || isOfAnother(a) || (field?.is === 'leaf' && field.defaultsToTime === true))
      return true;
    if (!isSpecObject(a) || !isSpecObject(b)) return JSON.stringify(a) === JSON.stringify(b);
    const of = field?.is === 'dict' ? field.of : undefined;
    return sameGroup((name) => (field?.is === 'group' ? field.fields[name] : of), a, b, at);
  }
}

/** A value of another resource, which is known only once that is there. */
function isOfAnother(value: StateValue | undefined): boolean {
  return isSpecObject(value) && ('ref' in value || 'output' in value);
}
