import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { readDocument } from '../../src/state/document.ts';

const usual = {
  kind: 'ReservedAddr',
  id: 'ra_1',
  parent: 'edge_1',
  spec: {},
  protect: true,
  retain: false,
  nonce: '',
  source: 'a.yaml:1',
};

function stateWith(entry: object): string {
  const content = {
    format: 1,
    lineage: 'lineage',
    serial: 1,
    account: '',
    salt: '0123456789abcdef',
    written_by: { version: '1', command: 'test' },
    entries: { 'ReservedAddr/one': entry },
  };
  return sealed(JSON.stringify(content, null, 1).slice(0, -2));
}

function sealed(text: string): string {
  return `${text},\n "checksum": "sha256:${createHash('sha256').update(text).digest('hex')}"\n}\n`;
}

test('an entry is read as it was written, in one order of fields', () => {
  const { source, ...others } = usual;
  for (const entry of [usual, { source, ...others }])
    expect(JSON.stringify(readDocument(stateWith(entry)).entries['ReservedAddr/one'])).toBe(JSON.stringify(usual));
});

test('an entry with fields that few entries have is read as it was written', () => {
  const rare = { formerNonces: ['n1'], formerAddresses: ['ReservedAddr/two'], deposed: ['ra_0'], deleting: true };
  expect(readDocument(stateWith({ ...usual, ...rare })).entries['ReservedAddr/one']).toEqual({ ...usual, ...rare });
});

test.each([
  { kind: '' },
  { kind: 1 },
  { id: 'a/b' },
  { id: '' },
  { id: null },
  { parent: '..' },
  { spec: [] },
  { spec: null },
  { protect: 'true' },
  { retain: 0 },
  { nonce: 1 },
  { source: null },
  { deposed: ['a/b'] },
  { other: 1 },
  { ['__proto__']: 1 },
])('an entry with %j is refused', (wrong) => {
  expect(() => readDocument(stateWith({ ...usual, ...wrong }))).toThrow('the state cannot be read');
});

test.each(['kind', 'id', 'spec', 'protect', 'retain'])('an entry without %s is refused', (name) => {
  const entry = Object.fromEntries(Object.entries(usual).filter(([key]) => key !== name));
  expect(() => readDocument(stateWith(entry))).toThrow('the state cannot be read');
});

test.each(['null', '[]', '7', '"state"'])('a file that holds %s is damaged: no state is as short as that', (text) => {
  expect(() => readDocument(text)).toThrow('the content is not a JSON object');
});

const whole = stateWith(usual);

test.each<[string, string]>([
  ['a value was changed', whole.replace('"lineage"', '"lineagE"')],
  ['the indentation was changed', JSON.stringify(JSON.parse(whole))],
  ['the checksum was removed', whole.replace(/,\n "checksum": "[^"]*"/, '')],
  ['something follows the checksum', whole.replace(/"\n}\n$/, '",\n "entries": {}\n}\n')],
])('a state is refused if %s', (_what, text) => {
  expect(text).not.toBe(whole);
  expect(() => readDocument(text)).toThrow('the checksum does not match: the file was truncated, damaged or edited');
});

test('what is wrong with an entry is reported', () => {
  expect(() => readDocument(stateWith({ ...usual, id: 'a/b' }))).toThrow('not an id');
  const { parent: _, ...alone } = usual;
  expect(() => readDocument(stateWith({ ...alone, id: 1 }))).toThrow('expected string, received number');
});

test.each<[unknown, unknown, RegExp]>([
  [2, { version: '2.0.0' }, /written by a newer sluice \(2\.0\.0\)$/],
  [2, { version: '' }, /written by a newer sluice$/],
  [2, { version: 2 }, /written by a newer sluice$/],
  [2, {}, /written by a newer sluice$/],
  [2, null, /written by a newer sluice$/],
  [2, 'sluice 2', /written by a newer sluice$/],
  ['2', { version: '2.0.0' }, /the checksum does not match/],
  [1, { version: '2.0.0' }, /the checksum does not match/],
  [0, { version: '2.0.0' }, /the checksum does not match/],
])('a file of format %j that was written by %j is refused', (format, written_by, why) => {
  expect(() => readDocument(JSON.stringify({ format, written_by }))).toThrow(why);
});

test('a file without content is distinguished from one that is no JSON', () => {
  expect(() => readDocument('')).toThrow('the content is empty');
  expect(() => readDocument('{')).toThrow('the content is not JSON');
});
