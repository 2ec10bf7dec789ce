import { DOMParser, XMLSerializer } from '@xmldom/xmldom';
import type { Leaf } from '../../kinds/kind.ts';
import type { Normalization } from './normalizations.ts';

/** A scalar as a service shows it that rewrites in these ways. */
export function normalized(
  leaf: Leaf,
  value: string | number | boolean,
  ways: readonly Normalization[],
): string | number | boolean {
  if (typeof value === 'boolean' || leaf.secret === true) return value;
  return ways.reduce<string | number>((shown, way) => rewritten(way, leaf, shown), value);
}

const documents: readonly unknown[] = ['pem', 'saml', 'policy'];
const names: readonly unknown[] = ['hostport', 'hostname', 'header-name', 'email', 'team'];

function rewritten(way: Normalization, leaf: Leaf, value: string | number): string | number {
  if (typeof value === 'number')
    return way === 'single-precision' && !Number.isInteger(value) ? Math.fround(value) : value;
  if (value === '') return value;
  if (leaf.compare === 'instant') return time(way, value);
  switch (way) {
    case 'final-newline':
      return documents.includes(leaf.format) && !value.endsWith('\n') ? `${value}\n` : value;
    case 'trimmed':
      return leaf.format === 'policy' ? value.trimEnd() : value.trim();
    case 'unix-newlines':
      return value.replaceAll(/\r\n?/g, '\n');
    case 'json':
      return leaf.format === 'json' || leaf.format === 'policy' ? jsonAgain(value) : value;
    case 'pem':
      return leaf.format === 'pem' ? pemAgain(value) : value;
    case 'xml':
      return leaf.format === 'saml' ? xmlAgain(value) : value;
    case 'lower-case':
      if (leaf.format === 'match') return value.replace(/^[^/]*/, (host) => host.toLowerCase());
      return names.includes(leaf.format) ? value.toLowerCase() : value;
    default:
      return value;
  }
}

function time(way: Normalization, value: string): string {
  if (way === 'fractions') return value.replace(/(:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)$/, '$1.000000$2');
  return way === 'offsets' ? value.replace(/Z$/, '+00:00') : value;
}

function jsonAgain(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

/** Lines of 76 characters, as some encoders write them, without the text around the block. */
function pemAgain(text: string): string {
  const [, label = '', body = ''] = /-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \1-----/.exec(text) ?? [];
  const lines =
    Buffer.from(body, 'base64')
      .toString('base64')
      .match(/.{1,76}/g) ?? [];
  return label === '' ? text : [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

function xmlAgain(text: string): string {
  try {
    return new XMLSerializer().serializeToString(new DOMParser().parseFromString(text, 'text/xml'));
  } catch {
    return text;
  }
}
