import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { virtualClock } from '../support/virtual-clock.ts';
import { scratch, small, takeTexts, watched, write } from '../support/watched-stack.ts';

describe('the revision', () => {
  test('is the commit, the branch and the subject of what is checked out', async () => {
    const dir = repository();
    const commit = commitAll(dir, 'Open the shop\n\nAt last.');
    expect(await revisionOf(dir)).toMatchObject({ commit, branch: 'main', subject: 'Open the shop' });
  });

  test('is that of the repository above, when the stack is a directory in it', async () => {
    const dir = scratch();
    git(dir, 'init', '-q', '-b', 'main');
    write(join(dir, 'stacks/shop'), small);
    const commit = commitAll(dir, 'A stack below');
    expect(await revisionOf(join(dir, 'stacks/shop'))).toMatchObject({ commit, subject: 'A stack below' });
  });

  test('is read where branches and objects are packed, and on a branch with a slash', async () => {
    const dir = repository();
    git(dir, 'checkout', '-q', '-b', 'feature/shop');
    const commit = commitAll(dir, 'Packed');
    git(dir, 'gc', '-q');
    git(dir, 'pack-refs', '--all');
    expect(existsSync(join(dir, '.git/refs/heads/feature/shop'))).toBe(false);
    expect(await revisionOf(dir)).toMatchObject({ commit, branch: 'feature/shop', subject: 'Packed' });
  });

  test('has no branch where none is checked out', async () => {
    const dir = repository();
    const commit = commitAll(dir, 'Detached');
    git(dir, 'checkout', '-q', '--detach');
    const revision = await revisionOf(dir);
    expect(revision).toMatchObject({ commit, subject: 'Detached' });
    expect(revision).not.toHaveProperty('branch');
  });

  test('is that of a worktree of git-sync, also where nothing but the worktree can be seen', async () => {
    const root = scratch();
    const dir = repository(join(root, 'repo'));
    const commit = commitAll(dir, 'Synced');
    const worktree = join(root, '.worktrees', commit);
    git(dir, 'worktree', 'add', '-q', '--detach', worktree, commit);
    symlinkSync(join('.worktrees', commit), join(root, 'current'));
    expect(await revisionOf(join(root, 'current'))).toMatchObject({ commit, subject: 'Synced' });
    renameSync(dir, join(root, 'hidden'));
    const revision = await revisionOf(join(root, 'current'));
    expect(revision).toMatchObject({ commit });
    expect(revision).not.toHaveProperty('subject');
  });

  test('is the content alone where there is no git, and where its files say nothing that makes sense', async () => {
    const dir = write(scratch(), small);
    expect(Object.keys(await revisionOf(dir))).toEqual(['content']);
    for (const [name, text] of [
      ['.git/HEAD', 'ref: refs/../../secret'],
      ['.git/HEAD', '\0\xff'],
      ['.git/HEAD', 'ref: refs/heads/none'],
    ]) {
      write(dir, { [name!]: text! });
      expect(Object.keys(await revisionOf(dir))).toEqual(['content']);
    }
  });

  test('lacks the subject, no more, where there is no git program', async () => {
    const dir = repository();
    const commit = commitAll(dir, 'Nobody can read this');
    const revision = await revisionOf(dir, { PATH: '/nowhere' });
    expect(revision).toMatchObject({ commit, branch: 'main' });
    expect(revision).not.toHaveProperty('subject');
  });

  test('has a subject that git is asked for once for each commit', async () => {
    const dir = repository();
    const programs = scratch();
    const asked = join(programs, 'asked');
    const counting = `#!/bin/sh\necho >> '${asked}'\nPATH='${process.env['PATH']}' exec git "$@"\n`;
    writeFileSync(join(programs, 'git'), counting, { mode: 0o755 });
    const clock = virtualClock();
    const { source, signal } = watched(dir, clock, { env: { PATH: programs } });
    const subjects: (string | undefined)[] = [];
    for (const message of ['One', 'Two']) {
      commitAll(dir, message);
      for (let reading = 0; reading < 3; reading++)
        subjects.push((await clock.run(source.read(takeTexts(), signal))).revision.subject);
      write(dir, { 'README.md': message });
    }
    expect([subjects, readFileSync(asked, 'utf8')]).toEqual([['One', 'One', 'One', 'Two', 'Two', 'Two'], '\n\n']);
  });

  test('runs nothing that the repository brings along', async () => {
    const dir = repository();
    const trap = join(scratch(), 'sprung');
    const program = join(dir, 'trap.sh');
    writeFileSync(program, `#!/bin/sh\ntouch '${trap}'\n`, { mode: 0o755 });
    const commit = commitAll(dir, 'Harmless');
    const settings = ['[core]', 'fsmonitor', 'pager', 'editor', 'sshCommand', 'gitProxy', 'askPass'].map((key) =>
      key.startsWith('[') ? key : `  ${key} = ${program}`,
    );
    appendFileSync(join(dir, '.git/config'), `${settings.join('\n')}\n[credential]\n  helper = ${program}\n`);
    cpSync(program, join(dir, '.git/hooks/post-checkout'));
    expect(await revisionOf(dir)).toMatchObject({ subject: 'Harmless' });
    // An object that is not there would be fetched from wherever the configuration says.
    git(dir, 'config', 'extensions.partialClone', 'origin');
    git(dir, 'config', 'remote.origin.promisor', 'true');
    git(dir, 'config', 'remote.origin.url', `ext::${program}`);
    git(dir, 'config', 'protocol.ext.allow', 'always');
    rmSync(join(dir, '.git/objects', commit.slice(0, 2)), { recursive: true });
    expect(await revisionOf(dir)).not.toHaveProperty('subject');
    expect(existsSync(trap)).toBe(false);
  });
});

