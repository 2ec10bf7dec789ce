import fc from 'fast-check';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { writtenText } from '../../../src/manifest/write/write-text.ts';
import type { Written } from '../../../src/manifest/read/written.ts';
import { hostile } from '../../render/hostile-text.ts';

test.each<[Written, string]>([
  [{ kind: 'Thing', spec: {} }, 'kind: Thing\nspec: {}\n'],
  [{ places: ['shop.example.com:443', '/cart'] }, 'places: [shop.example.com:443, /cart]\n'],
  [{ id: { ref: 'shop' }, on: false }, 'id: {ref: shop}\n"on": false\n'],
  [{ version: '1.2', word: 'no', empty: '' }, 'version: "1.2"\nword: "no"\nempty: ""\n'],
  [{ pem: '-----BEGIN\nabc\n-----END\n' }, 'pem: |\n  -----BEGIN\n  abc\n  -----END\n'],
  [{ xml: '<a>\n  <b/>\n\n</a>' }, 'xml: |-\n  <a>\n    <b/>\n\n  </a>\n'],
  [[{ a: 1, b: [{ c: 'd' }] }], '- a: 1\n  b:\n    - {c: d}\n'],
  [{ text: 'one \ntwo' }, 'text: "one \\ntwo"\n'],
  ['a\n--- b', '|-\n  a\n  --- b\n'],
])('%j is written as a person would', (value, text) => {
  expect(writtenText(value)).toBe(text);
});

test.each(['a\n---', 'a\n--- b', 'a\n...', 'a\n... b\n', 'a\n%YAML 1.1\nb', 'a\n# b', 'a\n- b\nc: d'])(
  'a document that is only the text %j does not end within it',
  (text) => {
    expect(parse(writtenText(text))).toBe(text);
    expect(parse(writtenText([[text], { key: text }]))).toEqual([[text], { key: text }]);
  },
);

test('whatever a text holds, a reader gets it back, and nothing in it acts on a terminal or a log', () => {
  const text = fc.oneof(
    hostile,
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('a', ' ', '\n', '#', ':', '-', '\t', '[', '"') }),
  );
  const { tree } = fc.letrec<{ tree: Written }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.constantFrom<Written>(null, true, 0, 1.5),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(
        text.filter((key) => key !== '__proto__'),
        tie('tree'),
        { maxKeys: 3, noNullPrototype: true },
      ),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      const written = writtenText(value);
      expect(parse(written, { maxAliasCount: 0 })).toEqual(value);
      expect(written.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]|##\w*\[/u);
    }),
    { numRuns: 500 },
  );
});
