import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { holderAt, place, type IsDead } from '../../../src/state/file/lock-file.ts';
import { leaseText } from '../../../src/state/file/lock-heartbeat.ts';
import { newLease } from '../../../src/state/lease/lease.ts';
import { smallDisk, withoutSmallDisk } from '../../support/small-disk.ts';

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
  expect(holderAt(path)?.lease).toEqual(faster);
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
  expect(holderAt(path)?.lease).toEqual(own);
  expect(await readdir(dirname(path))).toEqual(['lock']);
});

test('a lock that always has another dead holder is tried for eight times', async () => {
  let holders = 0;
  const isDead: IsDead = () => {
    writeFileSync(path, leaseText(newLease(`sluice ${++holders}`, noon)));
    return holders < 50;
  };
  expect((await place(path, own!, isDead))?.lease?.command).toBe('sluice 8');
});

test('a link that was made, although its file system said it was there, is the own one', async () => {
  const isDead = deadAnd(() => linkSync(`${path}.by-${own!.token}`, `${path}.after-${dead!.token}`));
  expect(await place(path, own!, isDead)).toBeUndefined();
  expect(holderAt(path)?.lease).toEqual(own);
});

test('what dead runs left beside a lock is removed, and nothing of living runs, other locks or other files', async () => {
  const beside = (name: string, lease = dead!) => writeFile(join(dirname(path), name), leaseText(lease));
  await beside(`lock.by-${dead!.token}`);
  await beside(`lock.by-${faster!.token}`, faster);
  await beside(`other.by-${dead!.token}`);
  await beside('lock.note');
  const isDead: IsDead = ({ lease }) => lease?.token === dead!.token;
  expect(await place(path, own!, isDead)).toBeUndefined();
  expect((await readdir(dirname(path))).sort()).toEqual(
    ['lock', `lock.by-${faster!.token}`, 'lock.note', `other.by-${dead!.token}`].sort(),
  );
});

test('what another run removes at the same time is no trouble', async () => {
  const left = `${path}.by-${dead!.token}`;
  await writeFile(left, leaseText(dead!));
  await rm(path);
  expect(
    await place(
      path,
      own!,
      deadAnd(() => rmSync(left)),
    ),
  ).toBeUndefined();
  expect(await readdir(dirname(path))).toEqual(['lock']);
});

describe.skipIf(withoutSmallDisk !== '')(`a lock on a disk that is full${withoutSmallDisk}`, () => {
  test('is not taken, and leaves nothing of the attempt', async () => {
    const disk = smallDisk(1);
    onTestFinished(disk.remove);
    disk.fill();
    const full = join(disk.path, 'lock');
    await expect(place(full, own!, () => false)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await readdir(disk.path)).toEqual(['filler']);
    disk.free();
    expect(await place(full, own!, () => false)).toBeUndefined();
  });
});
