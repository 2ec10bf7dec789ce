import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { z } from 'zod';
import { sortDiagnostics, type Diagnostic, type SourceLocation } from '../../diagnostics/diagnostic.ts';
import { fieldPath } from '../../diagnostics/field-path.ts';
import { unknownField } from '../../diagnostics/unknown-field.ts';
import type { Path } from '../../kinds/value.ts';
import type { Origin } from '../read/origin.ts';
import { parseDocuments } from '../read/parse-documents.ts';
import type { Patch } from '../expand/patch.ts';
import { Problems } from '../check/problems.ts';
import { readSafely } from '../../files/safe-file.ts';
import { SourceFile } from '../read/source-document.ts';
import { accessProblems } from './access-problems.ts';
import { fieldsAt, isKnownSetting, settingWords } from './stack-fields.ts';
import { stackSchema, type StackSettings } from './stack-schema.ts';
import { isWrittenObject, type Written } from '../read/written.ts';

/** The name of the file that makes a directory a stack. */
export const stackFileName = 'sluice.yaml';

/** A stack file as read: its path, its settings, and its patches with their places. */
export interface StackFile {
  readonly path: string;
  /** The stack's directory. */
  readonly dir: string;
  readonly settings: StackSettings;
  readonly patches: readonly Patch[];
  /** Where a setting is written, as near as known. */
  readonly placeOf: (path: Path) => SourceLocation;
}

/** The stack file of a directory: its own, or that of the nearest directory above. */
export function findStackFile(from: string): string | undefined {
  for (let dir = resolve(from); ; dir = dirname(dir)) {
    const path = join(dir, stackFileName);
    if (existsSync(path)) return path;
    if (dirname(dir) === dir) return undefined;
  }
}

/** Reads a stack file, strictly. `file` is missing where a setting is invalid. */
export function readStackFile(path: string): {
  readonly file?: StackFile;
  readonly diagnostics: readonly Diagnostic[];
} {
  const problems = new Problems({ of: () => isKnownSetting, words: settingWords() });
  const read = readSafely(path);
  if ('code' in read) {
    const place = { file: stackFileName, line: 1, col: 1 };
    return { diagnostics: [{ code: read.code, severity: 'error', message: `the file ${read.message}`, place }] };
  }
  const source = new SourceFile(stackFileName, read.text, path);
  const [first, second] = parseDocuments(source);
  const document = first?.document ?? {
    file: source,
    start: 0,
    end: read.text.length,
    starts: new WeakMap<object, number>(),
  };
  const origin: Origin = { document, base: [], edits: [] };
  if (first !== undefined) for (const problem of first.problems) problems.inText(first, problem);
  if (second !== undefined)
    problems.at({ ...origin, document: second.document }, [], {
      code: 'INVALID_SETTING',
      message: `${stackFileName} must contain exactly one document`,
    });
  const value = first?.problems.length ? undefined : (first?.value ?? {});
  const settings = value === undefined ? undefined : check(value, origin, problems);
  const diagnostics = sortDiagnostics(problems.all());
  if (settings === undefined || diagnostics.length > 0) return { diagnostics };
  const patches = settings.patches.map((patch, index) => ({
    ...patch,
    placeOf: (operation?: number) =>
      problems.placeOf(origin, operation === undefined ? ['patches', index] : ['patches', index, 'patch', operation]),
  }));
  const placeOf = (at: Path): SourceLocation => problems.placeOf(origin, at);
  return { file: { path, dir: dirname(path), settings, patches, placeOf }, diagnostics };
}

