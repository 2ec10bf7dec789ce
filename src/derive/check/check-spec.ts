import type { z } from 'zod';
import type { Code } from '../../diagnostics/codes.ts';
import { counted } from '../../diagnostics/counted.ts';
import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import { fieldPath } from '../../diagnostics/field-path.ts';
import { quoted } from '../../diagnostics/quoted.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { unknownField } from '../../diagnostics/unknown-field.ts';
import { isUnset } from '../../kinds/checks.ts';
import { takesAnyText } from '../../kinds/fields.ts';
import { holdsPrivateKey } from '../../kinds/formats/ssh-public-key.ts';
import { namedFieldsWhere } from '../../kinds/named-fields.ts';
import type { Check, Dict, Field, Fields, Group, Leaf, List, Provenance } from '../../kinds/kind.ts';
import { isSpecObject, Ref, Secret, type Path, type SpecObject, type SpecValue } from '../../kinds/value.ts';

/** A rule of a kind that a spec breaks. `since` is the source of the rule. */
export interface Finding {
  readonly code: Code;
  readonly since: Provenance;
  /** A warning under every profile; else the profile decides. */
  readonly severity?: 'warning';
  readonly path: Path;
  /** Where the field would be written, of one that is missing. */
  readonly field?: Path;
  readonly message: string;
  readonly hint?: string;
}

/** What is being checked: a manifest or the body of a request, whole or in part. */
export interface CheckOptions {
  /** In part (PATCH): a required field of the resource itself may be left out; modules are whole all the same. */
  readonly partial?: boolean;
  /** A body: fields that only some services take in writes are allowed, and ids are ids. */
  readonly wire?: boolean;
  /** What the spec is called in messages, such as `Kind.spec`; without it, fields are named alone. */
  readonly root?: string;
}

type Checked = Pick<Group, 'fields' | 'rules'>;

/** Checks a spec in write form against the facts of its kind: names, types, limits, required fields, rules. All findings, in order. */
export function checkSpec(of: Checked, spec: SpecObject, options: CheckOptions = {}): Finding[] {
  const findings: Finding[] = [];
  checkGroup(of, spec, [], options, findings);
  return findings;
}

const requiredFields = namedFieldsWhere(({ required }) => required !== undefined);

function checkGroup(of: Checked, spec: SpecObject, path: Path, options: CheckOptions, findings: Finding[]): void {
  const inside = options.partial === true ? { ...options, partial: false } : options;
  for (const name in spec) {
    const value = spec[name] ?? null;
    const field = Object.hasOwn(of.fields, name) ? of.fields[name] : undefined;
    if (field === undefined) findings.push(noSuchField(name, of.fields, path, options));
    else if (!writable(field, options)) {
      const at = [...path, name];
      const message = `${nameOf(at, options)} is read-only: the service sets the field`;
      findings.push(described('READ_ONLY_FIELD', at, message, 'remove the field'));
    } else if (value !== null && !(field.required !== undefined && isMissing(value)))
      checkField(field, value, path, name, inside, findings);
  }
  for (const { name, field } of requiredFields(of.fields)) {
    if (field.required === undefined || (options.partial === true && !Object.hasOwn(spec, name))) continue;
    if (isMissing(spec[name])) findings.push(missing(field, field.required, spec[name], [...path, name], options));
  }
  for (const rule of of.rules)
    for (const problem of rule.check(spec))
      findings.push({
        ...problem,
        code: rule.code as Code,
        since: rule.since,
        path: [...path, ...problem.path],
        message: options.root === undefined ? problem.message : `${fieldPath(options.root, path)}: ${problem.message}`,
      });
}

function described(code: Code, path: Path, message: string, hint?: string): Finding {
  return { code, since: 'described', path, message, ...(hint === undefined ? {} : { hint }) };
}

/** A required field that is not written, or is written without a value. */
function missing(
  field: Field,
  since: Provenance,
  value: SpecValue | undefined,
  path: Path,
  options: CheckOptions,
): Finding {
  const isEmpty = options.root !== undefined && value !== undefined && value !== null;
  const origin = value instanceof Secret ? value.origin : undefined;
  const outside =
    origin !== undefined && 'from_env' in origin ? `the environment variable ${origin.from_env} is empty` : undefined;
  const words = field.is === 'leaf' ? allowedWords(field) : undefined;
  return {
    code: 'MISSING_FIELD',
    since,
    path: isEmpty ? path : path.slice(0, -1),
    field: path,
    message: isEmpty ? `${nameOf(path, options)} must not be empty` : `${nameOf(path, options)} is required`,
    hint: outside ?? (words === undefined ? field.doc : `${field.doc.replace(/\.$/, '')}: ${words.join(' or ')}`),
  };
}

