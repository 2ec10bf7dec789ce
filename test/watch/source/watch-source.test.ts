import {
  chmodSync,
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SourceError } from '../../../src/diagnostics/errors.ts';
import type { WatchSource } from '../../../src/watch/source/watch-source.ts';
import { virtualClock, type VirtualClock } from '../../support/virtual-clock.ts';
import { scratch, small, takeTexts, textsIn, watched, write, type Texts } from '../../support/watched-stack.ts';

describe('a change is noticed without any event', () => {
  test.each<[string, (dir: string) => void]>([
    ['a manifest is written to', (dir) => write(dir, { 'edges/shop.yaml': 'a: 2\n' })],
    ['a manifest is added', (dir) => write(dir, { 'edges/new.yml': 'a: 1\n' })],
    ['a manifest is added in a new directory', (dir) => write(dir, { 'edges/eu/deep/new.json': '{}' })],
    ['a manifest is removed', (dir) => unlinkSync(join(dir, 'edges/shop.yaml'))],
    ['a manifest is renamed', (dir) => renameSync(join(dir, 'edges/shop.yaml'), join(dir, 'edges/store.yaml'))],
    ['two manifests change places', (dir) => swapNames(join(dir, 'edges/shop.yaml'), join(dir, 'edges/api.yaml'))],
    ['sluice.yaml is written to', (dir) => write(dir, { 'sluice.yaml': 'manifests: [edges, more]\n' })],
    [
      'an editor writes a new file and moves it over the old',
      (dir) => replaceFile(join(dir, 'edges/shop.yaml'), 'a: 2\n'),
    ],
    [
      'an editor moves the old file away and writes it anew',
      (dir) => {
        renameSync(join(dir, 'edges/shop.yaml'), join(dir, 'edges/shop.yaml~'));
        write(dir, { 'edges/shop.yaml': 'a: 2\n' });
      },
    ],
    [
      'a file of equal size takes the place of one with the same time',
      (dir) => {
        write(dir, { 'edges/.new': 'a: 2\n' });
        utimesSync(join(dir, 'edges/.new'), 1, 1);
        renameSync(join(dir, 'edges/.new'), join(dir, 'edges/shop.yaml'));
      },
    ],
    ['the manifests are emptied', (dir) => rmSync(join(dir, 'edges'), { recursive: true })],
    ['everything is removed', (dir) => rmSync(dir, { recursive: true })],
    [
      'a manifest becomes a pipe of bytes',
      (dir) => writeFileSync(join(dir, 'edges/shop.yaml'), Buffer.from([0, 1, 255])),
    ],
  ])('%s', async (_, change) => {
    const dir = write(join(scratch(), 'stack'), small);
    utimesSync(join(dir, 'edges/shop.yaml'), 1, 1);
    const clock = virtualClock();
    const { source, signal } = watched(dir, clock);
    await clock.run(source.read(takeTexts(), signal));
    const changed = source.changed(signal);
    change(dir);
    await clock.run(changed);
  });

  test('the link of git-sync moves to another worktree, and the old one is removed at once', async () => {
    const { root, link } = gitSyncLike();
    const { source, signal, clock } = await afterReading(link);
    const changed = source.changed(signal);
    moveLink(link, 'worktrees/b');
    rmSync(join(root, 'worktrees/a'), { recursive: true });
    await clock.run(changed);
    const { value, isNew } = await clock.run(source.read(takeTexts(), signal));
    expect([value['edges/shop.yaml'], isNew]).toEqual(['a: 2\n', true]);
  });

  test('the ..data of a ConfigMap moves to another directory', async () => {
    const { mount, clock, source, signal } = await afterReadingConfigMap();
    const changed = source.changed(signal);
    write(mount, configMap('..2025', 'a: 2\n'));
    moveLink(join(mount, '..data'), '..2025');
    rmSync(join(mount, '..2024'), { recursive: true });
    await clock.run(changed);
    const { value } = await clock.run(source.read(takeTexts(), signal));
    expect(value['edges.yaml']).toBe('a: 2\n');
  });

  test('a file that a manifest takes a value from is written to, made, or removed', async () => {
    const root = scratch();
    const dir = write(join(root, 'stack'), small);
    const [there, missing] = [join(root, 'secrets/key'), join(root, 'elsewhere/other')];
    write(root, { 'secrets/key': 'one' });
    const clock = virtualClock();
    const { source, signal } = watched(dir, clock);
    const read = () => clock.run(source.read(takeTexts(there, missing), signal));
    const first = await read();
    const changes: (() => void)[] = [
      () => writeFileSync(there, 'two'),
      () => write(root, { 'elsewhere/other': 'x' }),
      () => unlinkSync(there),
    ];
    for (const change of changes) {
      const changed = source.changed(signal);
      change();
      await clock.run(changed);
      const { isNew, revision } = await read();
      expect(isNew).toBe(true);
      // What is shown tells nothing about a secret.
      expect(revision.content).toBe(first.revision.content);
    }
  });

  test('a directory that was removed and is made again', async () => {
    const dir = write(join(scratch(), 'stack'), small);
    const { source, signal, clock } = await afterReading(dir);
    rmSync(dir, { recursive: true });
    await clock.run(source.changed(signal));
    await expect(clock.run(source.read(takeTexts(), signal))).rejects.toMatchObject({ code: 'SOURCE_MISSING' });
    const back = source.changed(signal);
    write(dir, small);
    await clock.run(back);
    expect((await clock.run(source.read(takeTexts(), signal))).isNew).toBe(false);
  });
});

