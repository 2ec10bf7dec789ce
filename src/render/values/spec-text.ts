import { safeText } from '../../diagnostics/safe-text.ts';
import { canonical } from '../../derive/canonical.ts';
import type { Field, Fields } from '../../kinds/kind.ts';
import { isSpecObject, type Path, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import { fieldAt } from '../../derive/field-at.ts';
import { fieldValueText, type IdNames } from './field-value.ts';
import { meaningLines } from './meaning-text.ts';
import { inFieldOrder } from './ordered-value.ts';
import { isLong, keyText } from './value-text.ts';

// How many lines are shown of a text that is summarized by its structure.
const mostLines = 40;

/** Everything a spec sets, a line each, in the order of the kind: `oauth.provider.google.email_domains: [example.com]`. What means the default is left out. */
export function specText(spec: SpecObject, fields: Fields, names: IdNames, path: Path = []): string[] {
  const set = Object.entries(spec).filter(([name, value]) => !isEmptyValue(value, fieldAt(fields, [...path, name])));
  if (set.length === 0 && path.length > 0) return [`${pathName(path)}: {}`];
  return inFieldOrder(set, namesAt(fields, path)).flatMap(([name, value]) => {
    const inner = [...path, name];
    if (isSpecObject(value)) return specText(value, fields, names, inner);
    return valueLines(pathName(inner), value, fieldAt(fields, inner), names);
  });
}

function isEmptyValue(value: SpecValue, field: Field | undefined): boolean {
  if (value === null) return true;
  return field !== undefined && field.is !== 'group' && canonical(field, value, () => 'set') === null;
}

function valueLines(name: string, value: SpecValue, field: Field | undefined, names: IdNames): string[] {
  const format = field?.is === 'leaf' ? field.format : undefined;
  const lines =
    typeof value === 'string' && format !== undefined && isLong(value) ? meaningLines(value, format) : undefined;
  if (lines === undefined || lines.length === 1) return [`${name}: ${fieldValueText(value, field, names)}`];
  const more = lines.length > mostLines ? [`    (${lines.length - mostLines} more lines)`] : [];
  return [`${name}:`, ...lines.slice(0, mostLines).map((line) => `    ${line}`), ...more];
}

/** A path as people write it: `request_headers.add.x-area`. */
export function pathName(path: Path): string {
  return safeText(path.map((part) => keyText(String(part))).join('.'));
}

function namesAt(fields: Fields, path: Path): string[] {
  if (path.length === 0) return Object.keys(fields);
  const field = fieldAt(fields, path);
  return field?.is === 'group' ? Object.keys(field.fields) : [];
}