/** The words that a field allows, where it allows few. */
function allowedWords({ schema }: Leaf): readonly string[] | undefined {
  const issue = schema.safeParse('\0').error?.issues[0];
  const words = issue?.code === 'invalid_value' ? issue.values.map(String) : [];
  return words.length > 0 && words.length <= fewWords ? words : undefined;
}

const fewWords = 5;

/** Whether nothing is given. An empty list is something; whether it may be empty is checked with its entries. */
function isMissing(value: SpecValue | undefined): boolean {
  return isUnset(value) && !Array.isArray(value);
}

function writable(field: Field, { wire }: CheckOptions): boolean {
  return field.lifecycle !== 'computed' || (wire === true && field.is === 'leaf' && field.acceptedOnWrite === true);
}

function noSuchField(name: string, fields: Fields, path: Path, { root }: CheckOptions): Finding {
  const known = Object.keys(fields).filter((key) => fields[key]?.lifecycle !== 'computed');
  const where = root === undefined ? undefined : fieldPath(root, path);
  return { ...unknownField(name, known, where), since: 'described', path: [...path, name] };
}

/** A value inside another, by the path of that one and its own last step: most need no path of their own. */
function checkField(
  field: Field,
  value: SpecValue,
  above: Path,
  step: string | number,
  options: CheckOptions,
  findings: Finding[],
): void {
  if (field.is === 'leaf') {
    const found = checkLeaf(field, value, above, step, options);
    if (found !== undefined) findings.push(found);
    return;
  }
  const path = [...above, step];
  if (field.is === 'list') checkList(field, value, path, options, findings);
  else if (!isSpecObject(value)) findings.push(wrongType(path, 'a mapping', value, options));
  else if (field.is === 'dict') checkDict(field, value, path, options, findings);
  else checkGroup(field, value, path, options, findings);
}

function checkLeaf(
  leaf: Leaf,
  value: SpecValue,
  above: Path,
  step: string | number,
  options: CheckOptions,
): Finding | undefined {
  if (value instanceof Ref)
    return leaf.ref === undefined && value.field === undefined
      ? wrongType([...above, step], typeName(leaf), value, options)
      : undefined;
  const data = (value instanceof Secret ? value.reveal() : value) as string | number | boolean;
  if (typeof data !== 'string' || data === '' || !takesAnyText(leaf)) {
    const { error } = leaf.schema.safeParse(data);
    if (error !== undefined) return typeFinding(leaf, value, [...above, step], error.issues[0], options);
  }
  let first: Finding | undefined;
  for (const check of leaf.checks) {
    const wrong = check.test(data);
    if (wrong === undefined) continue;
    const found = brokenCheck(leaf, value, check, wrong, data, [...above, step], options);
    // One is enough: what else is wrong with text of the wrong form would only contradict it.
    if (found.since === 'described') return found;
    first ??= found;
  }
  return first;
}

/** What breaks a check, without repeating a value that may be secret. */
function brokenCheck(
  leaf: Leaf,
  value: SpecValue,
  { code, since, hint }: Check,
  wrong: string,
  data: string | number | boolean,
  path: Path,
  options: CheckOptions,
): Finding {
  const meant = value instanceof Secret ? undefined : hint?.(String(data));
  // The length of a value from outside is not for everybody.
  const words =
    value instanceof Secret && code === 'TOO_LONG' && leaf.limit !== undefined
      ? `is longer than the limit of ${leaf.limit.max} ${leaf.limit.unit}`
      : wrong;
  const shown = code === 'TOO_LONG' ? '' : notText(leaf, value, options);
  return {
    code: code as Code,
    // What a private key got into is refused, whatever a service would take.
    since: typeof data === 'string' && holdsPrivateKey(data) ? 'described' : since,
    path,
    message: `${nameOf(path, options)} ${words}${/^must be/.test(words) ? shown : ''}`,
    ...(meant === undefined ? {} : { hint: safeText(meant, 300) }),
  };
}

type Issue = z.core.$ZodIssue | undefined;