describe('nothing is noticed', () => {
  test.each<[string, (dir: string) => void]>([
    ['nothing happens', () => undefined],
    [
      'an editor keeps its notes beside a manifest',
      (dir) => write(dir, { 'edges/.shop.yaml.swp': 'x', 'edges/shop.yaml~': 'x' }),
    ],
    ['a file that is no manifest is written', (dir) => write(dir, { 'README.md': 'x', 'edges/notes.txt': 'x' })],
    ['a manifest is written again with the same bytes', (dir) => write(dir, { 'edges/shop.yaml': 'a: 1\n' })],
  ])('when %s', async (_, change) => {
    const dir = write(scratch(), small);
    const { source, signal, clock } = await afterReading(dir);
    change(dir);
    expect(await staysQuiet(source, clock, signal)).toBe(true);
  });

  test('by one link that takes the place of another with the same content, but for the revision', async () => {
    const { root, link } = gitSyncLike();
    cpSync(join(root, 'worktrees/a'), join(root, 'worktrees/c'), { recursive: true });
    const { source, signal, clock } = await afterReading(link);
    moveLink(link, 'worktrees/c');
    expect(await staysQuiet(source, clock, signal)).toBe(true);
    expect((await clock.run(source.read(takeTexts(), signal))).isNew).toBe(false);
  });
});

