import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { describe, expect, it } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import { plainDocuments } from '../../../src/manifest/read/plain/plain-documents.ts';
import { parseFully, type ParsedDocument } from '../../../src/manifest/read/parse-documents.ts';
import { SourceFile } from '../../../src/manifest/read/source-document.ts';
import type { Written } from '../../../src/manifest/read/written.ts';
import { anyItem } from '../../generators/stack.ts';
import { documentsOf } from '../../support/manifest-text.ts';
import { sampleSize } from '../../support/samples.ts';

// PLAIN_YAML_MUTANTS=300000 for the whole; a failure prints the seed and the text.
const mutants = Number(process.env['PLAIN_YAML_MUTANTS'] ?? sampleSize(1500, 4000));
const seed = Number(process.env['PLAIN_YAML_SEED'] ?? 20_260_101);

/** All that a reader answers of a text: values with their key order, boundaries, and the places of mappings. */
function answer(documents: Iterable<ParsedDocument>): unknown {
  return [...documents].map(({ document, value, wellFormed, problems }) => ({
    value: JSON.stringify(value),
    boundaries: [document.start, document.end],
    places: value === undefined ? [] : placesIn(value, document.starts),
    wellFormed,
    problems,
  }));
}

function placesIn(value: Written, starts: WeakMap<object, number>): (number | undefined)[] {
  if (typeof value !== 'object' || value === null) return [];
  return [starts.get(value), ...Object.values(value as object).flatMap((inner: Written) => placesIn(inner, starts))];
}

/** What both readers answer; `plain` is undefined where the plain one leaves the text to the other. */
function both(text: string): { readonly plain: unknown; readonly full: unknown } {
  const plain = plainDocuments(new SourceFile('x.yaml', text));
  return { plain: plain && answer(plain), full: answer(parseFully(new SourceFile('x.yaml', text))) };
}

function yamlFiles(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => readFileSync(join(dir, name), 'utf8'));
}

const examples = yamlFiles('examples');

const generated = fc.oneof(...kinds.all.map((kind) => anyItem(kind, kinds))).map((item) => {
  const documents = documentsOf([{ ...item, form: item.name === undefined ? 'alone' : item.form }], kinds);
  return stringify(documents.at(-1) ?? {}, { aliasDuplicateObjects: false });
});

/** Small stacks of lines that show what plain YAML is made of, so that mutants meet each other. */
const lines = fc
  .array(
    fc.tuple(
      fc.nat({ max: 3 }),
      fc.constantFrom(
        ...[
          'a:',
          'b: 1',
          'c: x y',
          '- d',
          '- e: f',
          '-',
          '- g:',
          'h: |',
          'i: |-',
          'text: of it',
          '# note',
          '',
          'k: [a, {b: c}]',
        ],
        ...[
          "l: 'it''s'",
          'm: "q"',
          'n: {o: p, q: [r]}',
          '---',
          's: true',
          't: ~',
          'u: 012',
          'v: 1.5',
          'w: a:b#c',
          'x: y # z',
        ],
        ...[
          '- [a]',
          '- {a: b}',
          'a.b/c-d: null',
          'e: []',
          'f: {}',
          '  deeper',
          'g: -1',
          'h: 2026-01-31',
          'i: .5',
          'j: "a" # b',
        ],
      ),
    ),
    { minLength: 1, maxLength: 9 },
  )
  .map((made) => made.map(([indent, line]) => `${'  '.repeat(indent)}${line}\n`).join(''));

const edits = fc.array(
  fc.tuple(
    fc.nat(),
    fc.nat({ max: 4 }),
    fc.oneof(
      fc.constantFrom(
        '',
        ' ',
        '  ',
        '\n',
        '\n\n',
        ':',
        ': ',
        '#',
        ' #',
        '- ',
        '-',
        '"',
        "'",
        '|',
        '>',
        '[',
        ']',
        '{',
        '}',
        ',',
      ),
      fc.constantFrom(
        '&a ',
        '*a',
        '!t ',
        '<<: ',
        '---\n',
        '...\n',
        '%YAML 1.2\n',
        '\t',
        '\r\n',
        '?',
        '~',
        '0',
        '1e3',
        '0x1f',
        '+1',
      ),
      fc.constantFrom(
        'null',
        'true',
        'no',
        '\\n',
        'é',
        '\u0085',
        '\u00a0',
        '\u2028',
        '🙂',
        '\0',
        '__proto__: 1\n',
        '@',
        '`',
        '%',
      ),
    ),
  ),
  { maxLength: 3 },
);

const mutant = fc
  .tuple(fc.oneof(lines, lines, generated, fc.constantFrom(...examples)), edits)
  .map(([text, changes]) => {
    let result = text;
    for (const [place, removed, added] of changes) {
      const at = place % (result.length + 1);
      result = result.slice(0, at) + added + result.slice(at + removed);
    }
    return result;
  });

describe('plain YAML', () => {
  it('is what the examples are written in', () => {
    const read = examples.filter((text) => both(text).plain !== undefined);
    expect(read.length / examples.length).toBeGreaterThan(0.8);
  });

  it('is read as the full parser reads it: values, key order and positions', () => {
    for (const text of examples) {
      const { plain, full } = both(text);
      if (plain !== undefined) expect(plain).toEqual(full);
    }
  });

  const deep = (depth: number) => Array.from({ length: depth }, (_, n) => `${' '.repeat(n)}a:\n`).join('');

  it.each([
    ['a hundred mappings beside each other', Array.from({ length: 100 }, (_, n) => `a${n}:\n  b: 1\n`).join(''), true],
    ['fifty levels', `${deep(49)}${' '.repeat(49)}a: 1\n`, true],
    ['fifty-one levels', `${deep(50)}${' '.repeat(50)}a: 1\n`, false],
    ['a text of several lines before a key', 'a: |\n  b\n\n  c\nd: 1\n', true],
    ['a text of several lines at the end', 'a:\n  - |-\n    b\n', true],
    ['a text of several lines, a comment and a deeper line', 'a: |\n  b\n# c\n  d: 1\n', false],
    ['a deeper line after a value', 'a: b\n  c\n', false],
    ['a deeper line after an entry', '- b\n  c\n', false],
    ['a line between an entry and what is in it', '- a: 1\n b: 2\n', false],
  ])('of %s, the plain reader answers only what the full parser does', (_, text, isPlain) => {
    const { plain, full } = both(text);
    expect(plain).toEqual(isPlain ? full : undefined);
  });

  it('is left to the full parser where a mutant of it is in the least doubt', () => {
    let read = 0;
    fc.assert(
      fc.property(mutant, (text) => {
        const { plain, full } = both(text);
        if (plain === undefined) return;
        read += 1;
        expect(plain).toEqual(full);
      }),
      { numRuns: mutants, seed },
    );
    // Else the property would hold of a reader that reads nothing.
    expect(read).toBeGreaterThan(mutants / 6);
  }, 3_600_000);
});
