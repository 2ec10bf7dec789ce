import { safeText } from '../diagnostics/safe-text.ts';
import type { Fields } from '../kinds/kind.ts';
import { isSpecObject, type Path, type SpecObject, type SpecValue } from '../kinds/value.ts';
import { fieldAt } from './field-at.ts';
import { fieldValueText } from './field-value.ts';
import { keyText } from './value-text.ts';

/** Everything a spec sets, a line each, in the order of the kind: `oauth.provider.google.email_domains: [example.com]`. */
export function specText(spec: SpecObject, fields: Fields, path: Path = []): string[] {
  const set = Object.entries(spec).filter(([, value]) => value !== null);
  if (set.length === 0 && path.length > 0) return [`${pathName(path)}: {}`];
  return inOrder(set, namesAt(fields, path)).flatMap(([name, value]) => {
    const inner = [...path, name];
    if (isSpecObject(value)) return specText(value, fields, inner);
    return [`${pathName(inner)}: ${fieldValueText(value, fieldAt(fields, inner))}`];
  });
}

/** A path as people write it: `request_headers.add.x-area`. */
export function pathName(path: Path): string {
  return safeText(path.map((part) => keyText(String(part))).join('.'));
}

/** As the kind has its fields; free keys by the alphabet. How a manifest was written makes no difference (law 8). */
function inOrder(entries: readonly [string, SpecValue][], names: readonly string[]): [string, SpecValue][] {
  const rank = (name: string): number => (names.includes(name) ? names.indexOf(name) : names.length);
  return entries.toSorted(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

function namesAt(fields: Fields, path: Path): string[] {
  const field = path.length === 0 ? undefined : fieldAt(fields, path);
  if (path.length === 0) return Object.keys(fields);
  return field?.is === 'group' ? Object.keys(field.fields) : [];
}
