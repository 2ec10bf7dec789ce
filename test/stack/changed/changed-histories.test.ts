/*
 * `sluice changed` on generated histories, compared with an oracle that reads the files of both revisions automatically: patterns
 * find what manifests name. A stack that is not listed has the same desired state in both revisions.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { changedStacks } from '../../../src/stack/changed/changed-stacks.ts';
import { readGit, type ReadGit } from '../../../src/stack/git/read-git.ts';
import type { StackContext } from '../../../src/stack/stack-context.ts';
import { directory, sluice, type Ended } from '../../cli/terminal.ts';
import { sampleSize } from '../../support/samples.ts';

/** Paths with texts; a text that begins with `->` is a link. */
type Files = Readonly<Record<string, string>>;

const stacks = ['shop', 'shop/staging', 'network', ''];
const inputs = ['manifests', '../base', '../base/edges.yaml', '.', '../linked', 'nowhere', '../lib'];
const texts = ['a', 'b'];

const resource = (name: string, from: string | undefined, text: string): string =>
  `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: ${name}}\nspec: {description: ${from === undefined ? text : `{from_file: ${from}}`}}\n`;

const stackFile: Arbitrary<string> = fc
  .record({
    manifests: fc.subarray(inputs, { minLength: 1 }),
    dirs: fc.constantFrom('', '\nsecrets: {dirs: [../base]}', '\nsecrets: {dirs: [.], env_files: [../values.env]}'),
    variable: fc.constantFrom(
      '',
      '\nvars: {what: {type: string, default: {from_file: notes.txt}}}',
      '\nvars: {what: {type: number, default: a}}',
    ),
    isBroken: fc.integer({ max: 15, min: 0 }),
  })
  .map(({ manifests, dirs, variable, isBroken }) =>
    isBroken === 0
      ? 'version: 1\nunknown: yes\n'
      : `version: 1\nstack: {name: s, id: 5c1e7a90}\nmanifests: [${manifests.map((one) => `"${one}"`).join(', ')}]${dirs}${variable}\n`,
  );

const manifest: Arbitrary<string> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('mqtt', 'logs'),
      fc.constantFrom(undefined, 'notes.txt', '../notes.txt', '../base/notes.txt', 'far.txt'),
      fc.constantFrom(...texts),
    )
    .map(([name, from, text]) => resource(name, from, text)),
  fc.constant(resource('what', undefined, '{var: what}')),
  fc.constant('kind: ['),
);

const entries: readonly (readonly [string, Arbitrary<string>])[] = [
  ...stacks.map((dir): [string, Arbitrary<string>] => [posix.join(dir, 'sluice.yaml'), stackFile]),
  ...[
    'shop/manifests/a.yaml',
    'shop/manifests/deep/b.yml',
    'base/edges.yaml',
    'base/c.json',
    'lib/d.yaml',
    'network/manifests/e.yaml',
    'base/.hidden.yaml',
  ].map((path): [string, Arbitrary<string>] => [path, manifest]),
  ...[
    'README.md',
    'shop/README.md',
    'shop/notes.txt',
    'base/notes.txt',
    'notes.txt',
    'shop/manifests/notes.txt',
    'values.env',
    'base/image.png',
  ].map((path): [string, Arbitrary<string>] => [path, fc.constantFrom(...texts)]),
  ['linked', fc.constantFrom('->base', '->lib', '->/etc', '->../..', '->nothing')],
  ['base/link.yaml', fc.constantFrom('->edges.yaml', '->../lib/d.yaml', '->notes.txt')],
  ['shop/manifests/far.txt', fc.constantFrom('->../notes.txt', '->../../base/notes.txt')],
];

const revision: Arbitrary<Files> = fc.record(Object.fromEntries(entries), { requiredKeys: [] }) as Arbitrary<Files>;