function check(value: Written, origin: Origin, problems: Problems): StackSettings | undefined {
  if (reportLiteralKey(value, origin, problems)) return undefined;
  const verdict = stackSchema.safeParse(value);
  if (!verdict.success) {
    for (const issue of verdict.error.issues) reportIssue(issue, origin, problems);
    return undefined;
  }
  checkUrl(verdict.data.api.base_url, origin, problems);
  for (const { path, message } of accessProblems(verdict.data.access))
    problems.at(origin, ['access', ...path], { code: 'INVALID_SETTING', message });
  const { lease: _, ...places } = verdict.data.state;
  const [first, second] = Object.entries(places).flatMap(([name, place]) => (place === undefined ? [] : [name]));
  if (first !== undefined && second !== undefined)
    problems.at(origin, ['state', first], {
      code: 'INVALID_SETTING',
      message: `\`state.${first}\` and \`state.${second}\` cannot be set together`,
      hint: 'remove one of them',
    });
  return verdict.data;
}

/** The key itself in the file is reported without repeating it, and before anything else could. */
function reportLiteralKey(value: Written, origin: Origin, problems: Problems): boolean {
  const api = isWrittenObject(value) ? value['api'] : undefined;
  const key = isWrittenObject(api) ? (api['key'] ?? null) : null;
  if (key === null || isWrittenObject(key)) return false;
  problems.at(origin, ['api', 'key'], {
    code: 'API_KEY_IN_FILE',
    message: `the API key must not be written in ${stackFileName}; if the file was ever shared, rotate the key`,
    hint: 'use `key: {from_env: SLUICE_API_KEY}`',
  });
  return true;
}

/** https everywhere but on this machine, and never with a password. */
function checkUrl(url: string, origin: Origin, problems: Problems): void {
  if (url === 'embedded') return;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isLocal = parsed !== undefined && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(parsed.hostname);
  if (
    parsed?.username === '' &&
    parsed.password === '' &&
    (parsed.protocol === 'https:' || (parsed.protocol === 'http:' && isLocal))
  )
    return;
  problems.at(origin, ['api', 'base_url'], {
    code: 'INVALID_SETTING',
    message: '`api.base_url` must be "embedded" or an https URL without a password (http only on this machine)',
  });
}

function reportIssue(issue: z.core.$ZodIssue, origin: Origin, problems: Problems): void {
  const path = issue.path.filter((step): step is string | number => typeof step !== 'symbol');
  if (issue.code === 'unrecognized_keys')
    for (const key of issue.keys)
      problems.at(origin, [...path, key], unknownField(key, fieldsAt(path), fieldPath(stackFileName, path)));
  else if (issue.code === 'invalid_union') reportUnion(issue.errors, path, origin, problems);
  else problems.at(origin, path, { code: 'INVALID_SETTING', message: `${nameOf(path)} ${inWords(issue)}` });
}

/** Of several alternatives, the one that got furthest says what is wrong. */
function reportUnion(errors: readonly z.core.$ZodIssue[][], path: Path, origin: Origin, problems: Problems): void {
  const [best] = [...errors].sort((a, b) => depthOf(b) - depthOf(a));
  for (const issue of best ?? []) reportIssue({ ...issue, path: [...path, ...issue.path] }, origin, problems);
  if (best === undefined)
    problems.at(origin, path, { code: 'INVALID_SETTING', message: `${nameOf(path)} has an invalid value` });
}

function depthOf(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length + (issue.code === 'invalid_type' ? 0 : 1)));
}

/** Zod's messages may repeat what was written; these never do. */
function inWords(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `must be set to ${typeNames[issue.expected] ?? issue.expected}`;
  if (issue.code === 'invalid_value') return `must be ${issue.values.map(String).join(' or ')}`;
  if (
    issue.code === 'custom' ||
    issue.code === 'invalid_format' ||
    issue.code === 'too_big' ||
    issue.code === 'too_small'
  )
    return /^must /.test(issue.message) ? issue.message : 'is out of range';
  return 'has an invalid value';
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  object: 'a mapping',
  array: 'a list',
  boolean: 'a boolean',
  int: 'an integer',
  record: 'a mapping',
};

function nameOf(path: Path): string {
  return path.length === 0 ? stackFileName : `\`${fieldPath('', path)}\``;
}
