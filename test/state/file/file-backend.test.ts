import {
  chmod,
  chown,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { writeDocument } from '../../support/write-document.ts';
import { fileBackend } from '../../../src/state/file/file-backend.ts';
import type { BegunRun } from '../../../src/state/run-records.ts';
import { emptyState } from '../../../src/state/store.ts';
import { nobody, withoutAnotherUser } from '../../support/another-user.ts';
import { endingsOfOthers, endingsOfTheDead } from './temporary-names.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-file-backend-'));
  path = join(folder, 'state.json');
  onTestFinished(() => rm(folder, { recursive: true }));
});

const now = new Date('2026-01-02T12:30:00.250Z');
const endings = { done: 0, failed: 0, unknown: 1, skipped: 0, 'not-started': 0 };
const possible = { interrupted: false, requests: 1, done: {}, endings, changes: [], omitted: 0 };
const damaged = writeDocument(emptyState('st1', 'https://api.example.com'), { version: '1', command: 'x' }).slice(
  0,
  -9,
);

describe('what is set aside', () => {
  test('has the time in its name, and its journal beside it', async () => {
    await writeFile(path, damaged);
    await writeFile(`${path}.journal`, 'its journal');
    const aside = await fileBackend(path).setAside(now);
    expect(aside).toBe(`${path}.unreadable-20260102T123000250Z`);
    expect(await readFile(aside, 'utf8')).toBe(damaged);
    expect(await readFile(`${aside}.journal`, 'utf8')).toBe('its journal');
    expect(await readdir(folder)).toHaveLength(2);
  });

  test('is a state, with a journal or without', async () => {
    await writeFile(path, damaged);
    await fileBackend(path).setAside(now);
    expect(await readdir(folder)).toHaveLength(1);
  });

  test('may be nothing', async () => {
    await fileBackend(path).setAside(now);
    expect(await readdir(folder)).toEqual([]);
  });

  test('stays in its place, with an error, where it cannot be moved', async () => {
    await writeFile(path, damaged);
    await mkdir(`${path}.unreadable-20260102T123000250Z`);
    await expect(fileBackend(path).setAside(now)).rejects.toMatchObject({ code: 'EISDIR' });
    expect(await readFile(path, 'utf8')).toBe(damaged);
  });

  test('is never a file that is not a state', async () => {
    await writeFile(path, 'notes of somebody');
    await expect(fileBackend(path).setAside(now)).rejects.toMatchObject({ code: 'NOT_A_STATE' });
    expect(await readdir(folder)).toEqual(['state.json']);
  });
});