/** A revision, and another that changes a few of its files. */
const history: Arbitrary<readonly [Files, Files]> = fc
  .tuple(
    revision,
    revision,
    fc.subarray(
      entries.map(([path]) => path),
      { maxLength: 3 },
    ),
  )
  .map(([before, other, touched]) => {
    const kept = Object.entries(before).filter(([path]) => !touched.includes(path));
    const set = Object.entries(other).filter(([path]) => touched.includes(path));
    return [before, Object.fromEntries([...kept, ...set])];
  });

/** Where a path leads once links are followed. */
function real(files: Files, path: string): string | undefined {
  for (let at = posix.normalize(path), left = 10; left > 0; left--) {
    const steps = at.split('/').map((_, index, all) => all.slice(0, index + 1).join('/'));
    const link = steps.find((step) => files[step]?.startsWith('->') === true);
    if (link === undefined) return at;
    const target = (files[link] ?? '').slice(2);
    if (target.startsWith('/')) return undefined;
    at = posix.join(posix.dirname(link), target, at.slice(link.length));
    if (at.startsWith('..')) return undefined;
  }
  return undefined;
}

/** What a plan of a stack reads, as texts by path. */
function readBy(files: Files, dir: string): Files {
  const read: Record<string, string> = {};
  const note = (path: string): void => {
    const found = real(files, path);
    read[path] = (found === undefined ? undefined : files[found]) ?? 'missing';
  };
  note(posix.join(dir, 'sluice.yaml'));
  const settings = read[posix.join(dir, 'sluice.yaml')] ?? '';
  const [, listed] = /^manifests: (.*)$/m.exec(settings) ?? [];
  if (listed === undefined || settings.includes('type: number')) return read;
  if (settings.includes('env_files')) note(posix.join(dir, '../values.env'));
  const allowed = (
    JSON.parse(/dirs: (\[[^\]]*\])/.exec(settings)?.[1]?.replace(/[^[\],]+/g, '"$&"') ?? '[]') as string[]
  )
    .concat('.')
    .map((one) => real(files, posix.join(dir, one)) ?? '..');
  const isAllowed = (path: string): boolean => {
    const at = real(files, path);
    return (
      at === undefined ||
      allowed.some(
        (root) => root === './' || root === '.' || at === root || at.startsWith(`${root.replace(/\/$/, '')}/`),
      )
    );
  };
  const found = new Set<string>();
  const visit = (path: string, roots: readonly string[], isInput: boolean): void => {
    const at = real(files, path);
    if (
      at === undefined ||
      !(isInput || roots.some((root) => root === '.' || at === root || at.startsWith(`${root}/`)))
    )
      return;
    if (files[at] !== undefined) {
      if ((isInput || /\.(ya?ml|json)$/.test(path)) && !found.has(at)) {
        found.add(at);
        note(path);
        const text = files[at];
        const value =
          text.includes('{var: what}') && settings.includes('default: {from_file')
            ? posix.join(dir, 'notes.txt')
            : undefined;
        const named = /^kind: ReservedAddr$/m.test(text) ? /\{from_file: ([^\s}]+)\}/.exec(text)?.[1] : undefined;
        for (const one of [value, named === undefined ? undefined : posix.join(posix.dirname(path), named)])
          if (one !== undefined && !one.startsWith('..') && isAllowed(one)) note(one);
      }
      return;
    }
    const inside = at === '.' ? '' : `${at}/`;
    const names = new Set(
      Object.keys(files)
        .filter((one) => one.startsWith(inside))
        .map((one) => one.slice(inside.length).split('/')[0] ?? ''),
    );
    for (const name of [...names].sort()) if (!name.startsWith('.')) visit(posix.join(path, name), roots, false);
  };
  for (const input of JSON.parse(listed) as string[]) {
    const path = posix.join(dir, input);
    if (!path.startsWith('..')) visit(path, [real(files, path) ?? '', posix.normalize(dir === '' ? '.' : dir)], true);
  }
  return read;
}

