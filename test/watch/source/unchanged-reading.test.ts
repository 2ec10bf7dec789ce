import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { scratch, small, textsIn, watched, write } from '../../support/watched-stack.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

test('a reading learns that nothing has changed since the last, unless that failed', async () => {
  const dir = write(scratch(), small);
  const clock = virtualClock();
  const { source, signal } = watched(dir, clock);
  const told: boolean[] = [];
  const read = async (fails = false) => {
    const work = (root: string, isUnchanged: boolean) => {
      told.push(isUnchanged);
      return fails ? Promise.reject(new Error('it fails')) : Promise.resolve({ value: textsIn(root), files: [] });
    };
    await clock.run(source.read(work, signal)).catch(() => undefined);
  };
  await read();
  await read();
  write(dir, { 'edges/shop.yaml': 'a: 2\n' });
  await read();
  await read();
  await read(true);
  await read();
  write(dir, { 'edges/other.yaml': 'a: 3\n' });
  await read();
  expect(told).toEqual([false, true, false, true, true, false, false]);
});

test('what was read before its first scan is read again, though its time of writing shows no change since', async () => {
  const outside = scratch();
  const secret = join(outside, 'secret');
  writeFileSync(secret, 'one');
  const clock = virtualClock();
  const { source, signal } = watched(write(scratch(), small), clock);
  // The clock was set back while the file was written.
  const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
  const told: boolean[] = [];
  const read = () =>
    clock.run(
      source.read((_, isUnchanged) => {
        told.push(isUnchanged);
        if (told.length === 1) writeFileSync(secret, 'two');
        return Promise.resolve({ value: undefined, files: [secret] });
      }, signal),
    );
  await read();
  later.mockRestore();
  await read();
  await read();
  expect(told).toEqual([false, false, true]);
});
