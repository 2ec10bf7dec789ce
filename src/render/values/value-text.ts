import { createHash } from 'node:crypto';
import { safeText } from '../../diagnostics/safe-text.ts';
import type { FieldFormat } from '../../kinds/kind.ts';
import { Ref, Secret, type SpecValue } from '../../kinds/value.ts';
import { meaningText } from './meaning-text.ts';

// Longer text is shown by its size and digest if there is only one line for it.
const longest = 100;

/** A value on one line, safe to print; secrets masked, ids not known yet as `{Kind/name}`, values as `{Kind/name.field}`. */
export function valueText(value: SpecValue | undefined, format?: FieldFormat): string {
  if (value === undefined || value === null) return '(not set)';
  if (value instanceof Secret) return safeText(value.toString());
  if (value instanceof Ref)
    return value.field === undefined
      ? `{${safeText(value.to)}}`
      : `{${safeText(`${value.output?.address ?? value.to}.${value.field}`)}} (known after apply${value.output === undefined ? '' : ` of stack ${safeText(value.output.stack)}`})`;
  if (typeof value === 'string') return stringText(value, format);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => valueText(item as SpecValue, format)).join(', ')}]`;
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  return `{${entries.map(([key, item]) => `${keyText(key)}: ${valueText(item)}`).join(', ')}}`;
}

/** A key as it stands in a path or mapping. */
export function keyText(key: string): string {
  return /^[\w-]+$/.test(key) ? key : safeText(JSON.stringify(key));
}

/** Whether a text is better shown by its lines, or by size and digest, than on one line. */
export function isLong(text: string): boolean {
  return text.length > longest || /[\r\n]/.test(text.trimEnd());
}

/** A short name of a text, such as that of its version. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** A text by size and digest. */
export function sizeText(text: string): string {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return `(${lines > 1 ? `${lines} lines, ` : ''}${Buffer.byteLength(text)} bytes, sha256 ${shortHash(text)})`;
}

function stringText(text: string, format: FieldFormat | undefined): string {
  const meant = format === undefined ? undefined : meaningText(text, format);
  if (meant !== undefined) return meant;
  if (isLong(text)) return sizeText(text);
  if (format === 'json' && text.startsWith('{')) return safeText(text);
  // What YAML would take for something else than text keeps its quotes.
  const isPlain = /^[\w./:@*+-]+$/.test(text) && !/^([\d.+-]+|true|false|null)$/.test(text);
  return isPlain ? text : safeText(JSON.stringify(text));
}
