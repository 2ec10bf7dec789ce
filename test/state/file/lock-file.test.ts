import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { leaseAt, place, type IsDead } from '../../../src/state/file/lock-file.ts';
import { leaseText } from '../../../src/state/lease/lease-text.ts';
import { newLease } from '../../../src/state/lease/lease.ts';

const noon = new Date('2026-01-02T12:00:00Z');
const [dead, faster, own] = ['plan', 'destroy', 'apply'].map((command) => newLease(`sluice ${command}`, noon));
let path: string;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-lock-file-'));
  path = join(folder, 'lock');
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(path, leaseText(dead!));
});

/** Finds that the lease of a dead holder is dead, and then something happens before the lock is taken over. */
function deadAnd(happens: () => void): IsDead {
  return ({ lease }) => {
    if (lease?.token !== dead!.token) return false;
    happens();
    return true;
  };
}

test('a dead lease that another run has just taken over belongs to that run', async () => {
  const isDead = deadAnd(() => writeFileSync(path, leaseText(faster!)));
  expect((await place(path, own!, isDead))?.lease).toEqual(faster);
  expect(leaseAt(path)).toEqual(faster);
  expect(await readdir(dirname(path))).toEqual(['lock']);
});

test('a dead lease that is removed meanwhile leaves a lock that is free', async () => {
  expect(
    await place(
      path,
      own!,
      deadAnd(() => rmSync(path)),
    ),
  ).toBeUndefined();
  expect(leaseAt(path)).toEqual(own);
  expect(await readdir(dirname(path))).toEqual(['lock']);
});
