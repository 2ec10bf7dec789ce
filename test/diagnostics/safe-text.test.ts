import { describe, expect, test } from 'vitest';
import { safeText } from '../../src/diagnostics/safe-text.ts';

describe('text from outside', () => {
  test.each([
    ['a terminal code', 'a\u001b[2Jb', String.raw`a\u{1b}[2Jb`],
    ['a line break', 'a\r\nb', String.raw`a\u{d}\u{a}b`],
    ['what turns text around', 'a\u202eb', String.raw`a\u{202e}b`],
    ['half of a surrogate pair', 'a\ud800b', String.raw`a\u{d800}b`],
    ['an order to a runner of GitHub', 'a ##[add-mask]b', String.raw`a \u{23}#[add-mask]b`],
    ['an order to a runner of Azure', 'a ##vso[task.complete]b', String.raw`a \u{23}#vso[task.complete]b`],
    ['the first half of such an order', 'a ##vso', String.raw`a \u{23}#vso`],
    ['the second half of such an order', '#[add-mask]a', String.raw`\u{23}[add-mask]a`],
    ['an order that begins a line', '  ::warning::a', String.raw`  \u{3a}:warning::a`],
  ])('%s is shown instead of acting', (_what, text, shown) => {
    expect(safeText(text)).toBe(shown);
    expect(safeText(shown)).toBe(shown);
  });

  test.each(['Shop #1', '## Title', 'a::b', '::1', 'C#', 'items[#]', 'ünïcödé 漢字 😀'])(
    '%s stays as it is',
    (text) => {
      expect(safeText(text)).toBe(text);
    },
  );

  test('is cut where it is too long', () => {
    expect(safeText('abcdef', 3)).toBe('abc…');
  });
});