describe('a reading', () => {
  test('waits until a slow writer is done', async () => {
    const dir = write(scratch(), small);
    const clock = virtualClock();
    const { source, signal } = watched(dir, clock);
    const times: number[] = [];
    const writing = (async () => {
      for (let part = 1; part <= 8; part++) {
        write(dir, { 'edges/shop.yaml': 'a: 2\n'.repeat(part) });
        times.push(clock.now());
        await clock.sleep(700);
      }
    })();
    const { value } = await clock.run(source.read(takeTexts(), signal));
    await writing;
    expect(value['edges/shop.yaml']).toBe('a: 2\n'.repeat(8));
    expect(clock.now()).toBeGreaterThanOrEqual(times.at(-1)! + 1000);
  });

  test.each<[string, (dir: string) => void]>([
    ['a manifest was written', (dir) => write(dir, { 'edges/shop.yaml': 'a: 2\n' })],
    ['a manifest was written with the same bytes', (dir) => write(dir, { 'edges/shop.yaml': 'a: 1\n' })],
    [
      'a manifest came and went',
      (dir) => {
        write(dir, { 'edges/passing.yaml': 'a: 1\n' });
        unlinkSync(join(dir, 'edges/passing.yaml'));
      },
    ],
    ['a file that it had never read before was just written', (dir) => write(dir, { secret: 'x' })],
  ])('starts over when meanwhile %s', async (_, change) => {
    const dir = write(scratch(), small);
    const clock = virtualClock();
    const { source, signal } = watched(dir, clock);
    const values: Texts[] = [];
    const { value } = await clock.run(
      source.read(async (dir) => {
        const { value } = await takeTexts()(dir);
        if (values.push(value) === 1) change(dir);
        return { value, files: [join(dir, 'secret')] };
      }, signal),
    );
    expect(values.length).toBeGreaterThan(1);
    expect(value).toEqual(textsIn(dir));
  });

  test('is of one worktree, even when the link moves meanwhile', async () => {
    const { link } = gitSyncLike();
    const clock = virtualClock();
    const { source, signal } = watched(link, clock);
    const dirs: string[] = [];
    const { value } = await clock.run(
      source.read(async (dir) => {
        if (dirs.push(dir) === 1) moveLink(link, 'worktrees/b');
        return takeTexts()(dir);
      }, signal),
    );
    expect(dirs.map((dir) => dir.at(-1))).toEqual(['a', 'b']);
    expect(value['edges/shop.yaml']).toBe('a: 2\n');
  });

  test('throws what the work threw only when the tree stood still', async () => {
    const dir = write(scratch(), small);
    const clock = virtualClock();
    const { source, signal } = watched(dir, clock);
    let calls = 0;
    const failing = source.read(() => {
      if (++calls === 1) write(dir, { 'edges/shop.yaml': 'a: 2\n' });
      return Promise.reject(new Error(`call ${calls}`));
    }, signal);
    await expect(clock.run(failing)).rejects.toThrow('call 2');
    // It counts as a reading: only another content is worth the next one, which is new, since nobody has its value yet.
    expect(await staysQuiet(source, clock, signal)).toBe(true);
    expect((await clock.run(source.read(takeTexts(), signal))).isNew).toBe(true);
  });

  test('names what keeps changing while it settles, and gives up', async () => {
    const dir = write(scratch(), small);
    const clock = virtualClock();
    const { source, signal } = watched(dir, clock);
    const over = { yet: false };
    const writing = (async () => {
      for (let line = 1; !over.yet; line++) {
        write(dir, { 'edges/log.json': 'x'.repeat(line) });
        await clock.sleep(500);
      }
    })();
    await expect(clock.run(source.read(takeTexts(), signal))).rejects.toMatchObject({
      code: 'SOURCE_CHANGING',
      message: `${join(dir, 'edges/log.json')} keeps changing, so the files are never stable for the time in watch.debounce`,
    });
    over.yet = true;
    await clock.run(writing);
  });

  test('names what keeps changing while it is read, and gives up', async () => {
    const dir = write(scratch(), small);
    const clock = virtualClock();
    const { source, signal } = watched(dir, clock);
    let calls = 0;
    const restless = source.read((dir) => {
      write(dir, { 'edges/shop.yaml': `a: ${++calls}\n` });
      return takeTexts()(dir);
    }, signal);
    await expect(clock.run(restless)).rejects.toThrow(`${join(dir, 'edges/shop.yaml')} keeps changing while`);
    expect(calls).toBe(10);
  });

  test.each<[string, string, (dir: string) => void]>([
    ['SOURCE_MISSING', 'the directory is gone', () => undefined],
    ['SOURCE_MISSING', 'the directory is empty', (dir) => mkdirSync(dir)],
    ['SOURCE_MISSING', 'the directory is a file', (dir) => writeFileSync(dir, '')],
    ['SOURCE_MISSING', 'the link leads nowhere', (dir) => symlinkSync('gone', dir)],
    ['SOURCE_UNREADABLE', 'the link leads to itself', (dir) => symlinkSync(dir, dir)],
  ])('is an error %s, never an empty value, when %s', async (code, _, change) => {
    const dir = write(join(scratch(), 'stack'), small);
    const clock = virtualClock();
    const { source, signal } = watched(dir, clock);
    rmSync(dir, { recursive: true });
    change(dir);
    let calls = 0;
    const reading = source.read(() => Promise.resolve({ value: ++calls, files: [] }), signal);
    const error: unknown = await clock.run(reading).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(SourceError);
    expect(error).toMatchObject({ code });
    expect(calls).toBe(0);
  });

  test('sits out a moment in which everything is gone', async () => {
    const dir = write(join(scratch(), 'stack'), small);
    const clock = virtualClock();
    const { source, signal } = watched(dir, clock);
    rmSync(dir, { recursive: true });
    const returning = clock.sleep(600).then(() => write(dir, small));
    expect((await clock.run(source.read(takeTexts(), signal))).value).toEqual(small);
    await returning;
  });

  test('asks for the manifests that sluice.yaml names only when that file was written to', async () => {
    const dir = write(scratch(), small);
    const clock = virtualClock();
    let asked = 0;
    const inputs = () => ((asked += 1), () => ['edges']);
    const { source, signal } = watched(dir, clock, { inputs });
    await clock.run(source.read(takeTexts(), signal));
    expect(await staysQuiet(source, clock, signal)).toBe(true);
    expect(asked).toBe(1);
    write(dir, { 'sluice.yaml': 'manifests: [edges]\n# written to\n' });
    await clock.run(source.read(takeTexts(), signal));
    expect(asked).toBe(2);
  });

  test('follows sluice.yaml when it names other manifests', async () => {
    const dir = write(scratch(), { ...small, 'more/x.yaml': 'a: 1\n' });
    const clock = virtualClock();
    const named = (dir: string) => (textsIn(dir)['sluice.yaml']!.includes('more') ? ['edges', 'more'] : ['edges']);
    const { source, signal } = watched(dir, clock, { inputs: (dir) => () => named(dir) });
    await clock.run(source.read(takeTexts(), signal));
    write(dir, { 'more/x.yaml': 'a: 2\n' });
    expect(await staysQuiet(source, clock, signal)).toBe(true);
    write(dir, { 'sluice.yaml': 'manifests: [edges, more]\n' });
    await clock.run(source.read(takeTexts(), signal));
    write(dir, { 'more/x.yaml': 'a: 3\n' });
    expect(await staysQuiet(source, clock, signal)).toBe(false);
  });

  test('shows one content id for the same manifests, wherever and whenever they are read', async () => {
    const ids = [];
    for (const texts of [small, small, { ...small, 'edges/api.yaml': 'a: 2\n' }]) {
      const clock = virtualClock();
      const { source, signal } = watched(write(scratch(), texts), clock);
      ids.push((await clock.run(source.read(takeTexts(), signal))).revision.content);
    }
    expect(ids[0]).toMatch(/^[0-9a-f]{12}$/);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  test('and waiting for a change end when they are aborted', async () => {
    const dir = write(scratch(), small);
    const clock = virtualClock();
    const { source } = watched(dir, clock);
    const ending = new AbortController();
    await clock.run(source.read(takeTexts(), ending.signal));
    write(dir, { 'edges/shop.yaml': 'a: 2\n' });
    const waiting = Promise.allSettled([source.read(takeTexts(), ending.signal)]);
    await clock.run(source.changed(ending.signal));
    ending.abort();
    const late = Promise.allSettled([source.read(takeTexts(), ending.signal), source.changed(ending.signal)]);
    for (const { status } of [...(await waiting), ...(await late)]) expect(status).toBe('rejected');
  });
});

function swapNames(one: string, other: string): void {
  writeFileSync(other, 'b: 1\n');
  renameSync(one, `${one}.tmp`);
  renameSync(other, one);
  renameSync(`${one}.tmp`, other);
}

function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.tmp`, text);
  chmodSync(`${path}.tmp`, 0o600);
  renameSync(`${path}.tmp`, path);
}

function moveLink(link: string, target: string): void {
  symlinkSync(target, `${link}.tmp`);
  renameSync(`${link}.tmp`, link);
}

function gitSyncLike(): { readonly root: string; readonly link: string } {
  const root = scratch();
  write(join(root, 'worktrees/a'), small);
  write(join(root, 'worktrees/b'), { ...small, 'edges/shop.yaml': 'a: 2\n' });
  symlinkSync('worktrees/a', join(root, 'current'));
  return { root, link: join(root, 'current') };
}

function configMap(dir: string, text: string): Texts {
  return { [`${dir}/sluice.yaml`]: 'manifests: [.]\n', [`${dir}/edges.yaml`]: text };
}

async function afterReadingConfigMap() {
  const mount = write(scratch(), configMap('..2024', 'a: 1\n'));
  symlinkSync('..2024', join(mount, '..data'));
  for (const name of ['sluice.yaml', 'edges.yaml']) symlinkSync(`..data/${name}`, join(mount, name));
  const clock = virtualClock();
  const { source, signal } = watched(mount, clock, { inputs: () => () => ['.'] });
  await clock.run(source.read(takeTexts(), signal));
  return { mount, clock, source, signal };
}

async function afterReading(dir: string) {
  const clock = virtualClock();
  const { source, signal } = watched(dir, clock);
  await clock.run(source.read(takeTexts(), signal));
  return { clock, source, signal };
}

async function staysQuiet(source: WatchSource, clock: VirtualClock, signal: AbortSignal): Promise<boolean> {
  const changed = source.changed(signal).then(() => false);
  changed.catch(() => undefined);
  return clock.run(Promise.race([changed, clock.sleep(60_000).then(() => true)]));
}

test('what was never read has changed', async () => {
  const clock = virtualClock();
  const { source, signal } = watched(write(join(scratch(), 'stack'), small), clock);
  await expect(clock.run(source.changed(signal))).resolves.toBeUndefined();
});
