import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limits } from '../../../src/manifest/read/limits.ts';
import { extractCommit } from '../../../src/stack/git/extract-commit.ts';
import { openRepository } from '../../../src/stack/git/find-repository.ts';
import { treeEntries, type TreeEntry } from '../../../src/stack/git/tree-entries.ts';
import { libraryContext } from '../../../src/stack/library-context.ts';
import { directory } from '../../cli/terminal.ts';
import { gitStack } from '../../support/git-stack.ts';

/** Everything that a commit of these files and links has. */
async function committed(files: Readonly<Record<string, string>>, links: Readonly<Record<string, string>> = {}) {
  const { dir, git, commit } = await gitStack(files);
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(dir, name));
  const repository = openRepository(libraryContext({ dir, env: process.env }), dir);
  if (repository === undefined) throw new Error('there is no repository');
  const head = Object.keys(links).length === 0 ? git('rev-parse', 'HEAD').trim() : commit({});
  const entries = await treeEntries(repository.git, head, ['']);
  const entry = (path: string): TreeEntry => entries.find((one) => one.path === path)!;
  return { entries: entries.filter(({ path }) => path !== '.gitignore'), entry, git: repository.git };
}

test('what a plan cannot be made from is left out, with the reason: submodules, large files, pointers, links that lead out', async () => {
  const { entries, entry, git } = await committed(
    { 'one.yaml': 'a: 1\n', 'lfs.yaml': 'version https://git-lfs.github.com/spec/v1\n' },
    { 'same.yaml': 'one.yaml', 'out.yaml': '../one.yaml', 'nowhere.yaml': 'missing.yaml' },
  );
  const submodule: TreeEntry = { path: 'lib', is: 'submodule', object: '0'.repeat(40), bytes: 0 };
  const large = { ...entry('one.yaml'), path: 'large.yaml', bytes: limits.fileBytes + 1 };
  const [into, link] = [await directory(), 'the link leads to a missing path, or to a path outside the stack'];
  expect(await extractCommit(git, [...entries, submodule, large], into)).toEqual(
    new Map([
      ['lib', 'the path is a submodule'],
      ['large.yaml', `the file is larger than ${String(limits.fileBytes)} bytes`],
      ['lfs.yaml', 'the file is a pointer of Git LFS'],
      ['nowhere.yaml', link],
      ['out.yaml', link],
    ]),
  );
  expect(readdirSync(into).sort()).toEqual(['one.yaml', 'same.yaml']);
  expect(readFileSync(join(into, 'same.yaml'), 'utf8')).toBe('a: 1\n');
});

test('no link of a tree that was made by hand is written through another one, out of the directory', async () => {
  const outside = await directory();
  const { entry, git } = await committed({}, { lib: outside, 'one.yaml': 'missing.yaml' });
  const [link, into] = [entry('one.yaml'), await directory()];
  await extractCommit(git, [entry('lib'), { ...link, path: 'lib/a' }, { ...link, path: 'lib/b/c' }], into);
  expect(readdirSync(outside)).toEqual([]);
});

test('a directory with more files or bytes than a stack may have is refused before anything is read', async () => {
  const { entry, git } = await committed({ 'one.yaml': 'a: 1\n' });
  const [one, into] = [entry('one.yaml'), await directory()];
  const many = Array.from({ length: limits.files + 1 }, () => one);
  await expect(extractCommit(git, many, into)).rejects.toThrow(`has ${String(limits.files + 1)} files`);
  const count = Math.floor(limits.totalBytes / limits.fileBytes) + 1;
  const large = Array.from({ length: count }, () => ({ ...one, bytes: limits.fileBytes }));
  await expect(extractCommit(git, large, into)).rejects.toThrow(
    `with ${String(count * limits.fileBytes)} bytes in total`,
  );
  expect(readdirSync(into)).toEqual([]);
});

test('a file of a commit that cannot be written reports why, and the others are written', async () => {
  const { entry, git } = await committed({ 'one.yaml': 'a: 1\n' });
  const one = entry('one.yaml');
  const tooLong = `${'x'.repeat(300)}.yaml`;
  const into = await directory();
  expect(await extractCommit(git, [{ ...one, path: tooLong }, one, one], into)).toEqual(
    new Map([
      [tooLong, expect.stringMatching(/^the file cannot be written to the temporary directory:.*ENAMETOOLONG/)],
      ['one.yaml', 'the file name differs from that of another file only in case'],
    ]),
  );
  expect(readdirSync(into)).toEqual(['one.yaml']);
});
