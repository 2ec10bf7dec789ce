import { expect, test } from 'vitest';
import { structureItemsOfText } from '../../src/derive/structure-items.ts';

const found = (text: string) => structureItemsOfText(text).map(({ pointer, name, lines }) => [pointer, name, ...lines]);

test('the items of a list at the top of a structure have their names and the lines on which they begin and end', () => {
  expect(found('- name: first\n  on: true\n- name: 2\n- third\n- [name]\n')).toEqual([
    ['/0', 'first', 1, 2],
    ['/1', undefined, 3, 3],
    ['/2', undefined, 4, 4],
    ['/3', undefined, 5, 5],
  ]);
});

test('so have those of the lists in its first level, and none that is deeper', () => {
  const text = 'on_request:\n  - name: deny\n    actions: [{type: deny}]\nother: {list: [1]}\n? [key]\n: [1]\n';
  expect(found(text)).toEqual([['/on_request/0', 'deny', 2, 3]]);
});

test('the path of an item leads to it from the top', () => {
  expect(structureItemsOfText('{"on_request": [{}, {}]}').map(({ path }) => path)).toEqual([
    ['on_request', 0],
    ['on_request', 1],
  ]);
});

test.each([
  ['a text', 'plain'],
  ['nothing', ''],
  ['more than 100,000 characters', `- ${'x'.repeat(100_000)}`],
  ['structures in one another without end', '['.repeat(10_000)],
])('of %s there are none', (_, text) => {
  expect(found(text)).toEqual([]);
});

test('a text of 100,000 characters still has items', () => {
  expect(found(`- ${'x'.repeat(99_998)}`)).toHaveLength(1);
});
