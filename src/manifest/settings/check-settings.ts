import { basename } from 'node:path';
import type * as z from 'zod';
import { valueAt } from '../../derive/value-at.ts';
import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import { fieldPath } from '../../diagnostics/field-path.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { unknownField } from '../../diagnostics/unknown-field.ts';
import type { Path } from '../../kinds/value.ts';
import { present } from '../../model/present.ts';
import type { Problems } from '../check/problems.ts';
import { type SettingsDocument, blocksWith, fieldsAt, flawOfText, wordsAt } from './settings-document.ts';

/** The settings of a document, with defaults; undefined if it does not match the schema, which is reported. */
export function checkSettings<Schema extends z.ZodType>(
  schema: Schema,
  { value, origin }: SettingsDocument,
  problems: Problems,
): z.output<Schema> | undefined {
  // The settings are read once, so code that zod would compile for them does not pay.
  const verdict = schema.safeParse(value, { jitless: true });
  if (verdict.success) return verdict.data;
  const file = safeText(basename(origin.document.file.name), 100);
  for (const issue of verdict.error.issues) report(issue);
  return undefined;

  function report(issue: z.core.$ZodIssue): void {
    const path = issue.path.filter((step): step is string | number => typeof step !== 'symbol');
    const written = valueAt(value, path);
    // A number in place of a text of a form, such as a duration without its unit.
    const flaw = typeof written === 'number' ? flawOfText(schema, path, String(written)) : undefined;
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) {
        const known = fieldsAt(schema, path);
        // Beside the name of a variable, a key may be a credential in braces.
        const shown = known.join() === 'from_env' ? '…' : key;
        problems.at(origin, [...path, key], {
          ...unknownField(shown, known, fieldPath(file, path)),
          ...misplaced(path, key),
        });
      }
    else if (flaw === undefined && issue.code === 'invalid_union' && issue.errors.length > 0)
      for (const inner of furthest(issue.errors)) report({ ...inner, path: [...path, ...inner.path] });
    else {
      const name = path.length === 0 ? file : `\`${fieldPath('', path)}\``;
      const words = flaw === undefined && issue.code === 'invalid_union' ? wordsAt(schema, path) : [];
      const message =
        words.length > 0 ? `${name} must be one of ${words.join(', ')}` : inWords(name, flaw ?? issue, written);
      problems.at(origin, path, {
        code: 'INVALID_SETTING',
        message,
        ...meant(flaw ?? issue, written, fieldsAt(schema, path)),
      });
    }
  }

  /** A setting of another block, or of another tool. */
  function misplaced(path: Path, key: string): { readonly hint?: string } {
    const hints = foreignSettings[path.filter((step) => typeof step === 'string').join('.')];
    if (hints !== undefined && Object.hasOwn(hints, key)) return present({ hint: hints[key] });
    const blocks = blocksWith(schema, key).map((block) => (block === '' ? 'at the top level' : `in \`${block}\``));
    return blocks.length === 0 || blocks.length > 2 ? {} : { hint: `\`${key}\` belongs ${blocks.join(' or ')}` };
  }
}

/** The allowed word that was probably meant, or what to write in place of another type. */
function meant(issue: z.core.$ZodIssue, written: unknown, fields: readonly string[]): { readonly hint?: string } {
  if (issue.code === 'invalid_type' && written !== undefined) {
    if (fields.join() === 'from_env')
      return { hint: 'write {from_env: NAME}, with the name of an environment variable' };
    if (issue.expected === 'array' && typeof written === 'string') return { hint: 'write a list such as [a, b]' };
    if (issue.expected === 'string' && typeof written === 'number') return { hint: 'put the value in quotes' };
    if (issue.expected === 'boolean') return { hint: 'write true or false, without quotes' };
  }
  if (issue.code !== 'invalid_value' || typeof written !== 'string') return {};
  if (issue.values.map(String).includes(written)) return { hint: `write ${written} without quotes` };
  return present({ hint: didYouMean(written, issue.values.map(String)) });
}

