import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { baseCommit, commonAncestor, headCommit } from '../../../src/stack/git/base-commit.ts';
import { commitTree } from '../../../src/stack/git/commit-tree.ts';
import { openRepository } from '../../../src/stack/git/find-repository.ts';
import type { ReadGit } from '../../../src/stack/git/read-git.ts';
import { treeEntries, blobContents } from '../../../src/stack/git/tree-entries.ts';
import { libraryContext } from '../../../src/stack/library-context.ts';
import { gitStack } from '../../support/git-stack.ts';

const submodule = '1'.repeat(40);

/** A commit with files, links and a submodule. */
async function linked() {
  const made = await gitStack({ 'edges/shop.yaml': 'a: 1\n', 'stacks/eu/sluice.yaml': 'version: 1\n' });
  const links: Readonly<Record<string, string>> = {
    current: 'edges',
    'stacks/eu/manifests': '../../edges',
    shop: 'current/shop.yaml',
    here: '.',
    parent: '..',
    out: 'edges/../../elsewhere',
    outside: '/etc',
    'stacks/a': 'b',
    'stacks/b': 'a',
    none: 'nothing',
  };
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(made.dir, path));
  made.git('update-index', '--add', '--cacheinfo', `160000,${submodule},vendor/lib`);
  made.git('add', '-A', 'current', 'stacks', ...Object.keys(links));
  made.git('commit', '-q', '-m', 'links');
  const repository = openRepository(libraryContext({ dir: made.dir, env: process.env }), made.dir);
  if (repository === undefined) throw new Error('there is no repository');
  return { ...made, read: repository.git, head: await headCommit(repository.git, '--base') };
}

describe('a commit', () => {
  test('has at a path what a checkout has there once links are followed: nothing where one leads out or in a circle, and the submodule in one', async () => {
    const { read, head } = await linked();
    const tree = await commitTree(read, head);
    expect(
      ['current/shop.yaml', 'stacks/eu/manifests/shop.yaml', 'here/shop', 'here/here/edges', 'edges/', 'here'].map(
        (path) => tree.real(path),
      ),
    ).toEqual(['edges/shop.yaml', 'edges/shop.yaml', 'edges/shop.yaml', 'edges', 'edges', '']);
    expect(tree.at('shop')).toMatchObject({ path: 'edges/shop.yaml', is: 'file', bytes: 5 });
    expect(tree.at('none')).toBeUndefined();
    expect(tree.real('none')).toBe('nothing');

    const led = ['parent', 'parent/x', 'out', 'outside', 'outside/passwd', 'stacks/a', '../x', '..', '/etc'];
    expect(led.flatMap((path) => tree.real(path) ?? [])).toEqual([]);
    expect(led.flatMap((path) => tree.at(path) ?? [])).toEqual([]);

    const expected = { path: 'vendor/lib', is: 'submodule', object: submodule, bytes: 0 };
    expect([tree.at('vendor/lib'), tree.at('vendor/lib/a/b.yaml')]).toEqual([expected, expected]);
    expect(tree.at('edges/none.yaml')).toBeUndefined();
  });

  test('lists a file whose name is not UTF-8 beside the others', async () => {
    const object = '2'.repeat(40);
    const [head, end] = [Buffer.from(`100644 blob ${object}       4\tnotes-caf`), Buffer.from('.txt\0')];
    const listing = Buffer.concat([head, Buffer.from([0xe9]), end, Buffer.from(`100644 blob ${object}       4\ta\0`)]);
    const entries = await treeEntries(() => Promise.resolve(listing), 'c0ffee', ['']);
    expect(entries).toMatchObject([{ path: 'notes-caf\uFFFD.txt', hasForeignName: true }, { path: 'a' }]);
    expect(entries[1]).not.toHaveProperty('hasForeignName');
  });

  test.each(['../x', 'a/./b', 'a//b', '.git/config', 'a/.GIT', ''])(
    'that was made by hand and has the path %j is refused',
    async (path) => {
      const listing = `100644 blob ${'2'.repeat(40)}       4\t${path}\0`;
      await expect(treeEntries(() => Promise.resolve(Buffer.from(listing)), 'c0ffee', [''])).rejects.toThrow(
        `the commit c0ffee contains a path that cannot be read: ${JSON.stringify(path)}`,
      );
    },
  );
});

test('a commit is listed whole, or at and below some paths, and each of its files is read once', async () => {
  const { read, head } = await linked();
  const paths = async (...below: string[]) => (await treeEntries(read, head, below)).map(({ path }) => path);
  expect(await paths('edges', 'stacks/eu/sluice.yaml')).toEqual(['edges/shop.yaml', 'stacks/eu/sluice.yaml']);
  expect(await paths('edges', '')).toHaveLength(14);

  const files = (await treeEntries(read, head, [''])).filter(({ is }) => is === 'file');
  const contents = await blobContents(read, [...files, ...files]);
  expect(files.map(({ path, object }) => [path, contents.get(object)?.toString()])).toEqual([
    ['.gitignore', '.sluice/\n*.plan\n'],
    ['edges/shop.yaml', 'a: 1\n'],
    ['stacks/eu/sluice.yaml', 'version: 1\n'],
  ]);
  expect(contents.size).toBe(3);
  const missing = { path: 'x', is: 'file', object: submodule, bytes: 1 } as const;
  await expect(blobContents(read, [missing])).rejects.toThrow('the repository does not have all files of a commit');
});

test('the contents of no files take no request', async () => {
  const never: ReadGit = () => Promise.reject(new Error('git was asked'));
  expect((await blobContents(never, [])).size).toBe(0);
});

test('the base of a change is the commit in common, with how far the branch is ahead of it', async () => {
  const { git, read, commit, head } = await linked();
  git('checkout', '-q', '-b', 'change');
  const change = commit({ 'edges/shop.yaml': 'a: 2\n' });
  git('checkout', '-q', 'main');
  commit({ 'edges/mail.yaml': 'a: 1\n' });
  commit({ 'edges/web.yaml': 'a: 1\n' });
  const base = (ref: string) => baseCommit(read, '--base', ref, change);
  expect(await base('main')).toEqual({ ref: 'main', commit: head, ahead: 2 });
  expect([await commonAncestor(read, head, change), await commonAncestor(read, change, head)]).toEqual([head, head]);
  expect(await commonAncestor(read, head, head)).toBe(head);

  git('checkout', '-q', '--orphan', 'alone');
  commit({ 'a.yaml': '' });
  await expect(base('no such branch')).rejects.toThrow('--base: "no such branch" is not a commit of this repository');
  await expect(base('alone')).rejects.toThrow('--base: "alone" and the checked-out commit have no common ancestor');
});
