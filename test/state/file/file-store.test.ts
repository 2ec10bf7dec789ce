import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Refused, StateError } from '../../../src/diagnostics/errors.ts';
import type { State } from '../../../src/model/state.ts';
import { writeDocument } from '../../support/write-document.ts';
import { fileStore } from '../../../src/state/file/file-store.ts';
import { emptyState, type StateStore } from '../../../src/state/store.ts';
import { endingsOfOthers, endingsOfTheDead } from './temporary-names.ts';

const writer = { version: '0.1.0', command: 'apply' };
const account = 'https://api.example.com';
let path: string;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-state-'));
  path = join(folder, '.sluice', 'state.json');
  onTestFinished(() => rm(folder, { recursive: true }));
});

function store(facts: { lineage?: string; account?: string; now?: () => Date } = {}): StateStore {
  return fileStore({ path, lineage: 'st1', account, writer, ...facts });
}

function withEntries(...names: readonly string[]): State {
  const entry = { kind: 'Widget', spec: { size: 1 }, protect: false, retain: false };
  return {
    ...emptyState('st1', account),
    entries: Object.fromEntries(names.map((name) => [`Widget/${name}`, { ...entry, id: `w_${name}` }])),
  };
}

/** The text of another state of this stack. */
function other(serial: number): string {
  return writeDocument({ ...withEntries('other'), serial }, writer);
}

async function failure(promise: Promise<unknown>): Promise<StateError> {
  return promise.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => error as StateError,
  );
}

describe('a state file', () => {
  test('that never was is no state', async () => {
    expect(await store().load()).toBeUndefined();
  });

  test('gives back what was saved, numbered, and is its owner`s alone', async () => {
    const state = withEntries('a');
    await store().save(state);
    expect(await store().load()).toEqual({ ...state, serial: 1 });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
  });

  test('counts on from what was there', async () => {
    await store().save(withEntries('a'));
    const second = store();
    await second.load();
    await second.save(withEntries('a', 'b'));
    await second.save(withEntries('a', 'b', 'c'));
    expect((await store().load())?.serial).toBe(3);
  });

  test('is written once for many who wait at the same time, and holds what the last one gave', async () => {
    const one = store();
    await Promise.all(Array.from({ length: 100 }, (_, n) => one.save(withEntries(`n${n}`))));
    const state = await store().load();
    expect(Object.keys(state?.entries ?? {})).toEqual(['Widget/n99']);
    expect(state?.serial).toBeLessThanOrEqual(2);
  });

  test('loses what a dead run left beside it, and keeps what a living one is writing', async () => {
    await store().save(withEntries('a'));
    const [dead = [], others = []] = [endingsOfTheDead, endingsOfOthers].map((all) =>
      all.map((end) => `state.json.${end}`),
    );
    for (const name of [...dead, ...others]) await writeFile(join(dirname(path), name), 'half');
    await store().save(withEntries('b'));
    const names = await readdir(dirname(path));
    expect(names).toEqual(expect.arrayContaining(others));
    expect(names.filter((name) => dead.includes(name))).toEqual([]);
  });

  test('loses what a process of an earlier boot or of another machine left beside it, after a day', async () => {
    await store().save(withEntries('a'));
    const [living, ...unknown] = endingsOfOthers.map((end) => `state.json.${end}`);
    const written = (hoursAgo: number) => new Date(Date.now() - hoursAgo * 3_600_000);
    for (const [hoursAgo, left] of [
      [23, [living, ...unknown]],
      [25, [living]],
    ] as const) {
      for (const name of [living, ...unknown]) {
        await writeFile(join(dirname(path), `${name}`), 'half');
        await utimes(join(dirname(path), `${name}`), written(hoursAgo), written(hoursAgo));
      }
      await store().save(withEntries(`b${hoursAgo}`));
      const names = await readdir(dirname(path));
      expect(names.filter((name) => name.includes('.tmp-')).sort()).toEqual([...left].sort());
    }
  });
});