describe('a lock', () => {
  test('that nobody holds has no holder', async () => {
    expect(await fileBackend(path).lockHolder()).toBeUndefined();
  });

  test('that cannot be read may be held: nobody is told that it is free', async () => {
    await symlink('lock', join(folder, 'lock'));
    await expect(fileBackend(path).lockHolder()).rejects.toMatchObject({ code: 'LOCK_UNREADABLE' });
  });

  test('is held by whoever runs, until its release', async () => {
    const lock = await fileBackend(path).acquireLock('sluice apply');
    const holder = await fileBackend(path).lockHolder();
    expect(holder).toMatchObject({ text: expect.stringContaining('sluice apply') as string, hasEnded: false });
    await lock.release();
    expect(await fileBackend(path).lockHolder()).toBeUndefined();
  });

  test('in the place of which there is a directory is taken by nobody', async () => {
    await mkdir(join(folder, 'lock'));
    const taking = fileBackend(path).acquireLock('sluice apply');
    await expect(taking).rejects.toThrow('the lock file is a directory');
    expect(await readdir(folder)).toEqual(['lock']);
  });

  test('of which the file is damaged has a holder of whom nothing is known, and is gone once released', async () => {
    await writeFile(join(folder, 'lock'), 'damaged');
    const holder = await fileBackend(path).lockHolder();
    expect(holder).toMatchObject({ text: undefined });
    await holder?.release();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe.skipIf(withoutAnotherUser !== '')(`where a watch ran as another user${withoutAnotherUser}`, () => {
  beforeEach(async () => {
    // Everybody may write here, so that each file belongs to whoever writes it.
    await chmod(folder, 0o1777);
    const kept = join(folder, 'watch-state.json');
    await writeFile(kept, '{}', { mode: 0o600 });
    await chown(kept, nobody, nobody);
  });

  test('requests to it are refused that it could not read', async () => {
    const writing = fileBackend(path)
      .document('watch-requests')
      .update(() => 'paused');
    await expect(writing).rejects.toMatchObject({ code: 'OPERATOR_REQUESTS_UNREADABLE' });
    expect(await readdir(folder)).toEqual(['watch-state.json']);
  });

  test('a watch of another user may begin: what it keeps is its own', async () => {
    await fileBackend(path)
      .document('watch-state')
      .update(() => '{"next": 1}');
    expect(await readFile(join(folder, 'watch-state.json'), 'utf8')).toBe('{"next": 1}');
  });
});

test('records of runs that cannot be read are not said to be none', async () => {
  expect(await fileBackend(path).runs(1)).toEqual([]);
  await mkdir(join(folder, 'runs'));
  await symlink('20260102T000000000Z.1', join(folder, 'runs', '20260102T000000000Z.1'));
  await expect(fileBackend(path).runs(1)).rejects.toMatchObject({ code: 'RUNS_UNREADABLE' });
  await rm(join(folder, 'runs'), { recursive: true });
  await symlink('runs', join(folder, 'runs'));
  await expect(fileBackend(path).runs(1)).rejects.toMatchObject({ code: 'RUNS_UNREADABLE' });
});

describe('what a dead run was writing', () => {
  const allEndings = [...endingsOfTheDead, ...endingsOfOthers];
  const begun: BegunRun = { planned: { commit: 'aaaaaaa' }, possible };
  const leave = async (name: string): Promise<void> => {
    for (const end of allEndings) await writeFile(join(folder, `${name}.${end}`), 'half');
  };

  test('beside the records of runs is no record, and the next run removes it', async () => {
    const backend = fileBackend(path);
    const lock = await backend.acquireLock('sluice apply');
    await backend.beginRun(begun);
    const [name = ''] = await readdir(join(folder, 'runs'));
    for (const end of allEndings) await copyFile(join(folder, 'runs', name), join(folder, 'runs', `${name}.${end}`));
    expect(await backend.runs(10)).toHaveLength(1);
    await backend.beginRun(begun);
    await lock.release();
    const names = await readdir(join(folder, 'runs'));
    expect(names.filter((one) => one.includes('.tmp-')).sort()).toEqual(
      endingsOfOthers.map((end) => `${name}.${end}`).sort(),
    );
    expect(names.length).toBe(2 + endingsOfOthers.length);
    expect(await backend.runs(10)).toHaveLength(2);
  });

  test.each(['watch-state', 'watch-requests'] as const)('beside %s is removed by the next change', async (name) => {
    await leave(`${name}.json`);
    await leave('other.json');
    await fileBackend(path)
      .document(name)
      .update(() => '{}');
    const left = [
      ...allEndings.map((end) => `other.json.${end}`),
      ...endingsOfOthers.map((end) => `${name}.json.${end}`),
    ];
    expect((await readdir(folder)).sort()).toEqual([...left, `${name}.json`].sort());
  });
});

describe('a state file that is reached by a link', () => {
  const options = { lineage: 'st1', account: 'https://api.example.com', writer: { version: '1', command: 'x' } };
  let linked: string;

  beforeEach(async () => {
    const checkout = join(folder, 'checkout');
    await mkdir(checkout);
    linked = join(checkout, 'state.json');
    await symlink('../state.json', linked);
  });

  test('has one lock, whichever way leads there', async () => {
    await writeFile(path, writeDocument(emptyState('st1', options.account), options.writer));
    const lock = await fileBackend(linked).acquireLock('sluice apply');
    await expect(fileBackend(path).acquireLock('sluice apply')).rejects.toMatchObject({ code: 'LOCK_HELD' });
    await lock.release();
    expect(await fileBackend(linked).lockHolder()).toBeUndefined();
  });

  test('has all that is kept beside it where it really is', async () => {
    const backend = fileBackend(linked);
    const lock = await backend.acquireLock('sluice apply');
    await backend.stateStore(options).save(emptyState('st1', options.account));
    await backend.document('watch-state').update(() => '{}');
    await lock.release();
    expect(await readdir(join(folder, 'checkout'))).toEqual(['state.json']);
    expect((await readdir(folder)).sort()).toEqual(['checkout', 'state.json', 'watch-state.json']);
    expect(backend.socketPath).toBe(fileBackend(path).socketPath);
    expect(backend.location).toBe(linked);
  });

  test('is made where the link leads to, and the link stays', async () => {
    await fileBackend(linked).stateStore(options).save(emptyState('st1', options.account));
    expect(await readlink(linked)).toBe('../state.json');
    expect(await readFile(path, 'utf8')).toContain('"lineage": "st1"');
  });

  test('is moved away there', async () => {
    await writeFile(path, writeDocument(emptyState('st1', options.account), options.writer));
    await fileBackend(linked).moveAway('s3://states/', options);
    expect(await readlink(linked)).toBe('../state.json');
    await expect(fileBackend(path).mustBeHere()).rejects.toMatchObject({ code: 'STATE_MOVED' });
  });

  test.each(['away/state.json', 'other', 'state.json'])(
    'is refused where the link leads nowhere, as to a disk that is not mounted: %s',
    async (to) => {
      await symlink('nothing', join(folder, 'checkout', 'other'));
      await rm(linked);
      await symlink(to, linked);
      expect(() => fileBackend(linked)).toThrow(`the state file ${linked} is a link to ${to}, which leads nowhere`);
    },
  );
});

describe('a state with resources that is removed', () => {
  const entry = { kind: 'ReservedAddr', id: 'ra_1', spec: { region: 'eu' }, protect: false, retain: false };
  const state = { ...emptyState('st1', 'https://api.example.com'), entries: { 'ReservedAddr/mqtt': entry } };
  const options = { lineage: 'st1', account: 'https://api.example.com', writer: { version: '1', command: 'x' } };

  test.each(['saved', 'read'])('after this process has %s it is lost, and not new', async (how) => {
    const backend = fileBackend(path);
    const store = (how === 'saved' ? backend : fileBackend(path)).stateStore(options);
    await store.load();
    await store.save(state);
    await store.close();
    if (how === 'read') await backend.stateStore(options).load();
    const text = await readFile(path, 'utf8');
    await rm(path);
    await expect(backend.stateStore(options).load()).rejects.toMatchObject({ code: 'STATE_LOST' });
    await writeFile(path, text);
    expect(await backend.stateStore(options).load()).toMatchObject({ serial: 1 });
  });

  test('before this process knew of it is that of a new stack', async () => {
    const backend = fileBackend(path);
    expect(await backend.stateStore(options).load()).toBeUndefined();
    expect(await backend.stateStore(options).load()).toBeUndefined();
  });
});

test('runs that begin in one millisecond are listed in their order, newest first', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  onTestFinished(() => void vi.useRealTimers());
  const backend = fileBackend(path);
  const lock = await backend.acquireLock('sluice apply');
  const commits = Array.from({ length: 12 }, (_, n) => `commit-${n}`);
  for (const commit of commits) await backend.beginRun({ planned: { commit }, possible });
  await lock.release();
  expect((await backend.runs(20)).map(({ commit }) => commit)).toEqual(commits.toReversed());
});
