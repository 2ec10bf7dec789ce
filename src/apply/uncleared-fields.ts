import { isUnsetValue } from '../derive/canonical.ts';
import { fromWire } from '../derive/wire/from-wire.ts';
import { pointerOf } from '../derive/pointer.ts';
import type { Kind } from '../kinds/kind.ts';
import type { SpecObject } from '../kinds/value.ts';

/** Texts that the service did not clear although a request set them to empty, by pointer (decisions/0004). */
export function unclearedFields(
  kind: Kind,
  body: SpecObject | undefined,
  answer: unknown,
): Readonly<Record<string, string>> {
  const cleared = Object.entries(body ?? {}).flatMap(([name, value]) => (value === '' ? [name] : []));
  if (cleared.length === 0 || answer === undefined) return {};
  const { spec } = fromWire(kind, answer);
  return Object.fromEntries(
    cleared.flatMap((name): [string, string][] => {
      const [field, there] = [kind.fields[name], spec[name]];
      return field?.is === 'leaf' && typeof there === 'string' && !isUnsetValue(field, there)
        ? [[pointerOf([name]), there]]
        : [];
    }),
  );
}