/** Describes what is wrong with a scalar, without repeating a value that may be secret. */
function typeFinding(leaf: Leaf, value: SpecValue, path: Path, issue: Issue, options: CheckOptions): Finding {
  const name = nameOf(path, options);
  const shown = notText(leaf, value, options);
  if (issue?.code === 'invalid_value' && Array.isArray(issue.values)) {
    const words = issue.values.map(String);
    const hint = typeof value === 'string' ? didYouMean(value, words) : undefined;
    return described('INVALID_VALUE', path, `${name} must be one of ${words.join(', ')}${shown}`, hint);
  }
  if (issue?.code === 'too_big' || issue?.code === 'too_small') {
    if (typeof value === 'string') return described('EMPTY_VALUE', path, `${name} must not be empty`);
    const bound = issue.code === 'too_big' ? `most ${String(issue.maximum)}` : `least ${String(issue.minimum)}`;
    return described('OUT_OF_RANGE', path, `${name} must be at ${bound}${shown}`);
  }
  if (issue?.code === 'invalid_format')
    return described('INVALID_FORMAT', path, `${name} must be an RFC 3339 time, such as 2027-01-31T00:00:00Z${shown}`);
  return wrongType(path, typeName(leaf), value, options);
}

function checkList(list: List, value: SpecValue, path: Path, options: CheckOptions, findings: Finding[]): void {
  if (!Array.isArray(value)) return void findings.push(wrongType(path, 'a list', value, options));
  const items = value as readonly SpecValue[];
  items.forEach((item, index) => {
    if (item === null) findings.push(wrongType([...path, index], 'a value', item, options));
    else checkField(list.of, item, path, index, options, findings);
  });
  if (list.atLeast !== undefined && items.length < list.atLeast.count)
    findings.push({
      code: 'TOO_FEW_ITEMS',
      since: list.atLeast.since,
      path,
      message: `${nameOf(path, options)} must have at least ${counted(list.atLeast.count, 'item')}`,
    });
  if (list.unique !== undefined && items.length > 1) findings.push(...repeats(items, path, list.unique, options));
}

function repeats(items: readonly SpecValue[], path: Path, since: Provenance, options: CheckOptions): Finding[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    // What a value from outside equals is not told to whoever can write the others.
    const key = JSON.stringify(item instanceof Secret ? (item.origin ?? item.reveal()) : item);
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    const spot = [...path, index];
    const message = `${nameOf(spot, options)} repeats an earlier item`;
    return [{ code: 'DUPLICATE_ITEM' as const, since, path: spot, message }];
  });
}

function checkDict(dict: Dict, value: SpecObject, path: Path, options: CheckOptions, findings: Finding[]): void {
  for (const key in value) {
    const item = value[key] ?? null;
    checkField(dict.key, key, path, key, options, findings);
    if (item === null) findings.push(wrongType([...path, key], typeName(dict.of), item, options));
    else checkField(dict.of, item, path, key, options, findings);
  }
}

function wrongType(path: Path, wanted: string, value: SpecValue, options: CheckOptions): Finding {
  return described('INVALID_TYPE', path, `${nameOf(path, options)} must be ${wanted}, not ${typeOf(value)}`);
}

// Values of requests may be somebody's secret in the wrong field; those of manifests are in the excerpt as well.
function notText({ secret }: Leaf, value: SpecValue, { root }: CheckOptions): string {
  if (root === undefined || secret === true || value instanceof Secret) return '';
  const isShown = typeof value === 'number' || (typeof value === 'string' && !holdsPrivateKey(value));
  return isShown ? `, not ${quoted(String(value), 60)}` : '';
}

function typeName({ schema, ref }: Leaf): string {
  if (ref !== undefined) return 'an id';
  if (schema.safeParse(true).success) return 'a boolean';
  if (schema.safeParse(0.5).success) return 'a number';
  return schema.safeParse(1).success ? 'an integer' : 'a string';
}

function typeOf(value: SpecValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Ref) return 'a reference';
  if (value instanceof Secret || typeof value === 'string') return 'a string';
  if (typeof value === 'boolean') return 'a boolean';
  return typeof value === 'number' ? (Number.isInteger(value) ? 'an integer' : 'a number') : 'a mapping';
}

function nameOf(path: Path, { root }: CheckOptions): string {
  return `\`${root === undefined ? lastName(path) : fieldPath(root, path)}\``;
}

function lastName(path: Path): string {
  const last = String(path.at(-1));
  return typeof path.at(-1) === 'number' ? `${String(path.at(-2))}[${last}]` : last;
}
