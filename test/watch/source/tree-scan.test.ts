import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileDigests } from '../../../src/watch/source/file-digests.ts';
import { findMovedPath, scanTree, type TreeScan } from '../../../src/watch/source/tree-scan.ts';
import { scratch } from '../../support/watched-stack.ts';

/** A stack `one` with a manifest, beside it `two` with the same files, and a link to the first. */
function checkouts() {
  const root = scratch();
  for (const name of ['one', 'two']) {
    mkdirSync(join(root, name, 'manifests'), { recursive: true });
    writeFileSync(join(root, name, 'sluice.yaml'), 'version: 1\n');
    writeFileSync(join(root, name, 'manifests/a.yaml'), 'a: 1\n');
  }
  const link = (name: string): void => {
    rmSync(join(root, 'current'), { force: true });
    symlinkSync(name, join(root, 'current'));
  };
  link('one');
  const digests = fileDigests();
  const scan = (further: readonly string[] = []): Promise<TreeScan> =>
    scanTree({
      dir: join(root, 'current'),
      inputs: () => ['manifests'],
      further: new Set(further.map((name) => join(root, name))),
      digests,
    });
  return { root, link, scan };
}

test('a tree that is the same in two scans has not moved', async () => {
  const { scan } = checkouts();
  expect(findMovedPath(await scan(), await scan(), 'whole')).toBeUndefined();
});

test('a link that leads to another directory names that directory, although its files are the same', async () => {
  const { root, link, scan } = checkouts();
  const before = await scan();
  link('two');
  const after = await scan();
  expect(after.content).toBe(before.content);
  for (const extent of ['whole', 'files'] as const)
    expect(findMovedPath(before, after, extent)).toBe(join(root, 'two'));
});

test.each<[string, (dir: string) => void]>([
  ['a manifest that was written', (dir) => writeFileSync(join(dir, 'manifests/a.yaml'), 'a: 2\n')],
  ['a manifest that was removed', (dir) => rmSync(join(dir, 'manifests/a.yaml'))],
])('%s is named', async (_, change) => {
  const { root, scan } = checkouts();
  const before = await scan();
  change(join(root, 'one'));
  for (const extent of ['whole', 'files'] as const)
    expect(findMovedPath(before, await scan(), extent)).toBe(join(root, 'one/manifests/a.yaml'));
});

test('what was read beside the manifests counts once both scans have it', async () => {
  const { root, scan } = checkouts();
  writeFileSync(join(root, 'ca.pem'), 'one');
  const without = await scan();
  const before = await scan(['ca.pem']);
  expect(findMovedPath(without, before, 'whole')).toBeUndefined();
  writeFileSync(join(root, 'ca.pem'), 'other');
  const after = await scan(['ca.pem']);
  expect(findMovedPath(before, after, 'files')).toBe(join(root, 'ca.pem'));
  expect([after.content === before.content, after.everything === before.everything]).toEqual([true, false]);
});

test('a file that is no manifest counts only for the directory, and only where a reading is checked', async () => {
  const { root, scan } = checkouts();
  const before = await scan();
  mkdirSync(join(root, 'one/manifests/more'));
  const after = await scan();
  expect(findMovedPath(before, after, 'files')).toBeUndefined();
  expect(findMovedPath(before, after, 'whole')).toContain(join(root, 'one/manifests'));
});

test('a link that leads nowhere names the directory, although no file differs', async () => {
  const { root, scan } = checkouts();
  const before = await scan();
  symlinkSync('nowhere', join(root, 'one/manifests/b.yaml'));
  const after = await scan();
  expect([...after.files.keys()]).toEqual([...before.files.keys()]);
  expect(findMovedPath(before, after, 'files')).toBe(join(root, 'one'));
});

test('a stack whose sluice.yaml is gone has moved, and reports what is missing', async () => {
  const { root, scan } = checkouts();
  const before = await scan();
  rmSync(join(root, 'one/sluice.yaml'));
  const after = await scan();
  expect(after.missing).toMatchObject({ code: 'SOURCE_MISSING' });
  expect(after.missing?.message).toContain(join(root, 'one/sluice.yaml'));
  expect(findMovedPath(before, after, 'files')).toBeDefined();
});

