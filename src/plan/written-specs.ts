import { isMask } from '../derive/mask.ts';
import { isAtOrBelow, pointerOf } from '../derive/pointer.ts';
import { wholeGroup } from '../derive/wire/whole-group.ts';
import type { Group } from '../kinds/kind.ts';
import { isSpecObject, Secret, type Path, type SpecObject } from '../kinds/value.ts';
import { type UnmanagedFields, isReplacement } from '../model/plan/plan.ts';
import type { Decision } from './decide.ts';

/** A module as it is written: whole, with the actual value of what is held in it (decisions/0034). */
export function moduleToWrite({ pair, compared }: Decision, name: string, field: Group, want: SpecObject): SpecObject {
  const actual = pair.actual?.spec[name];
  return wholeGroup(field, want, isSpecObject(actual) ? actual : undefined, [name], compared.unmanagedFields);
}

/** The spec that a change leaves behind: as wanted, but for what is held. */
export function specAfter(decision: Decision): SpecObject {
  const { pair, action, spec, compared } = decision;
  if (pair.actual === undefined || isReplacement(action)) return replacementSpec(decision);
  return wholeGroup(pair.kind, spec, pair.actual.spec, [], compared.unmanagedFields);
}

/** The spec with which a new instance is created: the desired one, and for a replacement also the unmanaged fields of the old instance. */
export function replacementSpec({ pair, spec, compared }: Decision): SpecObject {
  return pair.actual === undefined
    ? spec
    : wholeGroup(pair.kind, spec, pair.actual.spec, [], carriedOverFields(pair.kind.fields, compared.unmanagedFields));
}

/** A secret that `lifecycle.ignore` leaves to the service, and that the service does not return. */
export interface IgnoredSecret {
  readonly pointer: string;
  /** The request contains the secret of the manifest; false: the manifest does not set it either. */
  readonly isSent: boolean;
}

/** The ignored secrets of a module that is written all the same, where nobody can tell what the service has. */
export function ignoredSecrets(decision: Decision, name: string, field: Group, written: SpecObject): IgnoredSecret[] {
  const actual = decision.pair.actual?.spec[name];
  const pointers = Object.keys(decision.compared.unmanagedFields);
  return [...ignoredIn(field, written, isSpecObject(actual) ? actual : {}, [name], pointers)];
}

/** The unmanaged fields that a replacement keeps: not a default that depends on the time of creation, and no field that the profile cannot write. */
export function carriedOverFields(fields: Group['fields'], held: UnmanagedFields): UnmanagedFields {
  return Object.fromEntries(
    Object.entries(held).filter(([pointer, reason]) => {
      if (reason === 'not-in-profile') return false;
      const field = fields[pointer.slice(1)];
      return field?.is !== 'leaf' || field.defaultsToTime !== true;
    }),
  );
}

function* ignoredIn(
  group: Group,
  written: SpecObject,
  actual: SpecObject,
  path: Path,
  pointers: readonly string[],
): Generator<IgnoredSecret> {
  for (const [name, field] of Object.entries(group.fields)) {
    const inner = [...path, name];
    const [value, has] = [written[name], actual[name]];
    if (field.is === 'group' && isSpecObject(value))
      yield* ignoredIn(field, value, isSpecObject(has) ? has : {}, inner, pointers);
    const pointer = pointerOf(inner);
    if (field.is !== 'leaf' || field.secret !== true || !isAtOrBelow(pointer, pointers)) continue;
    const isHidden = has instanceof Secret && isMask(has.reveal());
    const isNeeded = field.required !== undefined || group.rules.some((rule) => rule.check(written).length > 0);
    const isSent = value instanceof Secret;
    if (isSent ? value !== has : isHidden || isNeeded) yield { pointer, isSent };
  }
}
