import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shownStrings } from '../../scripts/shown-strings.ts';

test('the messages that the page about reviewed merges explains are messages of the program', () => {
  const page = readFileSync('docs/how-to/apply-what-was-approved.md', 'utf8');
  const [, table = ''] = /\| message \|.*\n((?:\|.*\n)+)/.exec(page) ?? [];
  const quoted = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, message = '']) => message);
  expect(quoted.length).toBeGreaterThan(4);
  const messages = ['src/comments', 'src/cli/approval', 'src/stack/plan']
    .flatMap((folder) => shownStrings(folder).split('\n'))
    .map(messagePattern);
  expect(quoted.filter((message) => !messages.some((pattern) => pattern.test(message)))).toEqual([]);
});

/** What is filled in stands as `${expression}`, and in a quotation as one word, or `…`. */
function messagePattern(text: string): RegExp {
  const fixed = text.split(/\$\{[^}]*\}/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${fixed.join(String.raw`\S+`)}$`);
}
