import { canonicalKey } from '../../derive/canonical.ts';
import { holdsPrivateKey } from '../../kinds/formats/ssh-public-key.ts';
import type { Field, Fields, FieldFormat, List } from '../../kinds/kind.ts';
import { isSpecObject, Secret, type SpecValue } from '../../kinds/value.ts';
import { inNaturalOrder } from '../../model/natural-order.ts';
import type { ItemLines } from '../../model/resource.ts';
import type { FieldChange, Reason } from '../../model/plan/plan.ts';
import { fieldAt } from '../../derive/field-at.ts';
import { fieldValueText, type IdNames } from './field-value.ts';
import { meaningLines } from './meaning-text.ts';
import { pathName, specText } from './spec-text.ts';
import { structureLines } from '../text/structure-lines.ts';
import { ruleHeading, textDiff, type SignedLine } from '../text/text-diff.ts';
import { isLong, sizeText } from './value-text.ts';

/** How one field differs, ready to be drawn: two short values, or added and removed lines. All of it is safe text. */
export interface FieldDifference {
  readonly name: string;
  readonly why: string;
  readonly values?: readonly [before: string, after: string];
  /** What is true of all the lines: the whole was added or removed. */
  readonly wholeChange?: string;
  readonly lines: readonly SignedLine[];
}

const reasons: Readonly<Record<Reason, string>> = {
  changed: 'manifest changed',
  drifted: 'drift',
  both: 'manifest changed and drift',
  unknown: 'cause unknown without state: manifest change or drift',
};

/** The difference of a field, by the meaning of its values. */
export function fieldDifference(one: FieldChange, fields: Fields, replaces: boolean, names: IdNames): FieldDifference {
  const { path, reason, immutable, applied } = one;
  const field = fieldAt(fields, path);
  const from = applied === undefined || isSpecObject(applied) ? '' : ` from ${fieldValueText(applied, field, names)}`;
  const why = `${reasons[reason]}${from}${immutable && replaces ? '; the field cannot be changed in place' : ''}`;
  return { name: pathName(path), why, ...howItDiffers(one, field, fields, names) };
}

type How = Omit<FieldDifference, 'name' | 'why'>;

function howItDiffers(
  { path, secret, unreadable, reason, before, after, items }: FieldChange,
  field: Field | undefined,
  fields: Fields,
  names: IdNames,
): How {
  if (unreadable === true)
    return pair(
      before === undefined ? '(value not readable)' : secretText(before, field, false),
      secretText(after, field, reason !== 'unknown'),
    );
  if (secret) return pair(secretText(before, field, false), secretText(after, field, before !== undefined));
  if (field?.is === 'list' && Array.isArray(before) && Array.isArray(after))
    return listDifference(field, before as SpecValue[], after as SpecValue[], names);
  if (typeof before === 'string' && typeof after === 'string') {
    const shown = textDifference(before, after, field?.is === 'leaf' ? field.format : undefined, items);
    if (shown !== undefined) return shown;
  }
  if (isSpecObject(before) !== isSpecObject(after)) {
    const sign = isSpecObject(after) ? '+' : '-';
    const lines = [before, after].filter(isSpecObject).flatMap((group) => specText(group, fields, names, path));
    return { wholeChange: sign === '+' ? 'added' : 'removed', lines: lines.map((text) => ({ sign, text })) };
  }
  return pair(leftOutText(before, field, names), leftOutText(after, field, names));
}

/** A flag that is left out is what it is by default: `enabled: false -> true (default)`. */
function leftOutText(value: SpecValue | undefined, field: Field | undefined, names: IdNames): string {
  const isLeftOut = value === undefined || value === null;
  return isLeftOut && field?.is === 'leaf' && typeof field.default === 'boolean'
    ? `${String(field.default)} (default)`
    : fieldValueText(value, field, names);
}

function pair(before: string, after: string): How {
  return { values: [before, after], lines: [] };
}

/** A value that is masked, or beside one that is. */
function secretText(value: SpecValue | undefined, field: Field | undefined, changed: boolean): string {
  const text = fieldValueText(value, field);
  return value instanceof Secret && changed ? text.replace(/\)$/, ', changed)') : text;
}

/** Two texts by what they mean, or line by line; undefined where both fit on one line as they are. */
function textDifference(
  before: string,
  after: string,
  format: FieldFormat | undefined,
  items: ItemLines | undefined,
): How | undefined {
  if (format === 'policy' || format === 'json') {
    if (!isLong(before) && !isLong(after)) return undefined;
    const [had, has] = [structureLines(before), structureLines(after)];
    const [from, to] = [had, has].map((lines) => lines && `${lines.join('\n')}\n`);
    if (from === undefined || to === undefined || from === to) return { lines: textDiff(before, after) };
    return { lines: textDiff(from, to, ruleHeading(from, to, items)) };
  }
  const [had, has] = format === undefined ? [] : [meaningLines(before, format), meaningLines(after, format)];
  if (had !== undefined && has !== undefined) return meaningDifference(had, has, before, after);
  return isLong(before) || isLong(after) ? { lines: textDiff(before, after) } : undefined;
}

function meaningDifference(had: readonly string[], has: readonly string[], before: string, after: string): How {
  // What differs all the same is in the text; a private key is not shown.
  if (had.join('\n') === has.join('\n'))
    return holdsPrivateKey(before + after)
      ? pair(sizeText(before), sizeText(after))
      : { lines: textDiff(before, after) };
  if (had.length === 1 && has.length === 1) return pair(had[0] ?? '', has[0] ?? '');
  return {
    lines: signedBoth(
      has.filter((text) => !had.includes(text)),
      had.filter((text) => !has.includes(text)),
    ),
  };
}

/** Entries that come and go; where only their order differs, both lists. */
function listDifference(list: List, before: readonly SpecValue[], after: readonly SpecValue[], names: IdNames): How {
  const [had, has] = [before, after].map((items) => new Set(items.map((item) => canonicalKey(list.of, item))));
  const texts = (items: readonly SpecValue[]): string[] =>
    items.map((item) => fieldValueText(item, list.of, names)).sort(inNaturalOrder);
  const added = texts(after.filter((item) => had?.has(canonicalKey(list.of, item)) !== true));
  const removed = texts(before.filter((item) => has?.has(canonicalKey(list.of, item)) !== true));
  if (added.length + removed.length === 0)
    return pair(fieldValueText(before, list, names), fieldValueText(after, list, names));
  return { lines: signedBoth(added, removed) };
}

function signedBoth(added: readonly string[], removed: readonly string[]): readonly SignedLine[] {
  return [
    ...removed.map((text): SignedLine => ({ sign: '-', text })),
    ...added.map((text): SignedLine => ({ sign: '+', text })),
  ];
}
