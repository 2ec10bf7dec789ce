import type { Comparison } from '../../kinds/kind.ts';
import { parseSshPublicKey } from '../../kinds/formats/ssh-public-key.ts';
import { jsonForm } from './marked-json.ts';
import { policyForm } from './policy-form.ts';
import { xmlForm } from './xml-form.ts';

/** How values of one comparison are brought to one spelling, and what of a text that leaves out. */
export interface Spelling {
  readonly of: (text: string) => string | number;
  /** What is not compared, in words. */
  readonly ignores?: string;
}

/** One for every comparison (decisions 0025). */
export const spellings: Readonly<Record<Comparison, Spelling>> = {
  exact: { of: (text) => text },
  single: { of: (text) => text, ignores: 'differences smaller than the precision of a 32-bit number' },
  text: { of: trimmed, ignores: 'differences in leading and trailing white space, and in line breaks (LF or CRLF)' },
  caseless: { of: (text) => text.toLowerCase(), ignores: 'differences in letter case' },
  match: {
    of: (text) => text.replace(/^[^/]*/, (host) => host.toLowerCase()),
    ignores: 'differences in the letter case of the host',
  },
  'header-value': {
    // Only where a run of white space begins: a text of spaces would take quadratic time.
    of: (text) => text.replaceAll(/^[ \t]+|(?<![ \t])[ \t]+$/g, ''),
    ignores: 'differences in leading and trailing white space',
  },
  instant: {
    of: second,
    ignores: 'differences in the time zone (if the moment is the same), and in fractions of a second',
  },
  json: {
    of: (text) => {
      const form = jsonForm(text) ?? trimmed(text);
      // An empty mapping beside the marker reads back as nothing at all.
      return form === '{}' ? '' : form;
    },
    ignores: 'differences in the white space and key order of JSON',
  },
  policy: {
    of: (text) => policyForm(text) ?? unixLines(text).trimEnd(),
    ignores: 'differences in comments, white space, key order and style of JSON or YAML',
  },
  pem: {
    of: (text) => pemForm(text) ?? trimmed(text),
    ignores: 'differences in line breaks, and in the text around the certificate',
  },
  xml: {
    of: (text) => xmlForm(text) ?? trimmed(text),
    ignores: 'differences in white space and comments between elements',
  },
  'key-blob': {
    of: (text) => {
      const key = parseSshPublicKey(text);
      return key === undefined ? text : `${key.type} ${key.blob.toString('base64')}`;
    },
    ignores: 'differences in the comment and white space of the key',
  },
};

function unixLines(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

function trimmed(text: string): string {
  return unixLines(text).trim();
}

/** What lasts is signed for whole seconds. */
function second(text: string): string | number {
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : Math.floor(time / 1000);
}

/** PEM text as the labels and bytes of its blocks, without what stands around them; undefined where a block cannot be read. */
function pemForm(text: string): string | undefined {
  const begun = text.split('-----BEGIN').length - 1;
  const blocks = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]*)-----END \1-----/g)].map(
    ([, label = '', body = '']) => ({ label, base64: body.replaceAll(/\s/g, '') }),
  );
  const isWhole = begun > 0 && blocks.length === begun;
  if (!isWhole || !blocks.every(({ base64 }) => /^[A-Za-z0-9+/]+={0,2}$/.test(base64))) return undefined;
  return blocks.map(({ label, base64 }) => `${label} ${Buffer.from(base64, 'base64').toString('base64')}`).join('\n');
}
