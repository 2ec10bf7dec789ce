/* `sluice changed --since REF`: which stacks of a repository a pull request changes. */
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitStack, type GitStack } from '../support/git-stack.ts';
import { company, directory, sluice, stackFile } from './terminal.ts';

const shared = stackFile.replace('[manifests]', '[../manifests]');
const files = {
  'network/sluice.yaml': stackFile,
  'network/manifests/company.yaml': company,
  'staging/sluice.yaml': shared,
  'production/sluice.yaml': shared,
  'manifests/company.yaml': company,
};

/** A repository of three stacks, two of which share manifests, and a branch for a change. */
async function branch(): Promise<GitStack> {
  const repository = await gitStack(files);
  repository.git('checkout', '-q', '-b', 'change');
  return repository;
}

describe('changed', () => {
  test('prints a line for each stack that a branch changes, creates or deletes', async () => {
    const { dir, commit, git } = await branch();
    git('rm', '-q', '-r', 'network');
    commit({ 'manifests/mqtt.yaml': company, 'dns/sluice.yaml': shared });
    expect(await sluice(dir, 'changed --since main')).toEqual({
      code: 0,
      err: '',
      out: 'new      dns\ndeleted  network\nchanged  production\nchanged  staging\n',
    });
  });

  test('prints nothing, and reports that, where no stack is changed', async () => {
    const { dir, commit } = await branch();
    commit({ 'README.md': 'about', 'network/notes.txt': 'about', 'manifests/.hidden.yaml': company });
    await writeFile(join(dir, 'network/sluice.yaml'), 'not committed');
    expect(await sluice(dir, 'changed --since main')).toEqual({
      code: 0,
      out: '',
      err: 'No stacks have changed since main.\n',
    });
  });

  test('compares with the last common commit, so that what others merged does not count', async () => {
    const { dir, commit, git } = await branch();
    commit({ 'network/manifests/company.yaml': company.replace('Sensors', 'Probes') });
    git('checkout', '-q', 'main');
    commit({ 'manifests/company.yaml': company.replace('Sensors', 'Probes') });
    git('checkout', '-q', 'change');
    expect((await sluice(dir, 'changed --since main')).out).toBe('changed  network\n');
  });

  test('has a matrix for jobs, without stacks that no longer exist', async () => {
    const { dir, commit, git } = await branch();
    git('rm', '-q', '-r', 'network');
    const head = commit({ 'production/sluice.yaml': shared.replace('5c1e7a90', '5c1e7a91') });
    const { out } = await sluice(dir, 'changed --since main --format json');
    expect(JSON.parse(out)).toEqual({
      format_version: '1.0',
      since: { ref: 'main', commit: git('rev-parse', 'main').trim() },
      head,
      stacks: [
        { stack: 'network', change: 'deleted' },
        { stack: 'production', change: 'changed' },
      ],
      matrix: { include: [{ stack: 'production', change: 'changed' }] },
    });
  });

  test('is limited to the directory of -C, and prints paths that -C accepts from here', async () => {
    const { dir, commit } = await branch();
    commit({ 'manifests/company.yaml': company.replace('Sensors', 'Probes') });
    expect((await sluice(dir, '-C staging changed --since main')).out).toBe('changed  staging\n');
    expect((await sluice(join(dir, 'staging'), 'changed --since main')).out).toBe('changed  .\n');
    expect((await sluice(join(dir, 'network'), '-C .. changed --since main')).out).toBe(
      'changed  ../production\nchanged  ../staging\n',
    );
  });

  test('counts pointers of Git LFS and commits of submodules among the manifests, and nothing outside of the repository', async () => {
    const pointer = (size: number): string =>
      `version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize ${String(size)}\n`;
    const { dir, commit, git } = await gitStack({
      ...files,
      'manifests/large.yaml': pointer(1),
      'logo.png': pointer(1),
      'network/sluice.yaml': stackFile.replace('[manifests]', '[linked, ../../elsewhere, /etc]'),
    });
    await symlink('manifests', join(dir, 'network/linked'));
    commit({});
    commit({ 'logo.png': pointer(2) });
    expect((await sluice(dir, 'changed --since HEAD~1')).out).toBe('');
    commit({ 'manifests/large.yaml': pointer(2) });
    expect((await sluice(dir, 'changed --since HEAD~1')).out).toBe('changed  production\nchanged  staging\n');
    git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'HEAD').trim()},network/manifests/shared`);
    git('commit', '-q', '-m', 'a submodule');
    expect((await sluice(dir, 'changed --since HEAD~1')).out).toBe('changed  network\n');
  });

  test('follows links: of directories of manifests to further ones, and of a directory of values to where it is', async () => {
    const described = company.replace('Sensors', '{from_file: ../../keys/text.txt}');
    const { dir, commit } = await gitStack({
      'network/sluice.yaml': `${stackFile}secrets: {dirs: [../keys]}\n`,
      'shared/company.yaml': described,
      'network/more/more.yaml': company.replaceAll('mqtt', 'amqp').slice(0, company.indexOf('---')),
      'vault/text.txt': 'Sensors',
      'vault/other.txt': 'a value of nobody',
    });
    await symlink('../shared', join(dir, 'network/manifests'));
    await symlink('../network/more', join(dir, 'shared/further'));
    await symlink('vault', join(dir, 'keys'));
    commit({});
    const since = async (): Promise<string> => (await sluice(dir, 'changed --since HEAD~1')).out;
    commit({ 'vault/other.txt': 'another one' });
    expect(await since()).toBe('');
    commit({ 'network/more/more.yaml': company.replaceAll('mqtt', 'smtp').slice(0, company.indexOf('---')) });
    expect(await since()).toBe('changed  network\n');
    commit({ 'vault/text.txt': 'Probes' });
    expect(await since()).toBe('changed  network\n');
  });

  test('refuses a ref that is none, a directory without a repository, and a machine without git', async () => {
    const { dir } = await branch();
    const refused = async (where: string, ref: string, env = {}): Promise<string> => {
      const { code, err, out } = await sluice(where, `changed --since=${ref}`, { env });
      expect([code, out]).toEqual([8, '']);
      return err;
    };
    expect(await refused(dir, 'nothing')).toContain('--since: "nothing" is not a commit of this repository');
    expect(await refused(dir, '--all')).toContain('--since: "--all" is not a commit of this repository');
    expect(await refused(await directory(), 'main')).toContain('is not in a git repository');
    expect(await refused(dir, 'main', { PATH: '/nowhere' })).toContain('git is not installed');
    expect((await sluice(dir, 'changed')).code).toBe(8);
    await rm(join(dir, 'staging'), { recursive: true });
    expect((await sluice(dir, '-C staging changed --since main')).err).toContain('does not exist');
  });
});
