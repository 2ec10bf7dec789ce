import { expect, test } from 'vitest';
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