/** Of several alternatives, the one that matches furthest decides which problem is reported. */
function furthest(errors: readonly z.core.$ZodIssue[][]): readonly z.core.$ZodIssue[] {
  return [...errors].sort((a, b) => depthOf(b) - depthOf(a))[0] ?? [];
}

function depthOf(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length + (issue.code === 'invalid_type' ? 0 : 1)));
}

/** Zod's messages may repeat what was written; these never do. */
function inWords(name: string, issue: z.core.$ZodIssue, written: unknown): string {
  if (issue.message.startsWith('must ')) return `${name} ${issue.message}`;
  if (issue.code === 'invalid_type')
    return written === undefined
      ? `${name} is required`
      : `${name} must be ${typeNames[issue.expected] ?? issue.expected}`;
  if (issue.code === 'invalid_value')
    return issue.values.length > 1
      ? `${name} must be one of ${issue.values.map(String).join(', ')}`
      : `${name} must be ${issue.values.map(String).join('')}`;
  const isNumber = issue.code === 'too_big' || issue.code === 'too_small';
  return isNumber ? `${name} is outside the allowed range` : `${name} has an invalid value`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  object: 'a mapping',
  array: 'a list',
  boolean: 'a boolean',
  int: 'an integer',
  number: 'a number',
  record: 'a mapping',
};

const toUrls = 'write the URLs in `urls`, such as urls: ["*.example.com/admin*"]';
const toUrl = 'write the URL in `url`, such as url: demo.example.com/admin; each exception has one URL';
const toRequire = 'write the requirements in `require`, such as require: [named_users]';
const toPublic = 'write URLs that anyone may reach in `access.public`';
const toExceptions =
  'write exceptions in `access.exceptions`: {rule: NAME, url: demo.example.com/admin, reason: WHY, until: 2027-01-31}';
const toRules = 'write a rule in `access.rules`: {name: NAME, urls: ["*.example.com/admin*"], require: [named_users]}';
const toUntil = 'write the last day of the exception in `until`, such as until: 2027-01-31';

// What to write in place of a setting that firewalls, ingress controllers and policy engines have, or the block beside it. By block.
const foreignSettings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Of the operator policy: sluice.yaml has a block of this name.
  '': { policy: 'write `block` and `max_deletes` at the top level' },
  api: each(['url', 'endpoint', 'host', 'server', 'address'], 'write the URL of the service in `base_url`'),
  access: {
    ...each(['allow', 'allowed', 'open', 'anonymous', 'whitelist', 'allowlist'], toPublic),
    ...each(['except', 'exclude', 'excludes', 'ignore', 'skip', 'unless', 'exemptions'], toExceptions),
    ...each(['deny', 'denied', 'protect', 'protected', 'private', 'restrict', 'policies', 'policy'], toRules),
    ...each(['hosts', 'paths', 'urls', 'require'], toRules),
  },
  'access.rules': {
    ...each(['host', 'hosts', 'hostnames', 'domains', 'path', 'paths', 'match', 'url', 'resources'], toUrls),
    ...each(['except', 'exclude', 'excludes', 'ignore', 'skip', 'unless', 'exceptions'], toExceptions),
    ...each(['deny', 'action', 'effect', 'auth', 'authentication', 'must', 'ask', 'users', 'groups'], toRequire),
    ...each(['allow', 'public'], `${toPublic}; ${toRequire}`),
    ...each(
      ['methods', 'method', 'verbs'],
      'write the methods to which the rule does not apply in `except_methods`, such as except_methods: [OPTIONS]',
    ),
  },
  'access.exceptions': {
    ...each(['host', 'hosts', 'path', 'paths', 'match', 'urls'], toUrl),
    ...each(['rules', 'name', 'policy'], 'write the name of the access rule in `rule`'),
    ...each(
      ['why', 'because', 'comment', 'description', 'justification'],
      'write the reason of the exception in `reason`',
    ),
    ...each(['expires', 'expiry', 'expires_at', 'end', 'ends', 'date'], toUntil),
  },
};

function each(keys: readonly string[], hint: string): Readonly<Record<string, string>> {
  return Object.fromEntries(keys.map((key) => [key, hint]));
}
