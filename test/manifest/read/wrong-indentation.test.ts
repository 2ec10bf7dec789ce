import { expect, test } from 'vitest';
import { SourceFile } from '../../../src/manifest/read/source-document.ts';
import { wrongIndentation } from '../../../src/manifest/read/wrong-indentation.ts';

/** What is said of a text, for an error of syntax at `!`, which is no part of it: the line, how many characters, and the text. */
function found(marked: string, start = 0) {
  const offset = marked.indexOf('!');
  const text = marked.replace('!', '');
  const file = new SourceFile('x.yaml', text);
  const problem = wrongIndentation(file, start, offset);
  if (problem === undefined) return undefined;
  const [from, to] = problem.range;
  return [file.spot(from).line, file.spot(from).col, to - from, problem.message, problem.hint];
}

const message = (by: string) => `the line is indented by ${by}, which does not match the lines above`;
const likeKey = (what: string, line: number) => `${what}, like the key in line ${String(line)}`;
const likeDash = (what: string, line: number) => `${what}, like the \`-\` in line ${String(line)}`;

test.each([
  [
    'between two levels, the nearer',
    'a:\n    b: 1\n   c!: 2\n',
    [3, 1, 3, message('3 spaces'), likeKey('indent the line by 4 spaces', 2)],
  ],
  [
    'as near to both, the deeper',
    'a:\n    b: 1\n  c!: 2\n',
    [3, 1, 2, message('2 spaces'), likeKey('indent the line by 4 spaces', 2)],
  ],
  [
    'nearer to the first',
    'a:\n    b: 1\n c!: 2\n',
    [3, 1, 1, message('1 space'), likeKey('do not indent the line', 1)],
  ],
  [
    'deeper than a value allows',
    'a: 1\n  b!: 2\n',
    [2, 1, 2, message('2 spaces'), likeKey('do not indent the line', 1)],
  ],
  ['less than all', '  a: 1\nb!: 2\n', [2, 1, 1, message('no spaces'), likeKey('indent the line by 2 spaces', 1)]],
  ['to one space', ' a: 1\n   b!: 2\n', [2, 1, 3, message('3 spaces'), likeKey('indent the line by 1 space', 1)]],
  [
    'the next line, where the error is in the line before',
    'a: !1\n  b: 2\n',
    [2, 1, 2, message('2 spaces'), likeKey('do not indent the line', 1)],
  ],
  [
    'past blank lines and comments',
    'a: !1\n\n  # why\n  b: 2\n',
    [4, 1, 2, message('2 spaces'), likeKey('do not indent the line', 1)],
  ],
  [
    'a dash, like another dash',
    'a:\n  - b\n - c!\n',
    [3, 1, 1, message('1 space'), likeDash('indent the line by 2 spaces', 2)],
  ],
  [
    'the last line of a level',
    'a:\n  b: 1\n  c: 1\n d!: 1\n',
    [4, 1, 1, message('1 space'), likeKey('indent the line by 2 spaces', 3)],
  ],
  [
    'a key in an entry of a list',
    '- a: 1\n   b!: 2\n',
    [2, 1, 3, message('3 spaces'), likeKey('indent the line by 2 spaces', 1)],
  ],
  [
    'a dash in an entry of a list',
    '- - a\n   - b!\n',
    [2, 1, 3, message('3 spaces'), likeDash('indent the line by 2 spaces', 1)],
  ],
  [
    'after text of several lines',
    'a:\n  b: |\n     text: of\n   it\n c!: 1\n',
    [5, 1, 1, message('1 space'), likeKey('indent the line by 2 spaces', 2)],
  ],
  ['after text of several lines in a list', '- >-\n  text\n c!: 1\n', undefined],
  [
    'only within the document',
    'a:\n    b: 1\n---\n    c: 1\n  d!: 1\n',
    [5, 1, 2, message('2 spaces'), likeKey('indent the line by 4 spaces', 4)],
  ],
  [
    'after a comment',
    'a:\n    b: 1 # of b\n  c!: 2\n',
    [3, 1, 2, message('2 spaces'), likeKey('indent the line by 4 spaces', 2)],
  ],
])('a line is indented wrongly: %s', (_, text, expected) => {
  expect(found(text)).toEqual(expected);
});

test.each([
  ['a line that begins a mapping', 'a:\n  b!: 1\n'],
  ['a line that begins a mapping after a comment', 'a: # of a\n  b!: 1\n'],
  ['a line that begins a mapping in a list', '-\n   a!: 1\n'],
  ['a line that begins a mapping in a list below a key', 'a:\n  -\n      b!: 1\n'],
  ['a line of a level before', 'a:\n  b: 1\nc!: 2\n'],
  ['a list below its key without indentation', 'a:\n- b!\n'],
  ['the first line, however deep', '   a!: 1\n'],
  ['the first line of a document', 'a: 1\n---\n  b!: 1\n'],
  ['what is no entry', 'a: 1\n  text!\n'],
  ['what comes after a line that is no entry', 'a: 1\ntext\n  b!: 1\n'],
  ['a dash without another dash', 'a: 1\n  - b!\n'],
  ['nothing', '!'],
  ['a key whose colon is part of it', 'a: 1\n  b:c!\n'],
])('nothing is said of %s', (_, text) => {
  expect(found(text)).toBeUndefined();
});

test.each(['\u00A0', '\u2003', '\u3000', '\u200B', '\uFEFF'])(
  'a character that only looks like a space is named as such: %j',
  (odd) => {
    const expected = [
      'the indentation contains a character that looks like a space, such as a non-breaking space',
      'delete the indentation of the line, and type it again with spaces',
    ];
    expect(found(`a:\n${odd}b!: 1\n`)).toEqual([2, 1, 1, ...expected]);
    expect(found(`a:\n ${odd} b: 1\nc!: 1\n`)).toEqual([2, 1, 3, ...expected]);
    expect(found(`a:\n${odd}b: 1\nc: 1\nd!: 1\n`)).toBeUndefined();
    expect(found(`a:\n  b${odd}: 1\nc!: 1\n`)?.[3]).not.toBe(expected[0]);
  },
);

test('a tab that indents the line after the error is the cause', () => {
  const tabs = 'tabs cannot be used for indentation; use spaces';
  expect(found('a:\n  b:!\n\t- c\n')).toEqual([3, 1, 1, tabs, undefined]);
  expect(found('a:\n  b:!\n  \t d: 1\n')).toEqual([3, 1, 4, tabs, undefined]);
  expect(found('a:\n  b:!\n\ttext\n')).toBeUndefined();
});

test.each(['{\n\t"a": 1\n\t"b"!: 2,\n\t"c": 3\n}\n', 'a: {b: 1,\n\tc: "x" !y,\n\td: 1}\n'])(
  'between brackets, a tab may indent a line: %j',
  (text) => {
    expect(found(text)).toBeUndefined();
  },
);

test('the lines before the document are not looked at', () => {
  const before = 'a: 1\n';
  expect(found(`${before}  b: 1\n  c!: 1\n`, before.length)).toBeUndefined();
  expect(found(`${before}  b: 1\n   c!: 1\n`, before.length)).toEqual([
    ...[3, 1, 3, message('3 spaces'), likeKey('indent the line by 2 spaces', 2)],
  ]);
});
