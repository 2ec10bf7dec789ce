import { meaning } from '../derive/canonical.ts';
import type { Field, Fields, List } from '../kinds/kind.ts';
import { isSpecObject, type SpecValue } from '../kinds/value.ts';
import type { FieldChange, Reason } from '../model/plan.ts';
import { fieldAt } from './field-at.ts';
import { fieldValueText } from './field-value.ts';
import type { Palette } from './palette.ts';
import { textDiff } from './text-diff.ts';
import { pathName, specText } from './spec-text.ts';
import { isLong } from './value-text.ts';

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
    if (!isTellable(field)) return [`${name}:${note}`, ...textDiff(before, after, palette).map(indent)];
  if (isSpecObject(before) !== isSpecObject(after)) {
    const sign = isSpecObject(after) ? palette.added('+') : palette.removed('-');
    const lines = [before, after].filter(isSpecObject).flatMap((group) => specText(group, fields, path));
    return [
      `${name}: ${isSpecObject(after) ? 'added' : 'removed'}${note}`,
      ...lines.map((line) => `  ${sign} ${line}`),
    ];
  }
  return [`${name}: ${fieldValueText(before, field)} ${palette.quiet('->')} ${fieldValueText(after, field)}${note}`];
}

/** Whether a long text is told by what it means, rather than by its lines. */
function isTellable(field: Field | undefined): boolean {
  return field?.is === 'leaf' && (field.format === 'pem' || field.format === 'ssh-public-key');
}

function secretText(value: SpecValue | undefined, changed: boolean): string {
  return value === undefined || value === null ? '(not set)' : changed ? '(secret, changed)' : '(secret)';
}

/** Entries that come and go; where only their order differs, both lists. */
function listDiff(list: List, before: readonly SpecValue[], after: readonly SpecValue[], palette: Palette): string[] {
  const [had, has] = [before, after].map((items) => new Set(items.map((item) => meaning(list.of, item))));
  const texts = (items: readonly SpecValue[]): string[] => items.map((item) => fieldValueText(item, list.of)).sort();
  const added = texts(after.filter((item) => had?.has(meaning(list.of, item)) !== true));
  const removed = texts(before.filter((item) => has?.has(meaning(list.of, item)) !== true));
  if (added.length + removed.length === 0) return [`${fieldValueText(before, list)} -> ${fieldValueText(after, list)}`];
  return [...added.map((text) => palette.added(`+ ${text}`)), ...removed.map((text) => palette.removed(`- ${text}`))];
}

function indent(line: string): string {
  return `    ${line}`;
}
