import type { Field, Group, Leaf } from '../../kinds/kind.ts';
import { Secret, type SpecValue } from '../../kinds/value.ts';
import { writableNames } from './misplaced-field.ts';

/** What to write in place of a value that was refused, where another tool's way of writing it shows. */
export function valueHint(field: Field | undefined, value: SpecValue | undefined): string | undefined {
  if (field === undefined || value === null || value === undefined || value instanceof Secret) return undefined;
  if (field.is === 'dict' && Array.isArray(value)) return 'write a mapping such as {NAME: VALUE}';
  if (field.is === 'group' && typeof value !== 'object' && value !== true) return groupHint(field);
  if (typeof value === 'string') return textHint(field, value);
  if (field.is === 'leaf' && typeof value !== 'object' && takes(field, '')) return 'put the value in quotes';
  if (field.is === 'leaf' && typeof value === 'number') return percentHint(field, value);
  if (field.is === 'group' && value === true)
    return 'write a mapping with the fields of the group; {} sets all fields to their defaults';
  return undefined;
}

/** What a mapping needs, or where it needs nothing, what it may have. */
function groupHint({ fields }: Group): string | undefined {
  const writable = writableNames(fields);
  const required = writable.filter((name) => fields[name]?.required !== undefined);
  const [names, words] = required.length === 0 ? [writable, 'accepts'] : [required, 'requires'];
  return names.length === 0 ? undefined : `write a mapping; the mapping ${words} ${names.join(', ')}`;
}

const documents = new Set(['pem', 'saml', 'ssh-public-key', 'json', 'policy']);

function textHint(field: Field, text: string): string | undefined {
  const [, path] = /^(?:\$\{)?(?:file\(|@|file:\/\/)?["']?([\w./-]+\.[A-Za-z]{2,4})["']?\)?\}?$/.exec(text) ?? [];
  if (field.is === 'leaf' && documents.has(field.format ?? '') && path !== undefined)
    return `write {from_file: ${path}}, relative to the manifest`;
  const [, variable] = /^\$\{\s*var\.(\w+)\s*\}$/.exec(text) ?? [];
  if (variable !== undefined) return `write {var: ${variable}}`;
  if (/\$\{|\{\{|^\$\w+$/.test(text))
    return 'plain text is not interpolated: write {from_env: NAME}, or {template: TEXT} where TEXT contains ${var.NAME}';
  if (field.is === 'list') return 'write a list such as [a, b]';
  if (field.is !== 'leaf') return undefined;
  const number = numberMeant(field, text);
  if (number !== undefined) return number;
  if (!takes(field, true)) return undefined;
  return /^(true|yes|on)$/i.test(text) ? 'write true, without quotes' : 'write true or false, without quotes';
}

/** A number that was written as text: in quotes, with a unit of time, or as a percentage. */
function numberMeant(field: Leaf, text: string): string | undefined {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?) *(%|[smhd])?$/.exec(text) ?? [];
  const number = Number(digits);
  if (digits === '' || takes(field, text)) return undefined;
  if (unit === '%') return percentHint(field, number);
  if (unit === '') return takes(field, number) ? `write ${number}, without quotes` : undefined;
  const seconds = number * (secondsOf[unit] ?? 1);
  return /\bseconds\b/i.test(field.doc) && takes(field, seconds) ? `write ${seconds}: the unit is seconds` : undefined;
}

const secondsOf: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 };

/** A percentage where the API has a fraction. */
function percentHint(field: Leaf, percentage: number): string | undefined {
  const isFraction = !takes(field, percentage) && takes(field, percentage / 100) && takes(field, 0.5);
  return isFraction ? `write ${Number((percentage / 100).toPrecision(12))} for ${percentage} %` : undefined;
}

function takes({ schema }: Leaf, value: unknown): boolean {
  return schema.safeParse(value).success;
}
