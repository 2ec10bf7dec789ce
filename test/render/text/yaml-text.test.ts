import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { yamlText } from '../../../src/render/text/yaml-text.ts';

test('YAML of a value reads as the value, in old YAML and new', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const read = JSON.parse(JSON.stringify(value)) as unknown;
      expect(parse(yamlText(value))).toEqual(read);
      expect(parse(yamlText(value), { version: '1.1' })).toEqual(read);
    }),
  );
});

test('plain words are plain, and everything that could be read otherwise is quoted', () => {
  expect(
    yamlText({
      os: 'Windows Server',
      ip: '192.0.2.1',
      yes: 'no',
      at: '2026-03-02T09:00:01Z',
      none: [],
      of: [{ a: [1] }],
    }),
  ).toBe(
    'os: Windows Server\nip: "192.0.2.1"\n"yes": "no"\nat: "2026-03-02T09:00:01Z"\nnone: []\nof:\n  - a:\n      - 1\n',
  );
});

test('what old readers take for a number without digits before its power is quoted', () => {
  for (const word of ['E0', 'e5', 'E-12']) expect(yamlText({ [word]: word })).toBe(`"${word}": "${word}"\n`);
});

test('nothing in it acts on a terminal', () => {
  const text = yamlText({ 'k\u{9b}': 'a\u{1b}[2J\u{202e}\u{2028}\u{e0001}' });
  expect(text).toMatch(/^[\x20-\x7e\n]*$/);
  expect(parse(text)).toEqual({ 'k\u{9b}': 'a\u{1b}[2J\u{202e}\u{2028}\u{e0001}' });
});
