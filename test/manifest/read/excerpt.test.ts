import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import type { Path } from '../../../src/kinds/value.ts';
import { placeWithExcerpt } from '../../../src/manifest/read/excerpt.ts';
import { SourceFile } from '../../../src/manifest/read/source-document.ts';

/** The place of the text between two `^`, with what is shown of its line. Values of keys named `secret` may not be shown. */
function placed(marked: string, { isBroken = false, words = new Set<string>() } = {}) {
  const [before = '', inside = '', after = ''] = marked.split('^');
  const text = before + inside + after;
  const shows = (path: Path, isKey = false): boolean => (isKey ? path.at(-1) !== 'canary' : !path.includes('secret'));
  const known = isBroken ? undefined : { tree: parseDocument(text), base: 0, shows };
  const range = [before.length, before.length + inside.length] as const;
  return placeWithExcerpt(new SourceFile('x.yaml', text), range, known, words);
}

test.each([
  ['^a^: 1', { line: 1, col: 1, excerpt: 'a: 1', span: 1 }],
  ['a: ^one^', { line: 1, col: 4, excerpt: 'a: one', span: 3 }],
  ['a: 1\nb:\n  ^c^: 2\nd: 3', { line: 3, col: 3, excerpt: '  c: 2', span: 1 }],
  ['secret: ^canary^', { line: 1, col: 9, excerpt: 'secret: …', span: 1 }],
  ['{secret: canary, ^b^: 1}', { line: 1, col: 18, excerpt: '{secret: …, b: 1}', span: 1, caret: 13 }],
  ['{^b^: 1, secret: canary, c: 2}', { line: 1, col: 2, excerpt: '{b: 1, secret: …, c: 2}', span: 1 }],
  ['secret: {a: canary, ^b^: canary}', { line: 1, col: 21, excerpt: 'secret: {a: …, b: …}', span: 1, caret: 16 }],
  ['[a, ^b^, {secret: [canary, canary]}]', { line: 1, col: 5, excerpt: '[a, b, {secret: […, …]}]', span: 1 }],
  ['a: ^1^ # canary', { line: 1, col: 4, excerpt: 'a: 1 …', span: 1 }],
  ['^canary^: 1', { line: 1, col: 1, excerpt: '…: 1', span: 1 }],
  ['? [canary]\n: ^canary^', { line: 2, col: 3, excerpt: ': …', span: 1 }],
  ['- &canary ^a^\n- *canary', { line: 1, col: 11, excerpt: '- … a', span: 1, caret: 5 }],
  ['a: ^^one', { line: 1, col: 4, excerpt: 'a: one', span: 1 }],
  ['a: ^one\n  two^', { line: 1, col: 4, excerpt: 'a: one', span: 3 }],
  ['^secret^: |\n  canary', { line: 1, col: 1, excerpt: 'secret: …', span: 6 }],
  ['secret: |\n  ^canary^', { line: 2, col: 3 }],
  ['é: ^𝄞^', { line: 1, col: 4, excerpt: 'é: 𝄞', span: 2 }],
])('the place of %j has what may be shown of its line', (marked, expected) => {
  expect(placed(marked)).toEqual({ file: 'x.yaml', ...expected });
});

test('a private key is not shown in any field', () => {
  const key = '-----BEGIN PRIVATE KEY----- canary';
  expect(placed(`{^a^: "${key}"}`).excerpt).toBe('{a: …}');
});

describe('of a long line', () => {
  const xs = (count: number) => 'x'.repeat(count);

  test('80 characters on each side are all, without a mark', () => {
    const line = `{${xs(77)}: ^b^, ${xs(73)}: 1}`;
    const { excerpt, caret } = placed(line);
    expect([excerpt, caret]).toEqual([line.replaceAll('^', ''), undefined]);
  });

  test('what is further away is left out, with a mark in its place', () => {
    const far = placed(`{${xs(78)}: ^b^, ${xs(74)}: 1}`);
    expect(far.excerpt).toBe(`… ${xs(78)}: b, ${xs(74)}: 1 …`);
    expect([far.col, far.caret, far.span]).toEqual([82, 83, 1]);
    const { excerpt, span } = placed(`a: ^${xs(200)}^`);
    expect([excerpt, span]).toEqual([`a: ${xs(80)} …`, 80]);
  });

  test('no secret is shown whose beginning or end is outside', () => {
    expect(placed(`{secret: ${'canary'.repeat(30)}, ^b^: 1, c: ${xs(10)}}`).excerpt).toBe(`… …, b: 1, c: ${xs(10)}}`);
    expect(placed(`{^b^: 1, secret: ${'canary'.repeat(30)}}`).excerpt).toBe('{b: 1, secret: … …');
    expect(
      placed(`{a: [${'{secret: canary}, '.repeat(30)}^b^, ${'{secret: canary}, '.repeat(30)}]}`).excerpt,
    ).not.toContain('canary');
  });
});

test('where the syntax is broken, only punctuation and the keys are shown that a manifest can have', () => {
  const broken = (text: string) => placed(text, { isBroken: true, words: new Set(['spec', 'kind']) }).excerpt;
  expect(broken('{spec: ^canary^, kind: [canary}')).toBe('{spec: …, kind: […}');
  expect(broken('spec ^canary^: spec')).toBe('… …: …');
  expect(broken('kind:^canary^ # kind: canary')).toBe('kind:… …');
  expect(broken('^canary^')).toBeUndefined();
  expect(broken('  - ^canary^')).toBeUndefined();
  expect(broken('[^canary^]')).toBe('[…]');
});
