import { DOMParser, XMLSerializer } from '@xmldom/xmldom';
import type { Leaf } from '../../kinds/kind.ts';
import type { SpecValue } from '../../kinds/value.ts';
import type { Settings } from '../options.ts';
import { timeOf } from '../world.ts';
import type { Normalization } from './normalizations.ts';

/** One scalar as a service shows what it was sent: some texts normalized, times in UTC, without key comments, secrets according to the settings. */
export function shownLeaf(leaf: Leaf, value: SpecValue, settings: Settings): SpecValue {
  if (leaf.secret === true && value !== '') {
    if (settings.secrets === 'empty') return '';
    if (settings.secrets === 'masked') return '********';
  }
  const shown = settings.readBack === 'as-sent' ? value : readBack(leaf, value);
  return typeof shown === 'object' ? shown : normalized(leaf, shown, settings.normalize);
}

function readBack(leaf: Leaf, value: SpecValue): SpecValue {
  if (typeof value !== 'string') return value;
  if (leaf.format === 'hostport' || leaf.format === 'header-name') return value.toLowerCase();
  if (leaf.format === 'ssh-public-key')
    return value
      .trim()
      .split(/[ \t]+/, 2)
      .join(' ');
  if (leaf.compare === 'instant' && leaf.lifecycle !== 'computed') return inUtc(value);
  return value;
}

function inUtc(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : timeOf(date);
}

type Scalar = string | number | boolean;

/** A scalar as a service shows it that rewrites in these ways. */
function normalized(leaf: Leaf, value: Scalar, ways: readonly Normalization[]): Scalar {
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
