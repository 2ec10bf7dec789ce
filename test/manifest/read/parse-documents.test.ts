import { expect, test } from 'vitest';
import { limits } from '../../../src/manifest/read/limits.ts';
import { parseFully } from '../../../src/manifest/read/parse-documents.ts';
import { SourceFile } from '../../../src/manifest/read/source-document.ts';

function messages(text: string): readonly string[] {
  const documents = [...parseFully(new SourceFile('x.yaml', text))];
  return documents.flatMap(({ problems }) => problems.map(({ message }) => message));
}

const indentation = 'the line is indented by 2 spaces, which does not match the lines above';

test('as many errors as are listed tell of wrong indentation, to the last one', () => {
  const broken = 'a:\n    b: 1\n  c: 2\n---\n';
  const found = messages(broken.repeat(limits.problems + 1));
  expect(found).toHaveLength(limits.problems + 1);
  expect(new Set(found.slice(0, limits.problems))).toEqual(new Set([indentation]));
  expect(found.at(-1)).not.toBe(indentation);
});

test('a tag that is not supported is none of these errors, and reported as a tag where the line after it is indented wrongly', () => {
  const tagged = 'a:\n    b: !foo 1\n---\n';
  const found = messages(`${tagged.repeat(limits.problems)}a:\n    b: 1\n  c: 2\n`);
  expect(found).toHaveLength(limits.problems + 1);
  expect(found.at(-1)).toBe(indentation);
  const both = messages('a:\n    b: !foo 1\n  c: 2\n');
  expect(both).toContain(indentation);
  expect(both.filter((message) => message !== indentation)).not.toEqual([]);
});

test('an indentation with another character than a space is reported, but not text that begins with one', () => {
  const odd = 'the indentation contains a character that looks like a space, such as a non-breaking space';
  expect(messages('a:\n  b: x\n\u00A0 c: []\n  d: []\n')).toContain(odd);
  const after = (text: string): readonly string[] => messages(`${text}\nb: c: d\n`);
  expect(after('a: |\n  \u3000text')).toEqual(after('a: |\n  text'));
  expect(after("a: 'text of\n  \u3000two lines'")).toEqual(after("a: 'text of\n  two lines'"));
});

test.each([
  ['aliases', '&a 1', '*a'],
  ['anchors', '1', '&a 1'],
  ['tags', '1', '!!int 1'],
])(
  'a document has as many %s as the limit, another has as many again, and a file has no more in one',
  (_, first, item) => {
    const text = (count: number) => `- ${first}\n${`- ${item}\n`.repeat(count)}`;
    expect(messages(`${text(limits.aliases)}---\n${text(limits.aliases)}`)).toEqual([]);
    expect(messages(text(limits.aliases + 1))).toHaveLength(1);
    expect(messages(`- "*a"\n- 'x &a'\n- x !y\n`.repeat(limits.aliases))).toEqual([]);
  },
);

test.each([
  ['%YAML 1.2\n---\na: 1\n', []],
  ['%YAML 1.1\n---\na: 1\n', ['YAML directives are not supported']],
  ['%TAG ! tag:a\n---\na: 1\n', ['YAML directives are not supported']],
])('of directives, only that of the version is taken: %j', (text, expected) => {
  expect(messages(text)).toEqual(expected);
});
