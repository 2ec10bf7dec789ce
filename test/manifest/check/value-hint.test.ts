import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Field, Leaf } from '../../../src/kinds/kind.ts';
import { Secret, type SpecValue } from '../../../src/kinds/value.ts';
import { valueHint } from '../../../src/manifest/check/value-hint.ts';

const leaf = (schema: z.ZodType, more: Partial<Leaf> = {}): Leaf =>
  ({ is: 'leaf', doc: '', lifecycle: 'mutable', schema, checks: [], ...more }) as unknown as Leaf;
const text = leaf(z.string());
const number = leaf(z.number());
const seconds = leaf(z.number().int(), { doc: 'How long, in Seconds.' });
const fraction = leaf(z.number().min(0).max(1));
const flag = leaf(z.boolean());
const group = (required: boolean): Field =>
  ({
    is: 'group',
    rules: [],
    fields: {
      one: leaf(z.string(), (required ? { required: 'create' } : {}) as Partial<Leaf>),
      two: text,
      made: leaf(z.string(), { lifecycle: 'computed' }),
    },
  }) as unknown as Field;
const empty = { is: 'group', rules: [], fields: {} } as unknown as Field;
const list = { is: 'list', of: text } as unknown as Field;
const dict = { is: 'dict', of: text } as unknown as Field;

const interpolated =
  'plain text is not interpolated: write {from_env: NAME}, or {template: TEXT} where TEXT contains ${var.NAME}';
const quotes = 'put the value in quotes';
const either = 'write true or false, without quotes';
const file = (path: string) => `write {from_file: ${path}}, relative to the manifest`;

const cases: readonly (readonly [string, Field | undefined, SpecValue | undefined, string | undefined])[] = [
  ['nothing known', undefined, 'x', undefined],
  ['null', text, null, undefined],
  ['nothing written', text, undefined, undefined],
  ['a secret', flag, new Secret('true'), undefined],
  // Numbers and flags
  ['a number for a text', text, 1, quotes],
  ['a flag for a text', text, true, quotes],
  ['a mapping for a text', text, { a: 1 }, undefined],
  ['a text for a number', number, '15', 'write 15, without quotes'],
  ['a decimal text for a number', number, '1.5', 'write 1.5, without quotes'],
  ['a decimal text for an integer', seconds, '1.5', undefined],
  ['another text for a number', number, 'many', undefined],
  ['a number with a unit, where the unit is not known', number, '15m', undefined],
  ['seconds', seconds, '15s', 'write 15: the unit is seconds'],
  ['minutes for seconds', seconds, '15 m', 'write 900: the unit is seconds'],
  ['hours for seconds', seconds, '1.5h', 'write 5400: the unit is seconds'],
  ['days for seconds', seconds, '2d', 'write 172800: the unit is seconds'],
  ['weeks for seconds', seconds, '2w', undefined],
  ['a part of a second', seconds, '0.5s', undefined],
  ['a percentage', fraction, '50%', 'write 0.5 for 50 %'],
  ['a percentage with a space', fraction, '12.5 %', 'write 0.125 for 12.5 %'],
  ['a percentage as a number', fraction, 50, 'write 0.5 for 50 %'],
  ['too much for a percentage', fraction, 101, undefined],
  ['a percentage where no fraction is meant', number, '50%', undefined],
  ['a number that is refused for another reason', leaf(z.number().int().max(10)), 50, undefined],
  ['a text for a flag', flag, 'maybe', either],
  ['yes for a flag', flag, 'yes', 'write true, without quotes'],
  ['ON for a flag', flag, 'ON', 'write true, without quotes'],
  ['no for a flag', flag, 'no', either],
  ['a number for a flag', flag, 1, undefined],
  // Mappings and lists
  ['a list for a mapping', dict, ['a'], 'write a mapping such as {NAME: VALUE}'],
  ['a text for a mapping', dict, 'a', undefined],
  ['a text for a list', list, 'a', 'write a list such as [a, b]'],
  ['a number for a list', list, 1, undefined],
  ['a text for a group', group(false), 'a', 'write a mapping; the mapping accepts one, two'],
  ['a text for a group that requires a field', group(true), 'a', 'write a mapping; the mapping requires one'],
  ['a text for a group without fields', empty, 'a', undefined],
  ['false for a group', group(true), false, 'write a mapping; the mapping requires one'],
  [
    'true for a group',
    group(true),
    true,
    'write a mapping with the fields of the group; {} sets all fields to their defaults',
  ],
  ['a list for a group', group(true), [], undefined],
  // Files, variables and what other tools interpolate
  ['a path for a document', leaf(z.string(), { format: 'pem' }), 'certs/ca.pem', file('certs/ca.pem')],
  ['a path in file()', leaf(z.string(), { format: 'json' }), '${file("a.json")}', file('a.json')],
  ['a path of curl', leaf(z.string(), { format: 'json' }), '@a.json', file('a.json')],
  ['a URL of a file', leaf(z.string(), { format: 'saml' }), 'file://a/b.xml', file('a/b.xml')],
  ['a name without an extension', leaf(z.string(), { format: 'pem' }), 'ca', undefined],
  ['a path for another text', leaf(z.string(), { format: 'hostname' }), 'a.pem', undefined],
  ['a variable of Terraform', text, '${var.region}', 'write {var: region}'],
  ['a variable of Terraform with spaces', list, '${ var.region }', 'write {var: region}'],
  ['a variable in a text', text, 'eu-${var.region}', interpolated],
  ['a template of Helm', text, '{{ .Values.region }}', interpolated],
  ['a variable of a shell', text, '$REGION', interpolated],
  ['a price', text, 'in $ 5', undefined],
];

test.each(cases)('the hint to %s', (_, field, value, hint) => {
  expect(valueHint(field, value)).toBe(hint);
});
