import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Phrases that must not come back, and where one is right all the same. */
interface Denied {
  readonly phrases: readonly string[];
  readonly exceptions: ReadonlySet<string>;
}

describe('what users read', () => {
  const denied = readDenied(readFileSync('test/words/denied.txt', 'utf8'));

  test('holds no phrase of the denied list: the messages', () => {
    expect(found(denied, linesByFile(readFileSync('test/words/strings.txt', 'utf8')))).toEqual([]);
  });

  test('holds no phrase of the denied list: README and docs', () => {
    expect(found(denied, docs())).toEqual([]);
  });

  test('has no exception that is not needed', () => {
    const all = [...linesByFile(readFileSync('test/words/strings.txt', 'utf8'))];
    const used = new Set(found({ ...denied, exceptions: new Set() }, [...all, ...docs()]));
    expect([...denied.exceptions].filter((exception) => !used.has(exception))).toEqual([]);
  });
});

function docs(): { readonly file: string; readonly text: string }[] {
  const pages = readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
  return ['README.md', ...pages].map((file) => ({ file, text: readFileSync(file, 'utf8') }));
}

function readDenied(text: string): Denied {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return {
    phrases: lines.filter((line) => !line.startsWith('!')),
    exceptions: new Set(lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1).split('  ')[0] ?? '')),
  };
}

/** The list of messages by the source file each stands in. */
function linesByFile(list: string): { readonly file: string; readonly text: string }[] {
  return list.split('\n\n').map((section) => {
    const [heading = '', ...texts] = section.split('\n');
    return { file: heading.replace(/^# /, ''), text: texts.join('\n') };
  });
}

function found(
  { phrases, exceptions }: Denied,
  pages: readonly { readonly file: string; readonly text: string }[],
): string[] {
  return pages.flatMap(({ file, text }) =>
    phrases
      .filter((phrase) => new RegExp(`(?<![\\w-])${escaped(phrase)}(?![\\w-])`, 'i').test(text.replace(/\s+/g, ' ')))
      .map((phrase) => `${file}: ${phrase}`)
      .filter((hit) => !exceptions.has(hit)),
  );
}

function escaped(phrase: string): string {
  return phrase.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
