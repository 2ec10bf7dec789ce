import { mkdtemp, rm } from 'node:fs/promises';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { writeDocument } from '../../support/write-document.ts';
import { readState } from '../../../src/state/file/read-state.ts';
import { emptyState } from '../../../src/state/store.ts';

const writer = { version: '0.1.0', command: 'apply' };
let path: string;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-read-state-'));
  path = join(folder, 'state.json');
  onTestFinished(() => rm(folder, { recursive: true }));
});

function write(serial: number): void {
  const entry = { kind: 'Widget', id: 'w_1', spec: {}, protect: false, retain: false };
  const state = { ...emptyState('st1', 'https://api.example.com'), serial, entries: { 'Widget/a': entry } };
  // Texts of different lengths: a file system may give two writes of one moment the same time.
  writeFileSync(path, writeDocument(state, { ...writer, command: 'x'.repeat(serial) }));
}

/** Reads a state that another run replaces so many times before the pauses of reading. */
async function readDuring(writes: number) {
  write(1);
  let pauses = 0;
  const { state } = await readState(path, 'st1', () => {
    if (++pauses <= writes) write(1 + pauses);
    return undefined;
  });
  return { serial: state?.serial ?? 0, pauses };
}

test('a state that another run replaces while it is read is read again', async () => {
  const quiet = await readDuring(0);
  expect(quiet.serial).toBe(1);
  for (const writes of [1, 3])
    expect(await readDuring(writes)).toEqual({ serial: 1 + writes, pauses: 2 * quiet.pauses });
});

test('a state that is replaced during each of five reads is taken as the fifth has found it', async () => {
  const { pauses: each } = await readDuring(0);
  expect(await readDuring(20 * each)).toEqual({ serial: 1 + 4 * each, pauses: 5 * each });
});

/** Reads a state whose checksum is wrong, and that another run replaces during the first reads. */
async function readDamaged(writes: number, replace: () => void) {
  write(1);
  const damage = (): void => writeFileSync(path, `${readFileSync(path, 'utf8').replace('"st1"', '"st2"')} `);
  damage();
  let pauses = 0;
  const reading = readState(path, 'st1', () => {
    pauses += 1;
    if (pauses <= writes) replace();
    if (pauses < writes) damage();
    return undefined;
  });
  return reading.then(
    ({ state }) => ({ serial: state?.serial, pauses }),
    (error: unknown) => ({ code: (error as { readonly code?: string }).code, pauses }),
  );
}

test('damage that another run replaces while it is read is no damage', async () => {
  let serial = 1;
  for (const writes of [1, 3]) {
    const read = await readDamaged(writes, () => write(++serial));
    expect(read).toMatchObject({ serial });
  }
});

test('damage that stays is reported after one read, and damage that changes during each read after five', async () => {
  const { pauses: each } = await readDuring(0);
  const once = await readDamaged(0, () => undefined);
  expect(once).toMatchObject({ code: 'STATE_DAMAGED' });
  expect(once.pauses).toBeLessThan(each);
  let serial = 1;
  const often = await readDamaged(100, () => write(++serial));
  expect(often).toEqual({ code: 'STATE_DAMAGED', pauses: 5 * once.pauses });
});
