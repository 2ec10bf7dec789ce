import type { Code } from '../../diagnostics/codes.ts';
import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import { fieldPath } from '../../diagnostics/field-path.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import type { Field, FieldFormat, Group, Leaf } from '../../kinds/kind.ts';
import { isSpecObject, Secret, type Path, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import type { Finding } from './check-spec.ts';

/** A reference or value source that is written inside a text, where nobody resolves it. */
export const referenceInText = /\{\s*(ref|from_env|from_file|var|template)\s*:[^{}]*\}/;

/** A variable that is written inside a plain text, where nobody puts its value. */
const variableInText = /\$\{\s*var\.\w+\s*\}/;

/** Formats whose text may contain the same characters for its own purposes. */
const structured: readonly (FieldFormat | undefined)[] = ['json', 'policy', 'pem', 'saml', 'regex'];

/** What has fields: a kind or a group. */
type Holder = Pick<Group, 'fields' | 'allowLists' | 'inEffectWith'>;

/** Warns about values of a spec that services accept, although they are rarely what was meant. What the checks refuse is omitted. `root` is what the spec is called in messages. */
export function lintSpec(holder: Holder, spec: SpecObject, root = ''): Finding[] {
  const found: Finding[] = [];
  lintHolder(holder, spec, [], found);
  return found.map((one) => ({
    ...one,
    message: safeText(`\`${fieldPath(root, one.path)}\`: ${one.message}`, 500),
  }));
}

function lintHolder(holder: Holder, spec: SpecObject, path: Path, found: Finding[]): void {
  const { fields } = holder;
  for (const name in fields) {
    const value = spec[name] ?? null;
    const field = fields[name];
    // Of most fields nothing is written.
    if (value !== null && field !== undefined && field.lifecycle !== 'computed')
      lintField(field, value, path, name, found);
  }
  // Nearly nothing with fields has lists of what is allowed.
  if (holder.allowLists !== undefined || holder.inEffectWith !== undefined)
    found.push(...emptyAllowLists(holder, spec, path));
}

/** An empty list looks as if nobody were allowed, and allows everybody. What must not be empty is refused elsewhere. */
function emptyAllowLists({ fields, allowLists = [], inEffectWith }: Holder, spec: SpecObject, path: Path): Finding[] {
  const lists = allowLists.filter((name) => Array.isArray(spec[name]));
  const [first] = lists.every((name) => isEmptyList(spec[name])) ? lists : [];
  const needed = inEffectWith !== undefined && mayBeEmpty(fields[inEffectWith]) ? inEffectWith : undefined;
  const empty = [first, needed].filter((name) => name !== undefined && isEmptyList(spec[name]));
  return empty.map((name = '') => ({
    ...unusual(
      'UNUSUAL_VALUE',
      'the list is empty, so it restricts nothing',
      'add the allowed values to the list, or remove the list',
    ),
    path: [...path, name],
  }));
}

function isEmptyList(value: SpecValue | undefined): boolean {
  return Array.isArray(value) && value.length === 0;
}

function mayBeEmpty(field: Field | undefined): boolean {
  return field?.is === 'list' && field.atLeast === undefined;
}

/** A value inside another, by the path of that one and its own last step: most need no path of their own. */
function lintField(field: Field, value: SpecValue, above: Path, step: string | number, found: Finding[]): void {
  if (field.is === 'leaf') {
    const text = lintLeaf(field, value);
    if (text !== undefined) found.push({ ...text, path: [...above, step] });
    return;
  }
  const path = [...above, step];
  if (field.is === 'list') {
    if (Array.isArray(value))
      (value as readonly SpecValue[]).forEach((item, index) => lintField(field.of, item, path, index, found));
  } else if (!isSpecObject(value)) return;
  else if (field.is === 'group') lintHolder(field, value, path, found);
  else for (const key in value) lintField(field.of, value[key] ?? null, path, key, found);
}

/** What is unusual about a value, wherever it is written. */
type Unusual = Omit<Finding, 'path'>;

function lintLeaf(leaf: Leaf, value: SpecValue): Unusual | undefined {
  // Only values in the manifest itself: an external value is no typing error of the manifest.
  const text = value instanceof Secret && value.origin === undefined ? value.reveal() : value;
  if (typeof text !== 'string') return undefined;
  const found = unresolved(leaf, text) ?? unusualText(leaf, text);
  if (found === undefined) return undefined;
  const isRefused = !leaf.schema.safeParse(text).success || leaf.checks.some(({ test }) => test(text) !== undefined);
  return isRefused ? undefined : found;
}

function unusualText({ lints }: Leaf, text: string): Unusual | undefined {
  if (lints === undefined) return undefined;
  for (const { code, test } of lints) {
    const found = test(text);
    if (found === undefined) continue;
    return unusual(code as Code, found.message, found.hint ?? hintFrom(text, found.known ?? []));
  }
  return undefined;
}

function hintFrom(text: string, known: readonly string[]): string {
  if (known.length > 0 && known.length <= 10) return `known values: ${known.join(', ')}`;
  return didYouMean(text, known) ?? 'check the value in the documentation of your service';
}

function unresolved(leaf: Leaf, text: string): Unusual | undefined {
  if (!text.includes('{') || leaf.ref !== undefined || structured.includes(leaf.format)) return undefined;
  const [variable] = variableInText.exec(text) ?? [];
  if (variable !== undefined)
    return unusual(
      'REFERENCE_IN_TEXT',
      `the string contains \`${variable}\`; sluice resolves variables only in {template: TEXT}, and sends this string unchanged`,
      'write {template: TEXT} instead of the string',
    );
  const [written, source] = referenceInText.exec(text) ?? [];
  if (written === undefined || source === undefined) return undefined;
  const hint =
    source === 'ref'
      ? 'write {ref: NAME} as the whole value of an id field, or {ref: NAME, field: FIELD} as the whole value of a string field'
      : written === text.trim()
        ? 'remove the quotes around the reference'
        : `\`{${source}: …}\` must be the whole value of a field, not a part of a string`;
  return unusual(
    'REFERENCE_IN_TEXT',
    `the string contains \`{${source}: …}\`; sluice resolves references only as a whole value, and sends this string unchanged`,
    hint,
  );
}

function unusual(code: Code, message: string, hint: string): Unusual {
  return { code, since: 'completed', severity: 'warning', message, hint: safeText(hint, 600) };
}
