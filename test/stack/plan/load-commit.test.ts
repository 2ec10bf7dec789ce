import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { company, sluice, stackFile } from '../../cli/terminal.ts';
import { gitStack } from '../../support/git-stack.ts';

test.each(['manifests', 'manifests/shared', 'manifests/shared/deeper'])(
  'a base whose manifests are in %s is refused where manifests/shared is a submodule, of which it has no files',
  async (path) => {
    const settings = stackFile.replace('[manifests]', `[${path}]`);
    const { dir, git } = await gitStack({ 'sluice.yaml': settings });
    git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'HEAD').trim()},manifests/shared`);
    git('commit', '-q', '-m', 'a submodule');
    mkdirSync(join(dir, 'manifests/shared/deeper'), { recursive: true });
    writeFileSync(join(dir, 'manifests/shared/deeper/company.yaml'), company);
    const { code, err } = await sluice(dir, 'plan --base main');
    expect([code, err]).toEqual([
      8,
      expect.stringMatching(/manifests\/shared cannot be read from commit \w+: the path is a submodule/),
    ]);
  },
);

const address = (description: string): string =>
  `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: mqtt}\nspec: {region: eu, description: ${description}}\n`;

test.each([
  ['a directory of manifests', 'prod/manifests', '../shared/manifests', 'manifests'],
  ['a link to a link', 'prod/manifests', '../current/manifests', 'manifests'],
  ['a directory above the manifests', 'prod/all', '../shared', 'all/manifests'],
  ['one manifest', 'prod/a.yaml', '../shared/manifests/a.yaml', 'a.yaml'],
])('%s may be a link to elsewhere in the repository', async (_, link, target, input) => {
  const { dir, git, commit } = await gitStack({ 'shared/manifests/a.yaml': address('one') });
  mkdirSync(join(dir, 'prod'));
  symlinkSync('shared', join(dir, 'current'));
  symlinkSync(target, join(dir, link));
  const first = commit({ 'prod/sluice.yaml': stackFile.replace('[manifests]', `[${input}]`) });
  const prod = join(dir, 'prod');
  expect((await sluice(prod, 'apply --auto-approve')).code).toBe(0);
  commit({ 'shared/manifests/a.yaml': address('two') });
  expect((await sluice(prod, 'apply --auto-approve')).code).toBe(0);
  const planned = await sluice(prod, `plan --base ${first}`);
  expect([planned.code, planned.err]).toEqual([0, expect.not.stringContaining('error')]);
  const back = await sluice(prod, `rollback ${first} --auto-approve`);
  expect([back.code, back.out]).toEqual([0, expect.stringContaining('description: two -> one')]);
  expect(git('status', '--porcelain')).toBe('');
});

test('what a link of the commit leads to must be readable as well', async () => {
  const { dir, git, commit } = await gitStack({ 'shared/README.md': 'Shared\n' });
  git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'HEAD').trim()},shared/lib`);
  git('commit', '-q', '-m', 'a submodule');
  mkdirSync(join(dir, 'prod'));
  symlinkSync('../shared', join(dir, 'prod/manifests'));
  mkdirSync(join(dir, 'shared/lib'));
  writeFileSync(join(dir, 'shared/a.yaml'), address('one'));
  git('add', 'prod', 'shared/a.yaml');
  commit({ 'prod/sluice.yaml': stackFile });
  const { code, err } = await sluice(join(dir, 'prod'), 'plan --base main');
  expect([code, err]).toEqual([
    8,
    expect.stringMatching(/shared\/lib cannot be read from commit \w+: the path is a submodule/),
  ]);
});

test('a file of the repository whose name is not UTF-8 is in the way only where it is a manifest', async () => {
  const { dir, commit } = await gitStack({ 'sluice.yaml': stackFile, 'manifests/a.yaml': address('one') });
  const foreign = (name: string): Buffer => Buffer.concat([Buffer.from(join(dir, name)), Buffer.from([0xe9])]);
  writeFileSync(foreign('notes-caf'), '');
  writeFileSync(Buffer.concat([foreign('manifests/notes-caf'), Buffer.from('.txt')]), '');
  const first = commit({});
  await sluice(dir, 'apply --auto-approve');
  commit({ 'manifests/a.yaml': address('two') });
  const planned = await sluice(dir, `plan --base ${first}`);
  expect([planned.code, planned.err]).toEqual([0, expect.not.stringContaining('error')]);
  expect((await sluice(dir, `changed --since ${first}`)).code).toBe(0);
  writeFileSync(Buffer.concat([foreign('manifests/caf'), Buffer.from('.yaml')]), address('three'));
  const base = commit({});
  rmSync(Buffer.concat([foreign('manifests/caf'), Buffer.from('.yaml')]));
  commit({});
  const refused = await sluice(dir, `plan --base ${base}`);
  expect([refused.code, refused.err]).toEqual([8, expect.stringContaining('the file name is not UTF-8')]);
});
