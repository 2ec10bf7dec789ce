import type { Code } from '../../diagnostics/codes.ts';
import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import { fieldPath } from '../../diagnostics/field-path.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { namedFields } from '../../kinds/named-fields.ts';
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
  return lintHolder(holder, spec, []).map((found) => ({
    ...found,
    message: safeText(`\`${fieldPath(root, found.path)}\` ${found.message}`, 500),
  }));
}

function lintHolder(holder: Holder, spec: SpecObject, path: Path): Finding[] {
  const found: Finding[] = [];
  for (const { name, field } of namedFields(holder.fields)) {
    const value = spec[name] ?? null;
    // Of most fields nothing is written, or nothing that could be found unusual.
    if (value !== null && field.lifecycle !== 'computed' && !isUsual(field, value))
      found.push(...lintField(field, value, [...path, name]));
  }
  // Nearly nothing with fields has lists of what is allowed.
  if (holder.allowLists !== undefined || holder.inEffectWith !== undefined)
    found.push(...emptyAllowLists(holder, spec, path));
  return found;
}

/** An empty list looks as if nobody were allowed, and allows everybody. What must not be empty is refused elsewhere. */
function emptyAllowLists({ fields, allowLists = [], inEffectWith }: Holder, spec: SpecObject, path: Path): Finding[] {
  const lists = allowLists.filter((name) => Array.isArray(spec[name]));
  const [first] = lists.every((name) => isEmptyList(spec[name])) ? lists : [];
  const needed = inEffectWith !== undefined && mayBeEmpty(fields[inEffectWith]) ? inEffectWith : undefined;
  const empty = [first, needed].filter((name) => name !== undefined && isEmptyList(spec[name]));
  return empty.map((name = '') =>
    finding(
      'UNUSUAL_VALUE',
      [...path, name],
      'is an empty list, which restricts nothing',
      'list what is allowed, or remove the list',
    ),
  );
}

function isEmptyList(value: SpecValue | undefined): boolean {
  return Array.isArray(value) && value.length === 0;
}

function mayBeEmpty(field: Field | undefined): boolean {
  return field?.is === 'list' && field.atLeast === undefined;
}

function isUsual(field: Field, value: SpecValue): boolean {
  if (field.is !== 'leaf' || value instanceof Secret) return false;
  return typeof value !== 'string' || (field.lints === undefined && !value.includes('{'));
}

function lintField(field: Field, value: SpecValue, path: Path): Finding[] {
  if (field.is === 'leaf') return lintLeaf(field, value, path);
  if (Array.isArray(value))
    return field.is === 'list'
      ? (value as readonly SpecValue[]).flatMap((item, index) => lintField(field.of, item, [...path, index]))
      : [];
  if (!isSpecObject(value) || field.is === 'list') return [];
  if (field.is === 'group') return lintHolder(field, value, path);
  return Object.entries(value).flatMap(([key, item]) => lintLeaf(field.of, item, [...path, key]));
}

function lintLeaf(leaf: Leaf, value: SpecValue, path: Path): Finding[] {
  // Only what the manifest itself says: the text of a value from outside is nobody's typing error here.
  const text = value instanceof Secret && value.origin === undefined ? value.reveal() : value;
  if (typeof text !== 'string') return [];
  const found = unresolved(leaf, text, path) ?? unusualText(leaf, text, path);
  if (found === undefined) return [];
  const isRefused = !leaf.schema.safeParse(text).success || leaf.checks.some(({ test }) => test(text) !== undefined);
  return isRefused ? [] : [found];
}

function unusualText({ lints = [] }: Leaf, text: string, path: Path): Finding | undefined {
  for (const { code, test } of lints) {
    const found = test(text);
    if (found === undefined) continue;
    return finding(code as Code, path, found.message, found.hint ?? hintFrom(text, found.known ?? []));
  }
  return undefined;
}

function hintFrom(text: string, known: readonly string[]): string {
  if (known.length > 0 && known.length <= 10) return `known values: ${known.join(', ')}`;
  return didYouMean(text, known) ?? 'check the value in the documentation of your service';
}

function unresolved(leaf: Leaf, text: string, path: Path): Finding | undefined {
  if (!text.includes('{') || leaf.ref !== undefined || structured.includes(leaf.format)) return undefined;
  const [variable] = variableInText.exec(text) ?? [];
  if (variable !== undefined)
    return finding(
      'REFERENCE_IN_TEXT',
      path,
      `contains \`${variable}\` as plain text, which is not resolved`,
      'write {template: TEXT}',
    );
  const [written, source] = referenceInText.exec(text) ?? [];
  if (written === undefined || source === undefined) return undefined;
  const hint =
    source === 'ref'
      ? 'write {ref: NAME} as the whole value of an id field, or {ref: NAME, field: FIELD} as the whole value of a string field'
      : written === text.trim()
        ? 'remove the quotes'
        : `\`${source}\` must be the whole value of a field`;
  return finding('REFERENCE_IN_TEXT', path, `contains \`{${source}: …}\` as plain text, which is not resolved`, hint);
}

function finding(code: Code, path: Path, message: string, hint: string): Finding {
  return {
    code,
    since: 'completed',
    severity: 'warning',
    path,
    field: path,
    message,
    hint: safeText(hint, 600),
  };
}
