import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { fileEvents, type WatchTargets } from '../../../src/watch/source/file-events.ts';
import { scratch } from '../../support/watched-stack.ts';

/** Listens in directories, and counts the events. */
function listener() {
  const root = scratch();
  for (const name of ['a', 'b', 'c']) mkdirSync(join(root, name));
  let [reported, next] = [0, 0];
  const events = fileEvents(() => (reported += 1));
  onTestFinished(events.close);
  const touch = (path: string): void => writeFileSync(join(root, path), String(Math.random()));
  return {
    ...{ root, touch, close: events.close },
    listen: (targets: Readonly<Record<string, readonly string[] | 'all'>>): number => {
      const where: WatchTargets = new Map(
        Object.entries(targets).map(([name, names]) => [join(root, name), names === 'all' ? names : new Set(names)]),
      );
      const before = reported;
      expect(events.listen(where)).toBeUndefined();
      return reported - before;
    },
    tells: async (change: () => void): Promise<void> => {
      const before = reported;
      change();
      await until(() => reported > before);
      await quiet();
    },
    /** Events keep their order: of a change that is not reported, the next one in another directory is reported alone. */
    isSilent: async (change: () => void): Promise<boolean> => {
      const before = reported;
      change();
      // One event.
      mkdirSync(join(root, 'c', `next-${(next += 1)}`));
      await until(() => reported > before);
      await quiet();
      return reported === before + 1;
    },
  };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2_000 && !isSo(); turn++) await setTimeout(5);
  expect(isSo()).toBe(true);
}

/** Long enough for what comes with the same change. */
const quiet = (): Promise<void> => setTimeout(50);

test('where it begins to listen, something may have changed since: it is reported once, and not where it listens already', () => {
  const { listen } = listener();
  expect(listen({ a: 'all', b: 'all' })).toBe(1);
  expect(listen({ a: 'all', b: 'all' })).toBe(0);
  expect(listen({ a: 'all' })).toBe(0);
  expect(listen({ a: 'all', b: 'all' })).toBe(1);
});

test('of a directory in which only some names matter, those alone are reported', async () => {
  const { listen, tells, isSilent, touch } = listener();
  listen({ a: ['link'], c: 'all' });
  expect(await isSilent(() => touch('a/other'))).toBe(true);
  await tells(() => touch('a/link'));
});

test('what is listened to no longer is silent, and so is everything once it is closed', async () => {
  const { listen, tells, isSilent, touch, close } = listener();
  listen({ a: 'all', c: 'all' });
  await tells(() => touch('a/x'));
  listen({ c: 'all' });
  expect(await isSilent(() => touch('a/x'))).toBe(true);
  close();
  expect(listen({ c: 'all' })).toBe(1);
});

test.skipIf(process.platform !== 'linux').each([
  ['deleted and made again', (dir: string) => rmSync(dir, { recursive: true })],
  ['moved away', (dir: string) => renameSync(dir, `${dir}-old`)],
])('a directory that is %s is reported, and listened to anew', async (_, remove) => {
  const { root, listen, tells, touch } = listener();
  const wanted = { a: 'all', c: 'all' } as const;
  listen(wanted);
  await tells(() => remove(join(root, 'a')));
  mkdirSync(join(root, 'a'));
  expect(listen(wanted)).toBe(1);
  await tells(() => touch('a/x'));
});

test.skipIf(process.platform !== 'linux')('it is reported too where only some of its names matter', async () => {
  const { root, listen, tells } = listener();
  listen({ a: ['link'] });
  await tells(() => renameSync(join(root, 'a'), join(root, 'old')));
});

test('another directory that takes the place of one is listened to, also without an event', async () => {
  const { root, listen, tells, isSilent, touch } = listener();
  listen({ a: [], c: 'all' });
  renameSync(join(root, 'a'), join(root, 'old'));
  renameSync(join(root, 'b'), join(root, 'a'));
  // Before an event could arrive.
  expect(listen({ a: ['x'], c: 'all' })).toBe(1);
  await tells(() => touch('a/x'));
  expect(await isSilent(() => touch('old/x'))).toBe(true);
});

test('a directory that is not there is no reason to stop: the rest is listened to', async () => {
  const { listen, tells, touch } = listener();
  expect(listen({ missing: 'all', a: 'all', c: 'all' })).toBe(1);
  await tells(() => touch('a/x'));
});

test('neither is one whose place leads nowhere any more, as a link to itself, or below a directory that may not be entered', async () => {
  const { root, listen, tells, touch } = listener();
  listen({ a: 'all', c: 'all' });
  rmSync(join(root, 'a'), { recursive: true });
  symlinkSync('a', join(root, 'a'));
  expect(() => listen({ a: 'all', c: 'all' })).not.toThrow();
  await tells(() => touch('c/x'));
});
