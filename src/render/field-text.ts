import { safeText } from '../diagnostics/safe-text.ts';
import { meaning } from '../derive/canonical.ts';
import type { Field, Fields, Format, List } from '../kinds/kind.ts';
import { isSpecObject, type Path, type SpecObject, type SpecValue } from '../kinds/value.ts';
import type { FieldChange, Reason } from '../model/plan.ts';
import { fieldAt } from './field-at.ts';
import type { Palette } from './palette.ts';
import { textDiff } from './text-diff.ts';
import { isLong, keyText, valueText } from './value-text.ts';

const reasons: Readonly<Record<Reason, string>> = {
  changed: 'you changed it',
  drifted: 'it drifted',
  both: 'you changed it, and it drifted',
  unknown: 'differs; no record of who',
};

/** One field that differs, before and after, and why; the first line begins at the margin. */
export function fieldText(change: FieldChange, fields: Fields, palette: Palette, replaces: boolean): string[] {
  const { path, before, after, reason, immutable } = change;
  const why = `${reasons[reason]}${immutable && replaces ? '; cannot be changed in place' : ''}`;
  const note = palette.quiet(`  (${why})`);
  const field = fieldAt(fields, path);
  const name = pathName(path);
  if (change.secret)
    return [
      `${name}: ${secretText(before, false)} ${palette.quiet('->')} ${secretText(after, before !== undefined)}${note}`,
    ];
  if (field?.is === 'list' && Array.isArray(before) && Array.isArray(after))
    return [`${name}:${note}`, ...listDiff(field, before as SpecValue[], after as SpecValue[], palette).map(indent)];
  if (typeof before === 'string' && typeof after === 'string' && (isLong(before) || isLong(after)))
    if (formatOf(field) !== 'pem') return [`${name}:${note}`, ...textDiff(before, after, palette).map(indent)];
  if (isSpecObject(before) !== isSpecObject(after)) {
    const sign = isSpecObject(after) ? palette.added('+') : palette.removed('-');
    const lines = [before, after].filter(isSpecObject).flatMap((group) => specText(group, fields, path));
    return [
      `${name}: ${isSpecObject(after) ? 'added' : 'removed'}${note}`,
      ...lines.map((line) => `  ${sign} ${line}`),
    ];
  }
  const format = formatOf(field);
  return [`${name}: ${valueText(before, format)} ${palette.quiet('->')} ${valueText(after, format)}${note}`];
}

/** Everything a spec sets, a line each: `oauth.provider.google.email_domains: [example.com]`. */
export function specText(spec: SpecObject, fields: Fields, path: Path = []): string[] {
  const set = Object.entries(spec).filter(([, value]) => value !== null);
  if (set.length === 0 && path.length > 0) return [`${pathName(path)}: {}`];
  return set.flatMap(([name, value]) => {
    const inner = [...path, name];
    if (isSpecObject(value)) return specText(value, fields, inner);
    return [`${pathName(inner)}: ${valueText(value, formatOf(fieldAt(fields, inner)))}`];
  });
}

function secretText(value: SpecValue | undefined, changed: boolean): string {
  return value === undefined || value === null ? '(not set)' : changed ? '(secret, changed)' : '(secret)';
}

/** Entries that come and go; where only their order differs, both lists. */
function listDiff(list: List, before: readonly SpecValue[], after: readonly SpecValue[], palette: Palette): string[] {
  const format = formatOf(list.of);
  const [had, has] = [before, after].map((items) => new Set(items.map((item) => meaning(list.of, item))));
  const added = after.filter((item) => had?.has(meaning(list.of, item)) !== true);
  const removed = before.filter((item) => has?.has(meaning(list.of, item)) !== true);
  if (added.length + removed.length === 0) return [`${valueText(before, format)} -> ${valueText(after, format)}`];
  return [
    ...added.map((item) => palette.added(`+ ${valueText(item, format)}`)),
    ...removed.map((item) => palette.removed(`- ${valueText(item, format)}`)),
  ];
}

function formatOf(field: Field | undefined): Format | undefined {
  return field?.is === 'leaf' ? field.format : field?.is === 'list' ? formatOf(field.of) : undefined;
}

function pathName(path: Path): string {
  return safeText(path.map((part) => keyText(String(part))).join('.'));
}

function indent(line: string): string {
  return `    ${line}`;
}
