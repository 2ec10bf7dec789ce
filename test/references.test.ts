import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hazardMeanings } from '../src/model/plan/hazard-meanings.ts';

const folders = ['src', 'test', 'docs', 'decisions', 'scripts', 'examples', 'schemas', 'bench'];
const files = [...readdirSync('.').filter((name) => statSync(name).isFile()), ...folders.flatMap(filesBelow)];
const pages = files.filter((file) => file.endsWith('.md'));
const sources = files.filter((file) => /^(src|test|scripts|bench)\/.*\.ts$/.test(file));
const decisions = files.flatMap((file) => /^decisions\/(\d{4})-/.exec(file)?.[1] ?? []);

// Documents that a reader of this repository does not have.
const elsewhere = /\brulings\b|completions, section|\bshared\/(design|api)\//;

describe('what a reader is referred to exists', () => {
  test('links of documents, and the headings that they name', () => {
    expect(
      pages.flatMap((page) =>
        linksOf(page)
          .filter((link) => !leadsSomewhere(page, link))
          .map(at(page)),
      ),
    ).toEqual([]);
  });

  test('hazards, in the table of docs/plans.md', () => {
    const rows = [...read('docs/plans.md').matchAll(/^\| `([A-Z_]+)` \| (.*) \|$/gm)].map(([, code, meaning]) => [
      code,
      meaning,
    ]);
    const meanings = Object.entries(hazardMeanings).map(([code, { meaning }]) => [code, meaning]);
    expect(rows.filter(([code]) => code !== undefined && code in hazardMeanings)).toEqual(meanings);
  });

  test('codes and variables of the environment, which the program knows', () => {
    const known = new Set(programs.flatMap((file) => code(file).match(capitals) ?? []));
    const isKnown = (word: string): boolean =>
      elsewhereKnown.has(word) || known.has(word.replace(/_FILE$/, '')) || known.has(word);
    const readers = pages.filter((page) => page === 'README.md' || page.startsWith('docs/'));
    const broken = readers.flatMap((page) =>
      codeSpans(page)
        .filter((text) => wholeCapitals.test(text) && !isKnown(text))
        .map(at(page)),
    );
    expect(broken).toEqual([]);
  });

  test('decisions by number', () => {
    const broken = [...pages, ...sources].flatMap((file) =>
      [...read(file).matchAll(/decisions\/(\d{4})\b/g)]
        .filter(([, number]) => !decisions.includes(number ?? ''))
        .map(([reference]) => at(file)(reference)),
    );
    expect(broken).toEqual([]);
  });

  test('every decision is in the list of decisions', () => {
    const list = read('decisions/README.md');
    expect(decisions.filter((number) => !list.includes(`](${number}-`))).toEqual([]);
    expect(decisions.filter((number, index) => decisions.indexOf(number) !== index)).toEqual([]);
  });

  test('files of source code, in documents and comments', () => {
    const documents = pages.flatMap((page) => codeSpans(page).filter(isPath).filter(isMissing).map(at(page)));
    const comments = sources.flatMap((file) =>
      commentLines(file).flatMap((line) => (line.match(filePath) ?? []).filter(isMissing).map(at(file))),
    );
    expect([...documents, ...comments]).toEqual([]);
  });

  test('every folder of src is in the table of layers', () => {
    const folders = readdirSync('src').filter((name) => statSync(join('src', name)).isDirectory());
    const table = read('ARCHITECTURE.md');
    expect(folders.filter((folder) => !new RegExp(`^\\| \\d \\| \`${folder}/\` \\|`, 'm').test(table))).toEqual([]);
  });

  test('each walk of ARCHITECTURE.md is at most 25 files, each imported by an earlier one; an error goes to who imports it', () => {
    const walks = read('ARCHITECTURE.md').split(/^### /m).slice(1).map(filesOfWalk);
    expect(walks).toHaveLength(5);
    for (const walk of walks) {
      expect(walk.length).toBeLessThanOrEqual(25);
      const isOfError = walk[0] === 'src/api/connection/http-exchange.ts';
      const follows = (file: string, earlier: string): boolean =>
        imports(earlier, file) || (isOfError && imports(file, earlier));
      expect(walk.filter((file, at) => at > 0 && !walk.slice(0, at).some((one) => follows(file, one)))).toEqual([]);
    }
  });

  test('every page of docs/ is in the sidebar of the site', () => {
    const sidebar = read('site/.vitepress/config.mjs');
    const names = readdirSync('docs').flatMap((name) => /^(.*)\.md$/.exec(name)?.[1] ?? []);
    expect(names.filter((name) => !sidebar.includes(`'${name}'`) && !sidebar.includes(`docs/${name}.md`))).toEqual([]);
  });

  test('documents outside the repository are not referred to', () => {
    const readers = [...pages, ...sources].filter((file) => file !== 'test/references.test.ts');
    expect(readers.filter((file) => elsewhere.test(read(file)))).toEqual([]);
  });
});

const capitals = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;
const wholeCapitals = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
const programs = sources.filter((file) => file.startsWith('src/'));

// A variable that is not supported, one that is put together from a protocol, and one that a page makes up.
const elsewhereKnown = new Set(['ALL_PROXY', 'HTTP_PROXY', 'SLUICE_HOOK_URL_FILE']);

/** The text of a file of source code without its comments. */
function code(file: string): string {
  return read(file).replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
}

const filePath = /(?<![\w./*-])(?:[\w*-]+\/)*[\w*.-]+\.ts\b(?!\.)|\bdocs\/[\w-]+\.md/g;

function filesOfWalk(section: string): string[] {
  const [walk = ''] = section.split(/^## /m);
  return [...new Set([...walk.matchAll(/`([\w/-]+\.ts)`/g)].map(([, path]) => join('src', path ?? '')))];
}

function imports(file: string, other: string): boolean {
  return [...read(file).matchAll(/(?:from |import\()'(\.[^']+)'/g)].some(
    ([, path]) => join(dirname(file), path ?? '') === other,
  );
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function at(file: string): (reference: string) => string {
  return (reference) => `${file}: ${reference}`;
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}

function proseOf(page: string): string {
  return read(page)
    .replace(/^( *)(```+)[^\n]*\n[\s\S]*?^\1\2 *$/gm, '')
    .replace(/^ {4,}\S.*$/gm, '');
}

function linksOf(page: string): string[] {
  const prose = proseOf(page).replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target ?? '')
    .filter((target) => !/^[a-z]+:/.test(target));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!files.some((file) => file === target || file.startsWith(`${target.replace(/\/$/, '')}/`))) return false;
  return heading === undefined || anchorForms.every((form) => anchorsOf(target, form).includes(heading));
}

/** The anchors of a page; a heading that comes twice has another one the second time. */
function anchorsOf(page: string, form: (title: string) => string): string[] {
  const anchors = [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => form(title));
  return anchors.filter((anchor, index) => anchors.indexOf(anchor) === index);
}

// As the platforms make an anchor of a heading, and as the site does.
const anchorForms: readonly ((title: string) => string)[] = [
  (title) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  (title) =>
    title
      .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .replace(/^(\d)/, '_$1')
      .toLowerCase(),
];

function codeSpans(page: string): string[] {
  return [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, text]) => text ?? '');
}

function isPath(text: string): boolean {
  return /^(?:[\w*.-]+\/)*[\w*.-]+\.ts$/.test(text) || /^(?:src|test|decisions)\/(?:[\w-]+\/)*$/.test(text);
}

function isMissing(path: string): boolean {
  const pattern = path.replace(/[.+]/g, '\\$&').replaceAll('*', '[^/]*');
  const found = new RegExp(path.endsWith('/') ? `^${pattern}` : `(^|/)${pattern}$`);
  return !files.some((file) => found.test(file));
}

function commentLines(file: string): string[] {
  return read(file)
    .split('\n')
    .filter((line) => /^\s*(\/\/|\/\*\*?|\*)/.test(line));
}
