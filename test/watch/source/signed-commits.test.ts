import { appendFileSync, chmodSync, renameSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { libraryContext } from '../../../src/stack/library-context.ts';
import { signedCommits } from '../../../src/watch/source/signed-commits.ts';
import { directory } from '../../cli/terminal.ts';
import { signedRepository, skippedWithoutSsh } from '../../support/signed-repository.ts';

const digest = `sha256:${'0'.repeat(64)}`;

/** A repository with a commit that approves, and what a watch reads of it. */
async function watched() {
  const [dir, keys] = [await directory({ 'stacks/a/sluice.yaml': '' }), await directory()];
  const repository = signedRepository(dir, keys);
  repository.commit('Approve', digest, 'ada');
  const context = libraryContext({ dir, env: { PATH: process.env['PATH'] } });
  const of = signedCommits(context, { dir, keys: repository.allowed });
  const failures: string[] = [];
  const read = of(join(dir, 'stacks/a'), (message) => failures.push(message));
  const signers = async (): Promise<readonly unknown[]> => (await read()).map(({ signature }) => signature);
  return { ...repository, context, of, failures, read, signers };
}

describe.skipIf(skippedWithoutSsh !== '')(`approvals in signed commits${skippedWithoutSsh}`, () => {
  test('are read once for each commit, and again after the keys have changed', async () => {
    const { read, signers, commit, allowed, publicKey } = await watched();
    expect(await read()).toMatchObject([{ digest, subject: 'Approve', signature: { by: 'ada@example.com' } }]);
    expect(await read()).toBe(await read());
    commit('Approve again', digest, 'mallory');
    expect(await signers()).toMatchObject([{ problem: expect.any(String) as string }, { by: 'ada@example.com' }]);
    appendFileSync(allowed, `mallory@example.com namespaces="git" ${publicKey('mallory')}\n`);
    expect(await signers()).toEqual([{ by: 'mallory@example.com' }, { by: 'ada@example.com' }]);
  });

  test('that could not be read are read again, although the commit is the same', async () => {
    const { dir, signers, failures } = await watched();
    const objects = join(dir, '.git/objects');
    renameSync(objects, `${objects}-away`);
    expect(await signers()).toEqual([]);
    expect(failures).toEqual([expect.stringMatching(/^approvals in commits cannot be read: /)]);
    renameSync(`${objects}-away`, objects);
    expect(await signers()).toEqual([{ by: 'ada@example.com' }]);
    expect(failures).toHaveLength(1);
  });

  test('whose reading is interrupted report that, although a later reading has failed meanwhile', async () => {
    const { dir, git, commit, context, allowed } = await watched();
    const first = git('rev-parse', 'HEAD').trim();
    // A git that waits at the first commit, and fails at any other.
    const programs = await directory({ git: `#!/bin/sh\ncase "$*" in *${first}*) exec sleep 60 ;; esac\nexit 1\n` });
    chmodSync(join(programs, 'git'), 0o755);
    const stop = new AbortController();
    const env = { PATH: [programs, process.env['PATH']].join(delimiter) };
    const slow = { ...context, io: { ...context.io, env, signal: stop.signal } };
    const failures: string[] = [];
    const read = signedCommits(slow, { dir, keys: allowed })(dir, (message) => failures.push(message));
    const waiting = read();
    commit('Another commit');
    await read();
    stop.abort();
    await waiting;
    expect(failures).toEqual([
      'approvals in commits cannot be read: git cannot read the repository',
      'approvals in commits cannot be read: interrupted',
    ]);
  });

  test('are none while the repository is away, or without keys, which is reported', async () => {
    const { dir, signers, failures, allowed } = await watched();
    renameSync(join(dir, '.git'), join(dir, 'away'));
    expect([await signers(), failures]).toEqual([[], []]);
    renameSync(join(dir, 'away'), join(dir, '.git'));
    writeFileSync(allowed, '\n');
    expect(await signers()).toEqual([]);
    expect(failures).toEqual([`approvals in commits cannot be read: --approval-keys: ${allowed} is empty`]);
  });

  test('need a repository with its commits, keys, and a program that can be run', async () => {
    const { of, context, allowed, dir } = await watched();
    const elsewhere = await directory();
    expect(() => of(elsewhere, () => undefined)).toThrow(
      `--approval-keys: ${elsewhere} is not in a git repository whose commits can be read`,
    );
    const programs = await directory({ 'ssh-keygen': '#!/bin/sh\n' });
    const reading = (path: string): unknown =>
      signedCommits({ ...context, io: { ...context.io, env: { PATH: path } } }, { dir, keys: allowed });
    expect(() => reading(`bin:${programs}`)).toThrow('--approval-keys: ssh-keygen is not installed');
    chmodSync(join(programs, 'ssh-keygen'), 0o755);
    expect(reading(`bin:${programs}`)).toBeTypeOf('function');
    expect(() => reading('')).toThrow('--approval-keys: ssh-keygen is not installed');
  });
});