function expected([before, after]: readonly [Files, Files]): readonly string[] {
  return stacks.flatMap((dir) => {
    const path = posix.join(dir, 'sluice.yaml');
    if (before[path] === undefined && after[path] === undefined) return [];
    if (before[path] === undefined) return [`new ${dir}`];
    if (after[path] === undefined) return [`deleted ${dir}`];
    const [was, is] = [readBy(before, dir), readBy(after, dir)];
    return JSON.stringify(Object.entries(was).sort()) === JSON.stringify(Object.entries(is).sort())
      ? []
      : [`changed ${dir}`];
  });
}

/** Adds revisions to a repository at once, without a checkout; returns their commits. */
function commits(dir: string, revisions: readonly Files[]): readonly string[] {
  const stream = revisions.map((files, index) => {
    const blobs = Object.entries(files).map(([path, text]) => {
      const content = text.startsWith('->') ? text.slice(2) : text;
      return `M ${text.startsWith('->') ? '120000' : '100644'} inline ${path}\ndata ${String(Buffer.byteLength(content))}\n${content}\n`;
    });
    return `commit refs/heads/r${String(index)}\ncommitter a <a@example.com> 0 +0000\ndata 0\ndeleteall\n${blobs.join('')}\n`;
  });
  execFileSync('git', ['fast-import', '--quiet'], { cwd: dir, input: stream.join('') });
  const refs = execFileSync('git', ['for-each-ref', '--format=%(refname:short) %(objectname)'], {
    cwd: dir,
    encoding: 'utf8',
  });
  const found = new Map(
    refs.split('\n').map((line): [string, string] => [line.split(' ')[0] ?? '', line.split(' ')[1] ?? '']),
  );
  return revisions.map((_, index) => found.get(`r${String(index)}`) ?? '');
}

/** Reads with git, each blob once: starting a process takes longer than everything that is tested. */
function withKnownBlobs(git: ReadGit): ReadGit {
  const known = new Map<string, Buffer>();
  return async (args, maxBytes, input) => {
    if (args[0] !== 'cat-file') return git(args, maxBytes, input);
    const objects = (input ?? '').split('\n').filter((line) => line !== '');
    for (const object of objects) if (!known.has(object)) known.set(object, await git(args, maxBytes, `${object}\n`));
    return Buffer.concat(objects.map((object) => known.get(object) ?? Buffer.alloc(0)));
  };
}

async function checkedOut(files: Files): Promise<string> {
  const dir = await directory();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    if (text.startsWith('->')) symlinkSync(text.slice(2), join(dir, path));
    else writeFileSync(join(dir, path), text);
  }
  return dir;
}

test('lists a stack if and only if a file that its plan reads differs', async () => {
  const runs = Number(process.env['RUNS'] ?? sampleSize(25, 60));
  const histories = fc.sample(history, { numRuns: runs, seed: Number(process.env['SEED'] ?? 20261121) });
  const dir = await directory();
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: dir });
  const made = commits(dir, histories.flat());
  const context = { io: { env: process.env, signal: new AbortController().signal } } as StackContext;
  const git = withKnownBlobs(readGit(context, join(dir, '.git')));
  for (const [index, revisions] of histories.entries()) {
    const [from = '', to = ''] = made.slice(2 * index);
    const found = await changedStacks({ git, root: dir, from, to, below: '' });
    const listed = found.map((one) => `${one.change} ${one.dir}`);
    expect(listed.sort(), JSON.stringify(revisions, undefined, 1)).toEqual([...expected(revisions)].sort());
    if (index % 20 === 0) await mustRenderTheSame(revisions, listed);
  }
});

/** What is not listed has the same desired state in both revisions. */
async function mustRenderTheSame([was, is]: readonly [Files, Files], listed: readonly string[]): Promise<void> {
  const [before, after] = [await checkedOut(was), await checkedOut(is)];
  for (const stack of stacks) {
    if (is[posix.join(stack, 'sluice.yaml')] === undefined || listed.some((one) => one.split(' ')[1] === stack))
      continue;
    const rendered = (root: string): Promise<Ended> => sluice(join(root, stack), 'render --format json');
    expect(await rendered(after)).toEqual(await rendered(before));
  }
}
