import { hash } from 'node:crypto';
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Refused, StateError } from '../../src/diagnostics/errors.ts';
import type { StateChange } from '../../src/model/state-change.ts';
import type { Entry } from '../../src/model/state.ts';
import { fileStore } from '../../src/state/file/file-store.ts';
import { journalHead, journalLine, readJournal } from '../../src/state/journal.ts';
import { emptyState, type StateStore } from '../../src/state/store.ts';

const account = 'https://api.example.com';
let path: string;
let journal: string;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-journal-'));
  path = join(folder, '.sluice', 'state.json');
  journal = `${path}.journal`;
  onTestFinished(() => rm(folder, { recursive: true }));
});

function store(lineage = 'st1', file = path): StateStore {
  return fileStore({ path: file, lineage, account, writer: { version: '0.1.0', command: 'apply' } });
}

function entry(id: string): Entry {
  return { kind: 'Widget', id, spec: { size: 1 }, protect: false, retain: false };
}

function made(...names: readonly string[]): StateChange {
  return { entries: Object.fromEntries(names.map((name) => [`Widget/${name}`, entry(`w_${name}`)])), intents: {} };
}

/** A run that records these changes one after the other, and dies before it can put them in order. */
async function died(...changes: readonly StateChange[]): Promise<void> {
  const one = store();
  const record = one.recorder((await one.load()) ?? emptyState('st1', account));
  for (const change of changes) await record(change);
  const files = [path, journal].map((file) => ({ file, text: readFile(file, 'utf8').catch(() => undefined) }));
  const left = await Promise.all(files.map(async ({ file, text }) => ({ file, text: await text })));
  await one.close();
  for (const { file, text } of left) if (text !== undefined) await writeFile(file, text, { mode: 0o600 });
}

async function known(): Promise<string[]> {
  return Object.keys((await store().load())?.entries ?? {});
}

async function failure(promise: Promise<unknown>): Promise<StateError> {
  return promise.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => error as StateError,
  );
}

describe('what a run records', () => {
  test('is there for the next one, even if it died before it could put it in order', async () => {
    await died(made('a'), made('b'), {
      entries: { 'Widget/a': null },
      intents: { 'Widget/c': { kind: 'Widget', nonces: ['1'] } },
    });
    const state = await store().load();
    expect(Object.keys(state?.entries ?? {})).toEqual(['Widget/b']);
    expect(state?.intents).toEqual({ 'Widget/c': { kind: 'Widget', nonces: ['1'] } });
    expect(state?.serial).toBe(3);
    expect((await stat(journal)).mode & 0o777).toBe(0o600);
  });

  test('is of a revision after the change that ends its apply, and of none after any other', async () => {
    const applied = { commit: 'a'.repeat(40), manifests: 'hash' };
    const ended = { entries: {}, intents: {}, applied };
    await died(made('a'), ended);
    expect((await store().load())?.applied).toEqual(applied);
    await died(made('b'));
    expect((await store().load())?.applied).toBeUndefined();
    await died(made('c'), ended, { entries: { 'Widget/c': null }, intents: {} });
    expect((await store().load())?.applied).toBeUndefined();
  });

  test('stands in the state file alone when the run has ended, under the same serial', async () => {
    const one = store();
    const record = one.recorder(emptyState('st1', account));
    for (const name of ['a', 'b', 'c']) await record(made(name));
    await one.close();
    expect(await readdir(dirname(path))).toEqual(['state.json']);
    expect((await store().load())?.serial).toBe(3);
  });

  test('is put in order by the next run that records, and goes on counting', async () => {
    await died(made('a'), made('b'));
    await died(made('c'), made('d'));
    expect(await known()).toEqual(['Widget/a', 'Widget/b', 'Widget/c', 'Widget/d']);
    expect((await store().load())?.serial).toBe(4);
    expect(await readFile(path, 'utf8')).toContain('Widget/b');
  });

  test('together is written together', async () => {
    await died(made('a'));
    const one = store();
    const record = one.recorder((await one.load()) ?? emptyState('st1', account));
    await Promise.all(Array.from({ length: 1000 }, (_, n) => record(made(`n${n}`))));
    expect((await readFile(journal, 'utf8')).split('\n').length).toBeLessThanOrEqual(4);
    expect(await known()).toHaveLength(1001);
  });

  test('costs what it changes, however much there is: a thousand changes are no thousand states', async () => {
    const one = store();
    const record = one.recorder(emptyState('st1', account));
    for (let n = 0; n < 1000; n++) await record(made(`n${n}`));
    const written = (await stat(journal)).size;
    await one.close();
    expect(written).toBeLessThan(3 * (await stat(path)).size);
  });
});

