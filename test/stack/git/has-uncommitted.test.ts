import { appendFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasUncommitted } from '../../../src/stack/git/has-uncommitted.ts';
import { openRepository } from '../../../src/stack/git/find-repository.ts';
import { libraryContext } from '../../../src/stack/library-context.ts';
import { findManifests } from '../../../src/manifest/read/read-manifests.ts';
import { directory } from '../../cli/terminal.ts';
import { gitStack, type GitStack } from '../../support/git-stack.ts';
import { readFileSync } from 'node:fs';

const files = {
  'shop/sluice.yaml': 'version: 1\n',
  'shop/manifests/one.yaml': 'a: 1\n',
  'shop/manifests/deep/two.yml': 'a: 2\n',
  'shop/manifests/.hidden.yaml': 'a: 3\n',
  'shop/manifests/notes.txt': 'not a manifest\n',
  'shop/ca.pem': 'a certificate\n',
  'other/manifest.yaml': 'a: 4\n',
};

/** Whether the stack `shop` of a repository, as it is read now, differs from a commit. */
async function isUncommitted({ dir, git }: GitStack, beside: readonly string[] = []): Promise<boolean | undefined> {
  const repository = openRepository(libraryContext({ dir, env: process.env }), dir);
  if (repository === undefined) throw new Error('there is no repository');
  const searched = [join(dir, 'shop/manifests')];
  const manifests = [...findManifests(join(dir, 'shop'), searched)].flatMap((one) => ('real' in one ? [one.path] : []));
  const own = [join(dir, 'shop/sluice.yaml'), ...manifests].map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  return hasUncommitted(repository, git('rev-parse', 'HEAD').trim(), { own, beside, searched });
}

test('a stack as it was committed has no changes, whatever else in the repository has', async () => {
  const stack = await gitStack(files);
  writeFileSync(join(stack.dir, 'other/manifest.yaml'), 'a: 5\n');
  writeFileSync(join(stack.dir, 'shop/manifests/notes.txt'), 'other notes\n');
  rmSync(join(stack.dir, 'shop/manifests/.hidden.yaml'));
  expect(await isUncommitted(stack, [join(stack.dir, 'shop/ca.pem')])).toBe(false);
});

test('git is asked only for what was read, and for nothing outside of the repository', async () => {
  const stack = await gitStack(files);
  const repository = openRepository(libraryContext({ dir: stack.dir, env: process.env }), stack.dir);
  if (repository === undefined) throw new Error('there is no repository');
  const asked: string[] = [];
  const git: typeof repository.git = (args, ...more) => {
    if (args[0] === 'ls-tree') asked.push(...args.slice(args.indexOf('--') + 1));
    return repository.git(args, ...more);
  };
  const [path, manifests] = [join(stack.dir, 'shop/sluice.yaml'), join(stack.dir, 'shop/manifests')];
  const read = { own: [{ path, text: 'version: 1\n' }], beside: ['/dev/null'], searched: [manifests] };
  await hasUncommitted({ ...repository, git }, stack.git('rev-parse', 'HEAD').trim(), read);
  expect(asked).toEqual(['shop/sluice.yaml', 'shop/manifests']);
});

test.each<[string, (dir: string) => void]>([
  ['a manifest that was changed', (dir) => writeFileSync(join(dir, 'manifests/deep/two.yml'), 'a: 9\n')],
  ['a manifest that was added', (dir) => writeFileSync(join(dir, 'manifests/deep/new.json'), '{}')],
  ['a manifest that was deleted', (dir) => rmSync(join(dir, 'manifests/one.yaml'))],
  ['a directory of manifests that was deleted', (dir) => rmSync(join(dir, 'manifests/deep'), { recursive: true })],
  ['a changed sluice.yaml', (dir) => writeFileSync(join(dir, 'sluice.yaml'), 'version: 1\n# more\n')],
  ['a changed file that a value is taken from', (dir) => writeFileSync(join(dir, 'ca.pem'), 'another\n')],
  ['a file that a value is taken from, which was deleted', (dir) => rmSync(join(dir, 'ca.pem'))],
])('counts as uncommitted: %s', async (_, change) => {
  const stack = await gitStack(files);
  change(join(stack.dir, 'shop'));
  expect(await isUncommitted(stack, [join(stack.dir, 'shop/ca.pem')])).toBe(true);
});

