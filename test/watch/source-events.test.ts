import { readdirSync, readFileSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { wallClock } from '../../src/api/clock.ts';
import type { FileEvents } from '../../src/watch/source/file-events.ts';
import { virtualClock } from '../support/virtual-clock.ts';
import { scratch, small, takeTexts, watched, write, type Watched } from '../support/watched-stack.ts';

// No check comes to the rescue of an event that does not arrive.
const byEventsAlone = { poll: false, debounceMs: 20, scanMs: 3_600_000 };

describe('an event makes it look at once', () => {
  test.each<[string, (dir: string) => void]>([
    ['when a manifest is written to', (dir) => write(dir, { 'edges/shop.yaml': 'a: 2\n' })],
    ['when a manifest is added', (dir) => write(dir, { 'edges/new.yaml': 'a: 2\n' })],
    ['when a manifest is added in a new directory', (dir) => write(dir, { 'edges/eu/new.yaml': 'a: 2\n' })],
    ['when a manifest is removed', (dir) => unlinkSync(join(dir, 'edges/shop.yaml'))],
    ['when sluice.yaml is written to', (dir) => write(dir, { 'sluice.yaml': 'manifests: [more]\n' })],
    [
      'when an editor writes a new file and moves it over the old',
      (dir) => {
        write(dir, { 'edges/.shop.yaml.tmp': 'a: 2\n' });
        renameSync(join(dir, 'edges/.shop.yaml.tmp'), join(dir, 'edges/shop.yaml'));
      },
    ],
    ['when the directory is removed', (dir) => rmSync(dir, { recursive: true })],
    [
      'when the directory is moved away and another is moved there',
      (dir) => {
        write(`${dir}-next`, { ...small, 'edges/shop.yaml': 'a: 2\n' });
        renameSync(dir, `${dir}-old`);
        renameSync(`${dir}-next`, dir);
      },
    ],
  ])('%s', async (_, change) => {
    const dir = write(join(scratch(), 'stack'), small);
    const { source, signal } = watched(dir, wallClock, byEventsAlone);
    await source.read(takeTexts(), signal);
    await noticed({ source, signal }, () => change(dir));
  });

  test('when the directory was removed and is made again, and when it is written to after that', async () => {
    const dir = write(join(scratch(), 'stack'), small);
    const { source, signal } = watched(dir, wallClock, byEventsAlone);
    await source.read(takeTexts(), signal);
    await noticed({ source, signal }, () => rmSync(dir, { recursive: true }));
    await expect(source.read(takeTexts(), signal)).rejects.toMatchObject({ code: 'SOURCE_MISSING' });
    await noticed({ source, signal }, () => write(dir, small));
    await source.read(takeTexts(), signal);
    await noticed({ source, signal }, () => write(dir, { 'edges/shop.yaml': 'a: 2\n' }));
  });

  test('when the link of git-sync moves, again and again, whether the old worktree stays or not', async () => {
    const root = scratch();
    const link = join(root, 'current');
    write(join(root, 'worktrees/0'), small);
    symlinkSync('worktrees/0', link);
    const { source, signal } = watched(link, wallClock, byEventsAlone);
    await source.read(takeTexts(), signal);
    for (let n = 1; n <= 6; n++) {
      await noticed({ source, signal }, () => {
        write(join(root, `worktrees/${n}`), { ...small, 'edges/shop.yaml': `a: ${n + 1}\n` });
        symlinkSync(`worktrees/${n}`, `${link}.tmp`);
        renameSync(`${link}.tmp`, link);
        if (n % 2 === 0) rmSync(join(root, `worktrees/${n - 1}`), { recursive: true });
      });
      expect((await source.read(takeTexts(), signal)).value['edges/shop.yaml']).toBe(`a: ${n + 1}\n`);
    }
  });

  test('when the ..data of a ConfigMap or Secret moves, in the stack or beside it', async () => {
    const root = scratch();
    const [mount, secrets] = [join(root, 'stack'), join(root, 'secrets')];
    for (const [dir, name] of [
      [mount, 'sluice.yaml'],
      [secrets, 'key'],
    ] as const) {
      write(dir, { [`..1/${name}`]: 'one' });
      symlinkSync('..1', join(dir, '..data'));
      symlinkSync(`..data/${name}`, join(dir, name));
    }
    const { source, signal } = watched(mount, wallClock, byEventsAlone);
    for (const [dir, name] of [
      [mount, 'sluice.yaml'],
      [secrets, 'key'],
    ] as const) {
      await source.read(takeTexts(join(secrets, 'key')), signal);
      await noticed({ source, signal }, () => {
        write(dir, { [`..2/${name}`]: 'two' });
        symlinkSync('..2', join(dir, '..data_tmp'));
        renameSync(join(dir, '..data_tmp'), join(dir, '..data'));
      });
    }
  });

  test('when a file that manifests take a value from is written to, or made', async () => {
    const root = scratch();
    const dir = write(join(root, 'stack'), small);
    write(root, { 'secrets/key': 'one' });
    const files = [join(root, 'secrets/key'), join(root, 'secrets/missing')];
    const { source, signal } = watched(dir, wallClock, byEventsAlone);
    for (const file of files) {
      await source.read(takeTexts(...files), signal);
      await noticed({ source, signal }, () => write('/', { [file]: 'two' }));
    }
  });
});

describe('watching', () => {
  test.skipIf(process.platform !== 'linux')('takes one watch for each directory, and leaves none behind', async () => {
    const dir = scratch();
    write(dir, small);
    for (let n = 0; n < 200; n++) write(dir, { [`edges/${n % 10}/${n}.yaml`]: 'a: 1\n' });
    const before = watchesHeld();
    const { source, signal } = watched(dir, wallClock, byEventsAlone);
    await source.read(takeTexts(), signal);
    await noticed({ source, signal }, () => write(dir, { 'edges/3/3.yaml': 'a: 2\n' }));
    // The stack, its parent, the manifests and what is in them.
    expect(watchesHeld() - before).toBe(13);
    source.close();
    expect(watchesHeld()).toBe(before);
  });

  test('holds no more after many worktrees than after one', async () => {
    const root = scratch();
    const link = join(root, 'current');
    const { source, signal } = watched(link, wallClock, byEventsAlone);
    const held: number[] = [];
    for (let n = 1; n <= 6; n++) {
      write(join(root, `worktrees/${n}`), { ...small, 'edges/shop.yaml': `a: ${n}\n` });
      rmSync(link, { force: true });
      symlinkSync(`worktrees/${n}`, link);
      await source.read(takeTexts(), signal);
      await noticed({ source, signal }, () => write(link, { 'edges/shop.yaml': `a: ${n + 100}\n` }));
      held.push(watchesHeld());
    }
    expect(new Set(held).size).toBe(1);
  });

  test('looks on, and reports that once, where the system has no watches left', async () => {
    const dir = write(scratch(), small);
    const clock = virtualClock();
    let failure: string | undefined = 'ENOSPC';
    const events = (): FileEvents => ({ listen: () => failure, close: () => undefined });
    const { source, signal, logged } = watched(dir, clock, { poll: false, events });
    for (let n = 2; n < 5; n++) {
      await clock.run(source.read(takeTexts(), signal));
      const changed = source.changed(signal);
      void clock.sleep(25_000).then(() => write(dir, { 'edges/shop.yaml': `a: ${n}\n` }));
      await clock.run(changed);
      if (n === 3) failure = undefined;
    }
    expect(logged).toEqual([
      expect.stringMatching(/^warn: the limit of file watches is reached \(ENOSPC\); .* every 10 s.*max_user_watches$/),
      'info: file events are available again: changes are detected immediately',
    ]);
  });

  test('reports once that no events arrive where changes come without them', async () => {
    const dir = write(scratch(), small);
    const clock = virtualClock();
    const events = (): FileEvents => ({ listen: () => undefined, close: () => undefined });
    const { source, signal, logged } = watched(dir, clock, { poll: false, events });
    for (let n = 2; n < 7; n++) {
      await clock.run(source.read(takeTexts(), signal));
      const changed = source.changed(signal);
      void clock.sleep(25_000).then(() => write(dir, { 'edges/shop.yaml': `a: ${n}\n` }));
      await clock.run(changed);
    }
    expect(logged).toEqual([expect.stringMatching(/^warn: the file system sends no file events/)]);
  });

  test('looks now and then, not all the time, while events rain down that mean nothing', async () => {
    const dir = write(scratch(), small);
    const clock = virtualClock();
    let looks = 0;
    const events = (onHint: () => void): FileEvents => {
      void (async () => {
        for (let n = 0; n < 6000; n++) {
          onHint();
          await clock.sleep(10);
        }
      })();
      // After each look it listens where the files are by then.
      return { listen: () => (looks++, undefined), close: () => undefined };
    };
    const { source, signal } = watched(dir, clock, { poll: false, events });
    await clock.run(source.read(takeTexts(), signal));
    looks = 0;
    const changed = source.changed(signal);
    changed.catch(() => undefined);
    await clock.run(clock.sleep(10_000));
    expect(looks).toBeGreaterThan(10);
    expect(looks).toBeLessThanOrEqual(101);
  });
});

// The change is made when all is listened to and looked at: what happens before is found by a look that nobody asked for.
async function noticed({ source, signal }: Pick<Watched, 'source' | 'signal'>, change: () => void): Promise<void> {
  const changed = source.changed(signal);
  await wallClock.sleep(400);
  change();
  await changed;
}

function watchesHeld(): number {
  if (process.platform !== 'linux') return 0;
  const held = readdirSync('/proc/self/fdinfo').map((fd) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').match(/^inotify /gm)?.length ?? 0;
    } catch {
      return 0;
    }
  });
  return held.reduce((sum, count) => sum + count, 0);
}
