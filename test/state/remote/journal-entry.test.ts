import { expect, test } from 'vitest';
import { changeBytes, entryIn, entryName, fenceOf, sealBytes } from '../../../src/state/remote/journal-entry.ts';

const at = { fence: 12, entry: 345 };
const change = { entries: { 'ReservedAddr/a': null }, intents: {} };

test('an entry of a journal is read as it was written, in whatever run and at whatever place', () => {
  expect(entryIn(changeBytes(at, 7, change), at)).toEqual({ change, serial: 7 });
  expect(entryIn(sealBytes(at, 13), at)).toEqual({ sealedBy: 13 });
  expect([entryName(at), fenceOf(entryName(at)), fenceOf('lease')]).toEqual(['journal/12-345', 12, undefined]);
});

test.each<[string, string, string]>([
  ['text', 'no text', 'the content is not JSON'],
  ['null', 'null', 'the content is not a JSON object'],
  [
    'an entry that was edited',
    text(changeBytes(at, 7, change)).replace('"serial":7', '"serial":8'),
    'the checksum does not match',
  ],
  [
    'an entry of another place',
    text(changeBytes({ fence: 12, entry: 346 }, 7, change)),
    'the content belongs to another entry',
  ],
  [
    'an entry of another run',
    text(changeBytes({ fence: 11, entry: 345 }, 7, change)),
    'the content belongs to another entry',
  ],
  [
    'an entry without a fence',
    text(changeBytes({ fence: 0, entry: 345 }, 7, change)),
    'the content has an unknown format',
  ],
  [
    'an entry before the first',
    text(changeBytes({ fence: 12, entry: 0 }, 7, change)),
    'the content has an unknown format',
  ],
])('%s in the place of an entry is damage', (_, stored, why) => {
  expect(() => entryIn(Buffer.from(stored), at)).toThrow(`the journal entry journal/12-345 cannot be read: ${why}`);
});

test('an entry that a newer sluice wrote is not read', () => {
  expect(() => entryIn(Buffer.from('{"journal":2}'), at)).toThrow('was written by a newer sluice');
});

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}
