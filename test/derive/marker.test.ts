import { describe, expect, test } from 'vitest';
import {
  joinMetadata,
  jsonObject,
  makeMarker,
  markedAddress,
  MARKER_BYTES,
  markerField,
  ownerOf,
  splitMetadata,
  stackIdOf,
} from '../../src/derive/marker.ts';
import { kinds } from '../../src/kinds/index.ts';

const stack = { name: 'prod', id: '7f3a9c21' };
const marker = makeMarker(stack, 'HTTPSEdge/shop', { protect: true, retain: false }, '0123456789ab');

test('every kind has one field that carries the marker', () => {
  expect(new Set(kinds.all.map(markerField))).toEqual(new Set(['metadata']));
  expect(markerField({ ...kinds.all[0]!, fields: {} })).toBeUndefined();
});

test('a marker contains whose a resource is, which, how it is kept, and which making of it', () => {
  expect(marker).toEqual({ s: 'prod/7f3a9c21', a: 'HTTPSEdge/shop', p: 'p', n: '0123456789ab' });
  expect(makeMarker(stack, 'HTTPSEdge/shop', { protect: false, retain: true })).toMatchObject({ p: 'r', n: '' });
  expect(makeMarker(stack, 'HTTPSEdge/shop', { protect: true, retain: true }).p).toBe('pr');
});

test('the id of the stack can be had back from the owner', () => {
  expect(stackIdOf(marker)).toBe('7f3a9c21');
  expect(ownerOf({ name: 'a/b', id: '7f3a9c21' })).toBe('a/b/7f3a9c21');
  expect(stackIdOf({ ...marker, s: 'a/b/7f3a9c21' })).toBe('7f3a9c21');
});

describe('an address in a marker', () => {
  test('stands as it is where it fits', () => {
    expect(markedAddress('prod/7f3a9c21', 'HTTPSEdge/shop')).toBe('HTTPSEdge/shop');
  });

  test('is its kind and a hash where it does not, another for each address', () => {
    const long = (last: string) => markedAddress('prod/7f3a9c21', `HTTPSEdgeRoute/shop:/${'a'.repeat(200)}${last}`);
    expect(long('b')).toMatch(/^HTTPSEdgeRoute#[0-9a-f]{16}$/);
    expect(long('b')).not.toBe(long('c'));
  });

  test.each(['HTTPSEdgeRoute/shop:/ü"'.padEnd(90, 'ü'), 'SSHHostCertificate/'.padEnd(82, 'x'), 'HTTPSEdge/a'])(
    'never makes the marker longer than what is reckoned for it: %s',
    (address) => {
      const longest = { name: 'n'.repeat(63), id: '7f3a9c21' };
      const made = makeMarker(longest, address, { protect: true, retain: true }, '0'.repeat(12));
      const alone = Buffer.byteLength(joinMetadata('{"a":1}', made)) - Buffer.byteLength('{"a":1}');
      expect(alone).toBeLessThanOrEqual(MARKER_BYTES);
    },
  );
});

describe('metadata taken apart', () => {
  test.each([
    ['', { text: '', unmarkable: false }],
    ['{"team":"web"}', { text: '{"team":"web"}', unmarkable: false }],
    ['plain text', { text: 'plain text', unmarkable: true }],
    ['[1]', { text: '[1]', unmarkable: true }],
    ['{broken', { text: '{broken', unmarkable: true }],
    ['{"sluice":"edited by hand","team":"web"}', { text: '{"team":"web"}', unmarkable: false }],
    ['{"sluice":null}', { text: '', unmarkable: false }],
    ['{"sluice":{"s":"prod/1","a":"A/b","p":""}}', { text: '', unmarkable: false }],
    [`{"sluice":{"s":"${'x'.repeat(513)}","a":"A/b","p":"","n":""}}`, { text: '', unmarkable: false }],
  ])('%s', (metadata, parts) => {
    expect(splitMetadata(metadata)).toEqual(parts);
  });

  test.each(['', '{"team":"web"}', '{"a":{"sluice":1}}', '{"id":12345678901234567891,"b":1.50}'])(
    'gives back what was put beside the marker: %s',
    (text) => {
      expect(splitMetadata(joinMetadata(text, marker))).toEqual({ text, marker, unmarkable: false });
    },
  );

  test.each([
    ['as it is written by sluice', joinMetadata('{"team":"web"}', marker)],
    ['with spaces', JSON.stringify({ team: 'web', sluice: marker }, null, 2)],
    ['with the marker first', JSON.stringify({ sluice: marker, team: 'web' })],
    ['with an older marker before it', `{"sluice":{"s":"other"},"team":"web","sluice":${JSON.stringify(marker)}}`],
    ['with an escaped key', `{"sl\\u0075ice":{"s":"other"},"team":"web","sluice":${JSON.stringify(marker)}}`],
  ])('gives the text of the user and the marker, %s', (_spelling, metadata) => {
    expect(splitMetadata(metadata)).toEqual({ text: '{"team":"web"}', marker, unmarkable: false });
  });

  test('drops what a marker does not have', () => {
    const odd = JSON.stringify({ sluice: { ...marker, more: 'x' } });
    expect(splitMetadata(odd).marker).toEqual(marker);
  });
});

test('text that is no JSON object carries no marker and stays as it is', () => {
  expect(joinMetadata('plain', marker)).toBe('plain');
});

test.each([
  ['{"a":1}', { a: 1 }],
  [' \n{"a":1}', { a: 1 }],
  ['"a"', undefined],
  ['null', undefined],
  ['{', undefined],
])('%j holds the object %j', (text, object) => {
  expect(jsonObject(text)).toEqual(object);
});