test('a secret that git does not have is no change, nor are other line ends', async () => {
  const stack = await gitStack(files);
  const secret = join(stack.dir, 'shop/secret');
  writeFileSync(secret, 's3cret');
  writeFileSync(join(stack.dir, 'shop/manifests/one.yaml'), 'a: 1\r\n');
  expect(await isUncommitted(stack, [secret])).toBe(false);
});

test('what was read from standard input or from outside of the repository is in no commit', async () => {
  const { dir, git } = await gitStack(files);
  const repository = openRepository(libraryContext({ dir, env: process.env }), dir)!;
  const head = git('rev-parse', 'HEAD').trim();
  const read = { path: join(dir, 'shop/sluice.yaml'), text: 'version: 1\n' };
  const differs = (own: readonly { path: string | undefined; text: string }[], searched: readonly string[] = []) =>
    hasUncommitted(repository, head, { own, beside: [join(dir, 'missing')], searched });
  expect(await differs([read])).toBe(false);
  expect(await differs([read, { path: join(await directory(), 'one.yaml'), text: 'a: 1\n' }])).toBe(true);
  expect(await differs([read, { path: undefined, text: 'a: 1\n' }])).toBe(true);
  // A manifest that is named itself, and one below the root of the repository.
  expect(await differs([read], [join(dir, 'shop/manifests/one.yaml')])).toBe(true);
  expect(await differs([read], [dir])).toBe(true);
});

test('a manifest that a link leads to is compared where it is', async () => {
  const stack = await gitStack(files);
  mkdirSync(join(stack.dir, 'shop/shared'));
  writeFileSync(join(stack.dir, 'shop/shared/three.yaml'), 'a: 3\n');
  symlinkSync('../shared', join(stack.dir, 'shop/manifests/linked'));
  stack.commit({});
  expect(await isUncommitted(stack)).toBe(false);
  writeFileSync(join(stack.dir, 'shop/shared/three.yaml'), 'a: 4\n');
  expect(await isUncommitted(stack)).toBe(true);
});

test('what a filter of the repository would have made of a file is not known, and no filter is run', async () => {
  const stack = await gitStack(files);
  const trap = join(await directory(), 'sprung');
  const program = join(stack.dir, 'trap.sh');
  writeFileSync(program, `#!/bin/sh\ntouch '${trap}'\ncat\n`, { mode: 0o755 });
  stack.commit({
    'shop/manifests/one.yaml': 'version https://git-lfs.github.com/spec/v1\n',
    'shop/manifests/three.yaml': '\0GITCRYPT\0and what it made',
  });
  appendFileSync(
    join(stack.dir, '.git/config'),
    `[core]\n  fsmonitor = ${program}\n  hooksPath = ${stack.dir}\n[filter "trap"]\n  clean = ${program}\n  smudge = ${program}\n  process = ${program}\n[diff "trap"]\n  textconv = ${program}\n  command = ${program}\n`,
  );
  writeFileSync(join(stack.dir, '.gitattributes'), '* filter=trap diff=trap\n');
  writeFileSync(join(stack.dir, '.git/info/attributes'), '* filter=trap diff=trap\n');
  for (const name of ['one', 'three']) writeFileSync(join(stack.dir, `shop/manifests/${name}.yaml`), 'a: 1\n');
  expect(await isUncommitted(stack)).toBeUndefined();
  writeFileSync(join(stack.dir, 'shop/manifests/deep/two.yml'), 'a: 9\n');
  expect(await isUncommitted(stack)).toBe(true);
  expect(existsSync(trap)).toBe(false);
  // It is a trap.
  stack.git('status');
  expect(existsSync(trap)).toBe(true);
});