describe('a journal', () => {
  test('cut anywhere in its last line holds all the lines before', async () => {
    await died(made('a'), made('b'), made('c'));
    const text = await readFile(journal, 'utf8');
    const before = text.lastIndexOf('\n', text.length - 2) + 1;
    for (const length of [before, before + 1, before + 40, text.length - 2, text.length - 1]) {
      await writeFile(journal, text.slice(0, length));
      expect(await known()).toEqual(['Widget/a', 'Widget/b']);
    }
    await writeFile(journal, `${text.slice(0, before)}${'\0'.repeat(50)}\n`);
    expect(await known()).toEqual(['Widget/a', 'Widget/b']);
    await writeFile(journal, text.slice(0, 10));
    expect(await known()).toEqual(['Widget/a']);
  });

  test.each([
    ['was damaged', (text: string) => text.replace('w_b', 'w_x')],
    ['lost a line', (text: string) => text.split('\n').toSpliced(1, 1).join('\n')],
    ['is another thing', () => '[1]\n[2]\n'],
  ])('that %s is refused, with a way out', async (_, damage) => {
    await died(made('a'), made('b'), made('c'));
    await writeFile(journal, damage(await readFile(journal, 'utf8')));
    const error = await failure(store().load());
    expect(error).toBeInstanceOf(StateError);
    expect(error).toMatchObject({
      code: 'JOURNAL_DAMAGED',
      hint: expect.stringContaining(`move ${journal} away`) as string,
    });
    await rm(journal);
    expect(await known()).toEqual(['Widget/a']);
  });

  test('of another stack, or of another state of this one, is refused', async () => {
    await died(made('a'), made('b'));
    const other = join(dirname(path), 'other.json');
    const outsider = store('st2', other);
    const record = outsider.recorder(emptyState('st2', account));
    for (const name of ['x', 'y']) await record(made(name));
    onTestFinished(() => outsider.close());
    const text = await readFile(journal, 'utf8');
    await copyFile(`${other}.journal`, journal);
    expect(await failure(store().load())).toBeInstanceOf(Refused);
    await rm(journal);
    await store().save({ ...emptyState('st1', account), entries: made('z').entries as Record<string, Entry> });
    await rm(path);
    await store().save({ ...emptyState('st1', account), entries: made('z').entries as Record<string, Entry> });
    await writeFile(journal, text);
    expect(await failure(store().load())).toMatchObject({ code: 'JOURNAL_MISMATCH' });
  });

  test('that its state file holds already, or whose state file is gone, adds nothing', async () => {
    await died(made('a'), made('b'));
    const text = await readFile(journal, 'utf8');
    await died(made('c'));
    await writeFile(journal, text);
    expect(await known()).toEqual(['Widget/a', 'Widget/b', 'Widget/c']);
    await rm(path);
    expect(await known()).toEqual([]);
    await died(made('d'));
    expect(await known()).toEqual(['Widget/d']);
  });

  test('reports in a line what has changed, and nothing of what has not', () => {
    const empty = { forgotten: {}, lastAccess: {}, externalValues: [] };
    const { checksum, ...content } = JSON.parse(journalLine(2, { ...made('a'), ...empty })) as Record<string, unknown>;
    expect(content).toEqual({ serial: 2, ...made('a') });
    expect(checksum).toMatch(/^sha256:/);
  });

  test('of a newer sluice reports that, and one whose format is no number is damaged', () => {
    const state = { lineage: 'st1', serial: 1, digest: 'x' };
    const ofFormat = (format: string) => journalHead(state).replace('"journal":1', `"journal":${format}`);
    expect(readJournal(ofFormat('1'), state)).toEqual({ changes: [], serial: 1 });
    const newer = expect.objectContaining({
      code: 'STATE_TOO_NEW',
      hint: 'use the sluice version that wrote the journal, or a later version',
    }) as Error;
    expect(() => readJournal(ofFormat('2'), state)).toThrow(newer);
    const damaged = expect.objectContaining({ code: 'JOURNAL_DAMAGED' }) as Error;
    for (const format of ['"2"', '0']) expect(() => readJournal(ofFormat(format), state)).toThrow(damaged);
    const skipped = journalHead(state) + journalLine(2, made('a')) + journalLine(4, made('b'));
    expect(() => readJournal(skipped, state)).toThrow('the journal cannot be read: line 3 is out of order');
    const edited = journalHead(state) + journalLine(2, made('a')) + journalLine(3, made('b')).replace('w_b', 'w_x');
    expect(() => readJournal(edited, state)).toThrow('the checksum of line 3 does not match');
    for (const text of ['[1]', 'null', '2', 'text'])
      expect(() => readJournal(`${text}\n`, state)).toThrow('the journal cannot be read: line 1 is not a JSON object');
  });

  test('of another shape than a journal has is damaged, though its checksum matches', () => {
    const state = { lineage: 'st1', serial: 1, digest: 'x' };
    const text = JSON.stringify({ serial: 'two', entries: {} });
    const line = `${text.slice(0, -1)},"checksum":"sha256:${hash('sha256', text, 'base64url')}"}\n`;
    expect(() => readJournal(`${journalHead(state)}${line}`, state)).toThrow(
      /^the journal cannot be read: line 2: .*expected number, received string$/,
    );
  });

  test('is not written on when somebody else has written since', async () => {
    const slow = store();
    const record = slow.recorder(emptyState('st1', account));
    await record(made('a'));
    await record(made('b'));
    await died(made('c'));
    expect(await failure(record(made('d')))).toMatchObject({ code: 'STATE_CHANGED' });
    await slow.close();
    expect(await known()).toEqual(['Widget/a', 'Widget/b', 'Widget/c']);
  });
});
