import fc from 'fast-check';
import { stringify } from 'yaml';
import { describe, expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import { formattedText } from '../../../src/manifest/format/formatted-text.ts';
import { parseFully } from '../../../src/manifest/read/parse-documents.ts';
import { SourceFile } from '../../../src/manifest/read/source-document.ts';
import { anyStack } from '../../generators/stack.ts';
import { documentsOf } from '../../support/manifest-text.ts';

function formatted(text: string): string {
  const result = formattedText(file(text));
  return 'text' in result ? result.text : `(${Object.keys(result).join()})`;
}

function file(text: string): SourceFile {
  return new SourceFile('manifests/shop.yaml', text);
}

function meaning(text: string): readonly unknown[] {
  return [...parseFully(file(text))].map(({ value, problems }) => (problems.length > 0 ? problems : value));
}

describe('a manifest is formatted', () => {
  test.each([
    ['two spaces a level, lists below their key', 'a:\n    b:\n    - 1\n', 'a:\n  b:\n    - 1\n'],
    ['no spaces inside brackets', 'a: { b: [ 1,2 ] }\n', 'a: {b: [1, 2]}\n'],
    ['double quotes', 'a: \'x\'\nb: "y"\nc: \'say "no"\'\n', 'a: "x"\nb: "y"\nc: \'say "no"\'\n'],
    ['one space before a comment', 'a: 1     # one\n', 'a: 1 # one\n'],
    ['at most one blank line', 'a: 1\n\n\n\nb: 2\n\n\n', 'a: 1\n\nb: 2\n'],
    ['documents', '---\na: 1\n---\nb: 2\n', '---\na: 1\n---\nb: 2\n'],
    ['line ends of Windows, and a byte order mark', '\uFEFFa: 1\r\nb: |\r\n  x\r\n', 'a: 1\nb: |\n  x\n'],
    [
      'a list that is too long for a line',
      `a: [${'abcdefghi, '.repeat(12)}z]\n`,
      `a:\n${'  - abcdefghi\n'.repeat(12)}  - z\n`,
    ],
    ['folded text', 'a: >\n  x\n  y\n\n  z\n', 'a: >\n  x y\n\n  z\n'],
    ['a word that others read as another type keeps its quotes', 'a: "no"\nb: "1.2"\n', 'a: "no"\nb: "1.2"\n'],
    ['numbers stay as they are written', 'a: 0440\nb: 1.50\nc: 1e3\n', 'a: 0440\nb: 1.50\nc: 1e3\n'],
    ['an empty block, with its comment', 'a: | # one\n\nb: >\n', 'a: "" # one\nb: ""\n'],
    ['an empty file stays empty', '', ''],
    ['a file of comments stays', '# nothing yet\n', '# nothing yet\n'],
    ['a long plain text stays on its line', `a: ${'word '.repeat(60)}end\n`, `a: ${'word '.repeat(60)}end\n`],
  ])('%s', (_, written, wanted) => {
    expect(formatted(written)).toBe(wanted);
    expect(formatted(wanted)).toBe(wanted);
  });
});

test.each([
  ['a: [1\n', 'broken'],
  ['a: 1\na: 2\n', 'broken'],
  ['a: !!binary x\n', 'broken'],
  ['<<: {a: 1}\n', 'broken'],
  ['>1\n  xx\n', 'unsafe'],
  ['>1 # c\t\n    \n \t\n# d\n', 'unsafe'],
])('%j stays as it is: %s', (text, why) => {
  expect(formatted(text)).toBe(`(${why})`);
});

/** A manifest with comments, however a person writes: on lines of their own and behind values, indented by chance. */
const commented = fc
  .tuple(
    anyStack(kinds),
    fc.constantFrom(2, 3, 4),
    fc.boolean(),
    fc.constantFrom('BLOCK_LITERAL', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'PLAIN'),
    fc.array(fc.tuple(fc.nat(), fc.nat({ max: 8 }), fc.constantFrom('own', 'behind', 'blank')), { maxLength: 12 }),
  )
  .map(([items, indent, indentSeq, defaultStringType, comments]) => {
    const documents = documentsOf(items, kinds).slice(-2);
    const style = {
      indent,
      indentSeq,
      defaultStringType,
      singleQuote: indentSeq,
      aliasDuplicateObjects: indentSeq,
    } as const;
    const lines = documents
      .map((document) => stringify(document, style))
      .join('---\n')
      .split('\n');
    for (const [at, depth, how] of comments) {
      const line = at % lines.length;
      const comment = `# comment ${String(at % 100)}`;
      if (how === 'behind') lines[line] = `${lines[line] ?? ''} ${comment}`;
      else lines.splice(line, 0, how === 'own' ? `${' '.repeat(depth)}${comment}` : '');
    }
    return lines.join('\n');
  });

test('whatever is formatted means the same, keeps its comments, and is not changed by formatting again', () => {
  let formattedOnes = 0;
  fc.assert(
    fc.property(commented, (text) => {
      const result = formattedText(file(text));
      if ('broken' in result) return;
      expect(result).toHaveProperty('text');
      if (!('text' in result)) return;
      formattedOnes += 1;
      expect(meaning(result.text)).toEqual(meaning(text));
      expect(formattedText(file(result.text))).toEqual({ text: result.text });
    }),
    { numRuns: 60 },
  );
  expect(formattedOnes).toBeGreaterThan(30);
});