test('a directory that is gone, or is a file, is missing, and names itself', async () => {
  const { root, scan } = checkouts();
  const before = await scan();
  rmSync(join(root, 'one'), { recursive: true });
  const gone = await scan();
  expect(gone.missing).toMatchObject({
    code: 'SOURCE_MISSING',
    message: expect.stringContaining(`the directory ${join(root, 'current')} `) as string,
  });
  expect(findMovedPath(before, gone, 'files')).toBe(join(root, 'current'));
  writeFileSync(join(root, 'one'), '');
  expect((await scan()).missing).toMatchObject({
    code: 'SOURCE_MISSING',
    message: `${join(root, 'current')} is not a directory`,
  });
});

test('a loop of links cannot be read, which is not the same as missing', async () => {
  const { root, link, scan } = checkouts();
  link('current');
  expect((await scan()).missing).toMatchObject({ code: 'SOURCE_UNREADABLE' });
  link('one');
  rmSync(join(root, 'one/sluice.yaml'));
  symlinkSync('sluice.yaml', join(root, 'one/sluice.yaml'));
  expect((await scan()).missing).toMatchObject({ code: 'SOURCE_UNREADABLE' });
});

test('a scan names every place on which it depends which files are meant', async () => {
  const { root, scan } = checkouts();
  mkdirSync(join(root, 'one/shared'));
  writeFileSync(join(root, 'one/shared/c.yaml'), 'c: 1\n');
  symlinkSync('../shared/c.yaml', join(root, 'one/manifests/b.yaml'));
  writeFileSync(join(root, 'ca.pem'), 'x');
  const { dir, directories, files, further, places } = await scan(['ca.pem']);
  expect([dir, [...directories.keys()]]).toEqual([join(root, 'one'), [join(root, 'one/manifests')]]);
  expect([...files.keys()].sort()).toEqual(
    ['one/manifests/a.yaml', 'one/shared/c.yaml', 'one/sluice.yaml'].map((path) => join(root, path)),
  );
  expect([...further.keys()]).toEqual([join(root, 'ca.pem')]);
  const names = Object.fromEntries([...places].map(([path, found]) => [path.slice(root.length), [...found].sort()]));
  expect(names).toMatchObject({
    '': ['ca.pem', 'current', 'one'],
    '/one': ['manifests', 'sluice.yaml'],
    '/one/manifests': ['b.yaml'],
    '/one/shared': ['c.yaml'],
  });
});

test('a stack file whose inputs cannot be determined is scanned without them', async () => {
  const { root } = checkouts();
  const { files, missing } = await scanTree({
    dir: join(root, 'one'),
    inputs: () => {
      throw new Error('sluice.yaml has errors');
    },
    further: new Set(),
    digests: fileDigests(),
  });
  expect([[...files.keys()], missing]).toEqual([[join(root, 'one/sluice.yaml')], undefined]);
});

test('another commit of the same files counts where a reading is checked, and another branch too', async () => {
  const { root, scan } = checkouts();
  const before = { ...(await scan()), head: { commit: 'a', branch: 'main' } };
  const dir = join(root, 'one');
  for (const head of [{ commit: 'b', branch: 'main' }, { commit: 'a', branch: 'next' }, undefined]) {
    const after = { ...before, head };
    expect(findMovedPath(before, after, 'whole')).toBe(`the commit that is checked out in ${dir}`);
    expect(findMovedPath(before, after, 'files')).toBeUndefined();
  }
  expect(findMovedPath(before, { ...before, head: { ...before.head } }, 'whole')).toBeUndefined();
});

test('a .git that cannot be followed is no commit, and keeps nothing from being scanned', async () => {
  const { root, scan } = checkouts();
  const before = await scan();
  symlinkSync('.git', join(root, 'one/.git'));
  const after = await scan();
  expect(after.head).toBeUndefined();
  expect(findMovedPath(before, after, 'whole')).toBeUndefined();
});
