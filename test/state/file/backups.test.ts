import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { writeDocument } from '../../support/write-document.ts';
import { backupsOf, keepBackup, newestIntactBackup } from '../../../src/state/file/backups.ts';
import { emptyState } from '../../../src/state/store.ts';

let path: string;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-backups-'));
  path = join(folder, 'state.json');
  onTestFinished(() => rm(folder, { recursive: true }));
});

/** Keeps a backup of what a state file holds, so many seconds after the first. */
async function keep(seconds: number, text: string): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, text);
  await keepBackup(path, seconds, new Date(Date.parse('2026-01-02T12:00:00Z') + seconds * 1000));
}

const stateOf = (lineage: string): string =>
  writeDocument({ ...emptyState(lineage, 'https://api.example.com'), serial: 1 }, { version: '1', command: 'apply' });

test('the ten newest backups are kept, newest first, with their time and serial in their names', async () => {
  for (let n = 0; n < 12; n++) await keep(n, `text ${n}`);
  const names = (await backupsOf(path)).map((name) => basename(name));
  expect(names).toHaveLength(10);
  expect([names[0], names[9]]).toEqual(['state.json.20260102T120011000Z.11', 'state.json.20260102T120002000Z.2']);
  expect(await readFile((await backupsOf(path))[0] ?? '', 'utf8')).toBe('text 11');
});

test('a backup is of the state file of its name only', async () => {
  await keep(1, 'text');
  expect(await backupsOf(join(path, '../other.json'))).toEqual([]);
  expect(await backupsOf(join(path, '../elsewhere/state.json'))).toEqual([]);
});

test('a backup is not of a state file whose name continues the name of another one', async () => {
  const shop = join(path, '../shop');
  await writeFile(shop, 'shop');
  await writeFile(`${shop}.eu`, 'shop.eu');
  const at = (second: number): Date => new Date(Date.UTC(2026, 0, 2, 12, 0, second));
  await keepBackup(shop, 1, at(0));
  for (let n = 1; n <= 10; n++) await keepBackup(`${shop}.eu`, n, at(n));
  await keepBackup(shop, 2, at(20));
  expect((await backupsOf(shop)).map((name) => basename(name))).toEqual([
    'shop.20260102T120020000Z.2',
    'shop.20260102T120000000Z.1',
  ]);
  expect(await backupsOf(`${shop}.eu`)).toHaveLength(10);
});

test('the newest intact backup is the newest that can be read, of this stack', async () => {
  expect(await newestIntactBackup(path, 'st1')).toBeUndefined();
  await keep(1, stateOf('st1'));
  await keep(2, stateOf('st1'));
  await keep(3, stateOf('st2'));
  await keep(4, stateOf('st1').slice(0, -9));
  expect(basename((await newestIntactBackup(path, 'st1')) ?? '')).toBe('state.json.20260102T120002000Z.2');
  expect(await newestIntactBackup(path, 'st3')).toBeUndefined();
});

test('a backup that is there already, by the same name, is replaced by what the state file holds', async () => {
  await keep(1, 'before');
  await keep(1, 'after');
  expect(await readFile((await backupsOf(path))[0] ?? '', 'utf8')).toBe('after');
});