describe('a state file is never written over', () => {
  test('when somebody else has written since it was read', async () => {
    const slow = store();
    await slow.save(withEntries('a'));
    const quick = store();
    await quick.load();
    await quick.save(withEntries('a', 'b'));
    expect(await failure(slow.save(withEntries('c')))).toMatchObject({ code: 'STATE_CHANGED' });
    expect(Object.keys((await store().load())?.entries ?? {})).toEqual(['Widget/a', 'Widget/b']);
  });

  test.each([
    { how: 'whole, with the same serial', edit: () => other(1), code: 'STATE_CHANGED' },
    { how: 'by hand', edit: (text: string) => text.replace('w_a', 'w_other'), code: 'STATE_DAMAGED' },
  ])('when it was replaced $how', async ({ edit, code }) => {
    const first = store();
    await first.save(withEntries('a'));
    const edited = edit(await readFile(path, 'utf8'));
    await writeFile(path, edited);
    expect(await failure(first.save(withEntries('b')))).toMatchObject({ code });
    expect(await readFile(path, 'utf8')).toBe(edited);
  });

  test('when it was replaced while a run records what it does', async () => {
    await store().save(withEntries('a'));
    const running = store();
    const state = (await running.load()) ?? expect.unreachable('it was saved');
    const record = running.recorder(state);
    const change = (name: string) => ({ entries: withEntries(name).entries, intents: {} });
    await record(change('b'));
    const edited = other(1);
    await writeFile(path, edited);
    expect(await failure(record(change('c')))).toBeInstanceOf(StateError);
    await running.close();
    expect(await readFile(path, 'utf8')).toBe(edited);
    expect(await failure(store().load())).toMatchObject({ code: 'JOURNAL_MISMATCH' });
  });

  test('when it was replaced while a record became durable', async () => {
    await store().save(withEntries('a'));
    const running = store();
    const state = (await running.load()) ?? expect.unreachable('it was saved');
    const record = running.recorder(state);
    const change = (name: string) => ({ entries: withEntries(name).entries, intents: {} });
    await record(change('b'));
    const { size } = await stat(`${path}.journal`);
    const durable = record(change('c'));
    // The record is handed to the system before the event loop takes a turn; making it durable takes at least one.
    for (let turn = 0; turn < 100 && statSync(`${path}.journal`).size === size; turn++) await Promise.resolve();
    expect(statSync(`${path}.journal`).size).toBeGreaterThan(size);
    const edited = other(1);
    writeFileSync(path, edited);
    await durable;
    expect(await failure(record(change('d')))).toBeInstanceOf(StateError);
    await running.close();
    expect(await readFile(path, 'utf8')).toBe(edited);
  });

  test('when one has appeared, or is gone', async () => {
    const first = store();
    await first.load();
    await store().save(withEntries('a'));
    expect(await failure(first.save(withEntries('b')))).toMatchObject({ code: 'STATE_CHANGED' });
    const second = store();
    await second.load();
    await rm(path);
    expect(await failure(second.save(withEntries('b')))).toMatchObject({ code: 'STATE_CHANGED' });
  });

  test('but not when a journal without a state, which proves nothing, is gone', async () => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.journal`, 'left behind\n');
    const first = store();
    expect(await first.load()).toBeUndefined();
    await rm(`${path}.journal`);
    await first.save(withEntries('a'));
    expect(await readdir(dirname(path))).toEqual(['state.json']);
  });

  test('when it belongs to another stack or account', async () => {
    await store().save(withEntries('a'));
    const before = await readFile(path, 'utf8');
    const others = [store({ lineage: 'st2' }), store({ account: 'https://other.example.com' })];
    for (const outsider of others) {
      expect(await failure(outsider.load())).toBeInstanceOf(Refused);
      expect(await failure(outsider.save(withEntries('b')))).toBeInstanceOf(Refused);
    }
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  test('when its backup cannot be kept, which reports what to do', async () => {
    await store().save(withEntries('a'));
    const before = await readFile(path, 'utf8');
    await writeFile(join(dirname(path), 'backups'), '');
    const error = await failure(store().save(withEntries('b')));
    expect(error).toMatchObject({ code: 'STATE_NOT_WRITTEN', message: expect.stringContaining(path) as string });
    expect(error.hint).toContain('then run the command again');
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  test('when it cannot be read', async () => {
    await store().save(withEntries('a'));
    await writeFile(path, '');
    expect(await failure(store().save(withEntries('b')))).toMatchObject({ code: 'STATE_DAMAGED' });
    expect(await readFile(path, 'utf8')).toBe('');
  });
});

describe('a damaged state file', () => {
  test.each([
    ['is empty', () => ''],
    ['was cut', (text: string) => text.slice(0, text.length / 2)],
    ['was edited', (text: string) => text.replace('w_c', 'w_d')],
    ['is another thing', () => '[]'],
    ['holds another thing under a right checksum', () => writeDocument({ ...withEntries('a'), serial: -1 }, writer)],
  ])('that %s is refused, naming the newest backup that is whole', async (_, damage) => {
    for (const name of ['a', 'b', 'c']) await store({ now: clock() }).save(withEntries(name));
    const backups = (await readdir(join(dirname(path), 'backups'))).sort();
    await appendFile(join(dirname(path), 'backups', backups.at(-1) ?? ''), 'x');
    await writeFile(path, damage(await readFile(path, 'utf8')));
    const error = await failure(store().load());
    expect(error).toBeInstanceOf(StateError);
    expect(error.code).toBe('STATE_DAMAGED');
    expect(error.hint).toContain(`${backups.at(-2) ?? ''} over the state file`);
  });

  test('without any backup reports what to do all the same', async () => {
    await mkdir(dirname(path));
    await writeFile(path, '{');
    expect((await failure(store().load())).hint).toContain('there is no intact backup; run `sluice state rebuild`');
  });

  test('that never was a state says to move it away before a rebuild, which does not move it', async () => {
    await mkdir(dirname(path));
    await writeFile(path, 'notes');
    expect((await failure(store().load())).hint).toContain('move the file away and run `sluice state rebuild`');
  });

  test('is distinguished from one of a newer sluice', async () => {
    await mkdir(dirname(path));
    await writeFile(path, JSON.stringify({ format: 2, written_by: { version: '9.0.0' } }));
    const error = await failure(store().load());
    expect(error).toMatchObject({
      code: 'STATE_TOO_NEW',
      hint: 'use the sluice version that wrote the state, or a later version',
    });
    expect(error.message).toContain('newer sluice (9.0.0)');
  });
});

describe('backups', () => {
  test('are one for each run that wrote, the ten newest, each as it was', async () => {
    const now = clock();
    for (let run = 0; run < 14; run++) {
      const one = store({ now });
      await one.save(withEntries(`first${run}`));
      await one.save(withEntries(`last${run}`));
    }
    const folder = join(dirname(path), 'backups');
    const backups = (await readdir(folder)).sort();
    expect(backups).toHaveLength(10);
    expect(await readFile(join(folder, backups.at(-1) ?? ''), 'utf8')).toContain('Widget/last12');
  });

  test('have the serial of the state that they contain in their names, also where a run records changes', async () => {
    await store().save(withEntries('a', 'b', 'c'));
    const one = store();
    const record = one.recorder((await one.load()) ?? withEntries());
    for (const name of ['Widget/a', 'Widget/b']) await record({ entries: { [name]: null }, intents: {} });
    await one.close();
    expect(await readdir(join(dirname(path), 'backups'))).toEqual([expect.stringMatching(/^state\.json\..*\.1$/)]);
  });

  test('are not made by a run that finds the state changed by another process', async () => {
    await store().save(withEntries('a'));
    const one = store();
    await one.load();
    await writeFile(path, other(7));
    expect(await failure(one.save(withEntries('b')))).toMatchObject({ code: 'STATE_CHANGED' });
    await one.close();
    expect(await readdir(dirname(path))).toEqual(['state.json']);
  });
});

test('a record that could not be written is written with the next one', async () => {
  await store().save(withEntries('a'));
  const running = store();
  const record = running.recorder((await running.load()) ?? expect.unreachable('it was saved'));
  const change = (name: string) => ({ entries: withEntries(name).entries, intents: {} });
  const own = await readFile(path, 'utf8');
  await writeFile(path, other(1));
  expect(await failure(record(change('b')))).toMatchObject({ code: 'STATE_CHANGED' });
  await writeFile(path, own);
  await record(change('c'));
  expect(Object.keys((await store().load())?.entries ?? {})).toEqual(['Widget/a', 'Widget/b', 'Widget/c']);
});

test('a run that takes back all that it has recorded, as of a request that was refused, keeps no backup', async () => {
  const state = withEntries('a');
  await store().save(state);
  const [name, entry] = Object.entries(state.entries)[0] ?? expect.unreachable();
  for (let run = 0; run < 2; run++) {
    const one = store();
    const record = one.recorder((await one.load()) ?? state);
    await record({ entries: { [name]: { ...entry, attempted: [{ size: 2 }] } }, intents: {} });
    await record({ entries: { [name]: entry }, intents: {} });
    await one.close();
  }
  expect(await store().load()).toMatchObject({ serial: 5, entries: state.entries });
  expect(await readdir(dirname(path))).toEqual(['state.json']);
  const last = store();
  await last.recorder((await last.load()) ?? state)({ entries: { [name]: null }, intents: {} });
  // A second apply of the same run, which changes nothing.
  await last.recorder({ ...state, entries: {} })({ entries: {}, intents: {} });
  await last.close();
  expect(await readdir(join(dirname(path), 'backups'))).toHaveLength(1);
});

describe('a run that is killed while it writes', () => {
  test('leaves a whole state, whenever it happens', async () => {
    const script = resolveCache(`state-writer-${process.pid}.mjs`);
    onTestFinished(() => rm(script, { force: true }));
    await build({
      stdin: {
        contents: `
          import { fileStore } from './src/state/file/file-store.ts';
          const [path] = process.argv.slice(2);
          const store = fileStore({ path, lineage: 'st1', account: '${account}', writer: ${JSON.stringify(writer)} });
          const state = (await store.load()) ?? ${JSON.stringify(withEntries('a'))};
          const entry = state.entries['Widget/a'];
          for (let n = 0; ; n++) {
            process.stdout.write('.');
            await store.save({ ...state, entries: { 'Widget/a': { ...entry, spec: { text: 'x'.repeat((n % 7) * 50000) } } } });
          }`,
        resolveDir: process.cwd(),
      },
      outfile: script,
      bundle: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
    });
    for (let kill = 0; kill < 12; kill++) {
      const child = spawn(process.execPath, [script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
      let begun = 0;
      child.stdout.on('data', (dots: Buffer) => (begun += dots.length));
      // However slow the machine is: two saves are done, and the next has come a little further than last time.
      while (begun < 3) await once(child.stdout, 'data');
      await new Promise((resolve) => setTimeout(resolve, kill * 2));
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect((await store().load())?.lineage ?? 'st1').toBe('st1');
    }
    const state = await store().load();
    expect(state?.serial).toBeGreaterThan(12);
    await store().save(withEntries('a'));
    expect((await readdir(dirname(path))).sort()).toEqual(['backups', 'state.json']);
  });
});

function clock(): () => Date {
  let ms = Date.UTC(2026, 0, 1);
  return () => new Date((ms += 1000));
}

function resolveCache(name: string): string {
  return join(process.cwd(), 'node_modules', '.cache', 'sluice', name);
}
