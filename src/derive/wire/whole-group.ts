import { namedFields } from '../../kinds/named-fields.ts';
import type { Dict, Field, Group } from '../../kinds/kind.ts';
import { isSpecObject, Secret, type Path, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import { normalize } from '../canonical.ts';
import { isMask } from '../mask.ts';
import { isAtOrBelow, pointerOf } from '../pointer.ts';

/** The value of a module, or of a whole resource, as it must be written: what is wanted, and the actual value of what is held inside (decisions/0034). */
export function wholeGroup(
  group: Pick<Group, 'fields'>,
  desired: SpecObject,
  actual: SpecObject | undefined,
  path: Path,
  held: Readonly<Record<string, string>>,
): SpecObject {
  const pointers = Object.keys(held);
  const written: Record<string, SpecValue> = {};
  for (const { name, field } of namedFields(group.fields)) {
    const want = desired[name] ?? null;
    const has = actual?.[name] ?? null;
    // Most fields of a resource are not set.
    if (field.lifecycle === 'computed' || (want === null && has === null)) continue;
    const inner = [...path, name];
    const isHeld = actual !== undefined && isAtOrBelow(pointerOf(inner), pointers);
    let value = isHeld ? unmanagedValue(field, want, has) : want;
    if (!isHeld && field.is === 'group' && isSpecObject(want))
      value = wholeGroup(field, want, isSpecObject(has) ? has : undefined, inner, held);
    else if (!isHeld && field.is === 'dict' && isSpecObject(has))
      value = wholeDict(field, isSpecObject(want) ? want : {}, has, inner, pointers);
    if (value !== null) written[name] = value;
  }
  return written;
}

/** What is there, but for secrets that cannot be read: of those, what is wanted. */
function unmanagedValue(field: Field, want: SpecValue, has: SpecValue): SpecValue {
  if (field.is === 'leaf' && field.secret === true) return has instanceof Secret && !isMask(has.reveal()) ? has : want;
  if (field.is !== 'group' || !isSpecObject(has)) return has;
  const wanted = isSpecObject(want) ? want : {};
  const inside = Object.entries(field.fields).map(([name, inner]): [string, SpecValue] => [
    name,
    unmanagedValue(inner, wanted[name] ?? null, has[name] ?? null),
  ]);
  return Object.fromEntries(inside.filter(([, value]) => value !== null));
}

/** The entries that are wanted, and of those that are held what is there. */
function wholeDict(dict: Dict, want: SpecObject, has: SpecObject, path: Path, pointers: readonly string[]): SpecValue {
  const spelled = (key: string) => String(normalize(dict.key, pointerOf([key])));
  const above = pointerOf(path);
  const held = new Set(
    pointers
      .filter((pointer) => pointer.startsWith(`${above}/`))
      .map((pointer) => String(normalize(dict.key, pointer.slice(above.length)))),
  );
  const entries = [
    ...Object.entries(want).filter(([key]) => !held.has(spelled(key))),
    ...Object.entries(has).filter(([key]) => held.has(spelled(key))),
  ];
  return entries.length === 0 && Object.keys(want).length === 0 ? null : Object.fromEntries(entries);
}
