import { expect, it } from 'vitest';
import { mismatches } from './matcher.ts';
import { replay } from './replay.ts';
import { spellOut, type Json } from './words.ts';

it.each<[string, Json, Json]>([
  ['another value', { region: 'us' }, { region: 'eu' }],
  ['a missing key', { region: 'us', addr: '<string>' }, { region: 'us' }],
  ['a key too many', { region: 'us' }, { region: 'us', colour: 'red' }],
  ['null where the key must be left out', { metadata: '<absent>' }, { metadata: null }],
  ['a missing key where null is promised', { oauth: null }, {}],
  ['a missing key where anything is promised', { status: '<any>' }, {}],
  ['an inherited key', { toString: '<any>' }, {}],
  ['a value where none was set', { metadata: '<unset>' }, { metadata: 'x' }],
  ['a list that is not empty', '<empty>', ['a']],
  ['an entry too many', ['a'], ['a', 'b']],
  ['an entry too few', ['a', 'a'], ['a']],
  ['an entry that another took', ['<string>', 'a', 'a'], ['a', 'a', 1]],
  ['a list whose promised entry is missing', ['a', '<rest>'], ['b', 'c']],
  ['an object where a list is promised', [], {}],
  ['an empty string', '<string>', ''],
  ['a number in quotes', '<number>', '7'],
  ['a time without a zone', '<time>', '2026-01-02T03:04:05'],
  ['another instant', '<instant:2026-01-02T03:04:05Z>', '2026-01-02T03:04:06Z'],
  ['not quite a year', '<year after:2026-01-02T03:04:05Z>', '2027-01-01T03:04:05Z'],
  ['another prefix', '<id:edghts>', 'edghtsrt_2aBcDeFgHiJkLmNoPqRsTuVwXyZ'],
  ['an id that is too short', '<id:ra>', 'ra_2aBc'],
  ['another path', '<uri:/reserved_addrs/*>', 'https://api.example.com/reserved_addrs'],
  ['none of these', '<one:rsa|ecdsa>', 'dsa'],
  ['another beginning', '<starts:ssh-rsa>', 'x ssh-rsa'],
])('%s does not fit', (_, expected, actual) => {
  expect(mismatches(expected, actual)).not.toEqual([]);
});

it.each<[string, Json, Json]>([
  ['lists in another order', ['a', { b: 1 }], [{ b: 1 }, 'a']],
  ['the same instant in another zone', '<instant:2026-01-02T03:04:05Z>', '2026-01-02T04:04:05.000+01:00'],
  ['a year', '<year after:2026-01-02T03:04:05Z>', '2027-01-02T03:04:05Z'],
  ['null, "" and nothing for what is unset', { a: '<unset>', b: '<unset>', c: '<unset>' }, { a: null, b: '' }],
  ['an absolute and a path-only address', ['<uri:/a/*>', '<uri:/a/*>'], ['https://x.example/v1/a/1?q=2', '/a/1']],
  ['a list that has grown', ['a', '<rest>'], ['b', 'a']],
])('%s fit', (_, expected, actual) => {
  expect(mismatches(expected, actual)).toEqual([]);
});

it('reports where an answer is wrong', () => {
  expect(mismatches({ edge: { hostports: ['a:1', 'b:2'] } }, { edge: { hostports: ['b:2', 'a:3'] } })).toEqual([
    'body.edge.hostports[] should be "a:1" and is "a:3"',
  ]);
});

it('spells out captured values, repeated text and shapes', () => {
  const shapes = { Ref: { id: '<string>', uri: '<uri>' } };
  expect(spellOut({ is: 'Ref', id: '${edge.id}', note: '<times:3:ab>c' }, { edge: { id: 'e1' } }, shapes)).toEqual({
    id: 'e1',
    uri: '<uri>',
    note: 'abababc',
  });
  expect(() => spellOut('${edge.id}', {}, {})).toThrow('no earlier answer holds');
});

it.each([
  ['another status', 404, '{}'],
  ['a body that reads otherwise', 200, '{"id":"b"}'],
  ['another status with the right body', 201, '{"id":"a"}'],
])('a replay fails on %s', async (_, status, body) => {
  const exchange = { family: '', name: '', from: '', since: 'described', shows: [] } as const;
  const steps = [{ send: 'GET /x', answer: 200, reads: { id: 'a' } }];
  const answered = (got: { status: number; body: string }) =>
    replay({ ...exchange, steps }, 'completed', {}, () => ({ headers: {}, ...got }));
  expect(await answered({ status, body })).not.toEqual([]);
  expect(await answered({ status: 200, body: '{"id":"a"}' })).toEqual([]);
});