describe('git as a writer', () => {
  test('a pull in place is noticed, and read when it is done', async () => {
    const root = scratch();
    const origin = repository(join(root, 'origin'));
    for (let n = 0; n < 300; n++) write(origin, { [`edges/${n}.yaml`]: 'a: 1\n' });
    commitAll(origin, 'One');
    const dir = join(root, 'clone');
    git(root, 'clone', '-q', origin, dir);
    const clock = virtualClock();
    const { source, signal } = watched(dir, clock);
    await clock.run(source.read(takeTexts(), signal));
    for (let n = 0; n < 300; n++) write(origin, { [`edges/${n}.yaml`]: 'a: 2\n' });
    const commit = commitAll(origin, 'Two');
    const changed = source.changed(signal);
    git(dir, 'pull', '-q');
    await clock.run(changed);
    const { value, revision, isNew } = await clock.run(source.read(takeTexts(), signal));
    expect(revision).toMatchObject({ commit, subject: 'Two' });
    expect(isNew).toBe(true);
    expect(Object.keys(value).filter((name) => /\d/.test(name) && value[name] !== 'a: 2\n')).toEqual([]);
  });

  test('a commit that is checked out while the stack is read has it read again: what is read is of one commit', async () => {
    const dir = repository();
    commitAll(dir, 'One');
    const commits: string[] = [];
    const clock = virtualClock();
    const { source, signal } = watched(dir, clock);
    let commit = '';
    const { revision } = await clock.run(
      source.read((at) => {
        if (commit === '') commit = commitAll(write(dir, { 'README.md': 'Two' }), 'Two');
        commits.push(commit);
        return takeTexts()(at);
      }, signal),
    );
    expect(commits).toHaveLength(2);
    expect(revision).toMatchObject({ commit, subject: 'Two' });
  });

  test('a checkout that never stands still is reported to keep moving', async () => {
    const dir = repository();
    commitAll(dir, 'One');
    const clock = virtualClock();
    const { source, signal } = watched(dir, clock);
    let commits = 0;
    const reading = clock.run(
      source.read((at) => {
        commitAll(write(dir, { 'README.md': String((commits += 1)) }), 'Another');
        return takeTexts()(at);
      }, signal),
    );
    await expect(reading).rejects.toMatchObject({
      code: 'SOURCE_CHANGING',
      message: `the commit that is checked out in ${dir} keeps changing while the stack is read`,
    });
  });

  test('a commit that changes no manifest is noticed, and is no new content', async () => {
    const dir = repository();
    commitAll(dir, 'One');
    const clock = virtualClock();
    const { source, signal } = watched(dir, clock);
    const before = await clock.run(source.read(takeTexts(), signal));
    const changed = source.changed(signal);
    write(dir, { 'README.md': 'About the shop\n' });
    const commit = commitAll(dir, 'Only words');
    await clock.run(changed);
    const { revision, isNew } = await clock.run(source.read(takeTexts(), signal));
    expect(isNew).toBe(false);
    expect(revision).toMatchObject({ commit, subject: 'Only words', content: before.revision.content });
  });

  test('a commit that changes no manifest is no change of what is read, and one that does is', async () => {
    const dir = repository();
    commitAll(dir, 'One');
    const clock = virtualClock();
    const { source, signal } = watched(dir, clock);
    await clock.run(source.read(takeTexts(), signal));
    let isChanged = false;
    const changed = source.contentChanged(signal).then(() => (isChanged = true));
    write(dir, { 'README.md': 'About the shop\n' });
    commitAll(dir, 'Only words');
    await clock.run(source.changed(signal));
    await clock.run(clock.sleep(60_000, signal));
    expect(isChanged).toBe(false);
    write(dir, { 'edges/shop.yaml': 'a: 2\n' });
    commitAll(dir, 'Two');
    await clock.run(changed);
  });

  test('a branch that is checked out in place of another is noticed', async () => {
    const dir = repository();
    const commit = commitAll(dir, 'One');
    const clock = virtualClock();
    const { source, signal } = watched(dir, clock);
    await clock.run(source.read(takeTexts(), signal));
    const changed = source.changed(signal);
    git(dir, 'checkout', '-q', '-b', 'release');
    await clock.run(changed);
    const { revision } = await clock.run(source.read(takeTexts(), signal));
    expect(revision).toMatchObject({ commit, branch: 'release' });
  });

  test('a rebase, a reset and a removed .git end in what is there then', async () => {
    const dir = repository();
    const first = commitAll(dir, 'One');
    write(dir, { 'edges/shop.yaml': 'a: 2\n' });
    commitAll(dir, 'Two');
    const clock = virtualClock();
    const { source, signal } = watched(dir, clock);
    const read = () => clock.run(source.read(takeTexts(), signal));
    await read();
    git(dir, 'reset', '-q', '--hard', first);
    await clock.run(source.changed(signal));
    const back = await read();
    expect(back.revision).toMatchObject({ commit: first, subject: 'One' });
    expect(back.value['edges/shop.yaml']).toBe('a: 1\n');
    rmSync(join(dir, '.git'), { recursive: true });
    await clock.run(source.changed(signal));
    expect((await read()).revision).not.toHaveProperty('commit');
  });
});

async function revisionOf(dir: string, env?: Readonly<Record<string, string | undefined>>) {
  const clock = virtualClock();
  const { source, signal } = watched(dir, clock, { env: env ?? { PATH: process.env['PATH'] } });
  return (await clock.run(source.read(takeTexts(), signal))).revision;
}

function repository(dir = scratch()): string {
  write(dir, small);
  git(dir, 'init', '-q', '-b', 'main');
  return dir;
}

function commitAll(dir: string, message: string): string {
  git(dir, 'add', '-A');
  git(dir, 'commit', '-q', '-m', message);
  return git(dir, 'rev-parse', 'HEAD').trim();
}

function git(dir: string, ...args: string[]): string {
  const env = {
    PATH: process.env['PATH'],
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
  };
  return execFileSync('git', args, { cwd: dir, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
