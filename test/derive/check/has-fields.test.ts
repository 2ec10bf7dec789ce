import { expect, test } from 'vitest';
import { hasFields } from '../../../src/derive/check/has-fields.ts';
import { kinds } from '../../../src/kinds/index.ts';
import type { SpecObject } from '../../../src/kinds/value.ts';

const { fields } = kinds.named('HTTPSEdge')!;

test.each<[SpecObject, boolean]>([
  [{}, true],
  [{ description: 'shop', hostports: ['shop.example.com:443'] }, true],
  [{ description: null }, true],
  [{ description: ['shop'] }, false],
  [{ hostports: 'shop.example.com:443' }, false],
  [{ hostports: [{ host: 'shop.example.com' }] }, false],
  [{ mutual_tls: { certificate_authority_ids: ['ca_1'] } }, true],
  [{ mutual_tls: { certificate_authority_ids: 'ca_1' } }, false],
  [{ mutual_tls: 'ca_1' }, false],
  [{ mutual_tls: { unknown: 'ca_1' } }, false],
  [{ unknown: 'field' }, false],
  [{ constructor: null }, false],
])('a spec has the fields of an edge: %j is %s', (spec, expected) => {
  expect(hasFields(fields, spec)).toBe(expected);
});

test.each<[SpecObject, boolean]>([
  [{ request_headers: { add: { 'x-team': 'web' } } }, true],
  [{ request_headers: { add: { 'x-team': ['web'] } } }, false],
  [{ request_headers: { add: ['x-team: web'] } }, false],
])('of a mapping any name counts, with values of their type: %j is %s', (spec, expected) => {
  expect(hasFields(kinds.named('HTTPSEdgeRoute')!.fields, spec)).toBe(expected);
});
