import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { FSWatcher } from 'chokidar';

/** Where to listen: directories of which every name matters, or only some. */
export type WatchTargets = ReadonlyMap<string, ReadonlySet<string> | 'every name'>;

/** Signals that something may have changed. Events may be missing or superfluous: a scan decides. */
export interface FileEvents {
  /** Listens in these directories from now on, and no longer elsewhere. Returns why there will be no events, if so. */
  readonly listen: (where: WatchTargets) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

/*
 * chokidar, told to wait for a name that never comes in each of these directories. It then holds one watch on the
 * directory and does not list it; told to watch the directory itself, it looks at every file in it first, which for
 * 10,000 files takes ten times as long. Its raw events are used, because those it makes of them are throttled, and a link
 * that is moved makes none.
 */
const awaited = '.sluice-awaits-nothing';

/** Watches directories for file system events. */
export function fileEvents(onEvent: () => void): FileEvents {
  let watcher: FSWatcher | undefined;
  let where: WatchTargets = new Map();
  let listeningAs: string | undefined;
  const failures = new Set<string>();
  let isClosed = false;
  let turn: Promise<unknown> = Promise.resolve();
  return {
    listen: async (wanted) => {
      where = wanted;
      const done = turn.then(relisten);
      turn = done;
      await done;
      return [...failures][0];
    },
    close: async () => {
      isClosed = true;
      await turn;
      await stop();
    },
  };

  async function relisten(): Promise<void> {
    const identity = identityOf(where);
    if (isClosed || where.size === 0 || identity === listeningAs) return;
    // Before the new watches are made: chokidar shares the watch of a path, even when another directory is there now.
    await stop();
    listeningAs = identity;
    failures.clear();
    const { watch } = await import('chokidar');
    const paths = [...where.keys()].map((directory) => join(directory, awaited));
    const known = new Set([...paths, ...where.keys()]);
    const ignored = (path: string) => !known.has(path);
    watcher = watch(paths, { depth: 0, ignoreInitial: true, followSymlinks: false, atomic: false, ignored });
    watcher.on('error', (error) => exhaustion(error).forEach((code) => failures.add(code)));
    watcher.on('raw', (_event, name: unknown, details: unknown) => onRawEvent(name, details));
    await beginning(watcher, [...where.keys()]);
    if (failures.size > 0) await stop();
    // Something may have changed since the scan that found these directories.
    else onEvent();
  }

  async function stop(): Promise<void> {
    const old = watcher;
    watcher = undefined;
    await old?.close();
  }

  function onRawEvent(name: unknown, details: unknown): void {
    const directory = watchedIn(details);
    const isItself = name === basename(directory);
    // The directory itself was deleted or moved: its replacement has to be watched again.
    if (isItself) listeningAs = undefined;
    const names = where.get(directory);
    if (names instanceof Set && typeof name === 'string' && !isItself && !names.has(name)) return;
    onEvent();
  }
}

// Chokidar says it is ready before watches of this kind are made, and knows a directory from the moment it has one.
async function beginning(watcher: FSWatcher, directories: readonly string[]): Promise<void> {
  for (let turns = 0; turns < mostEvents; turns++) {
    await setImmediate();
    const watched = watcher.getWatched();
    if (directories.every((path) => watched[dirname(path)]?.includes(basename(path)))) return;
  }
}

const mostEvents = 10_000;

// Any other error concerns one directory, and the next scan finds its changes.
function exhaustion(error: unknown): readonly string[] {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return ['ENOSPC', 'EMFILE', 'ENFILE', 'ENOMEM'].filter((each) => each === code);
}

// A directory that was deleted and made again is another one.
function identityOf(where: WatchTargets): string {
  const identities = [...where.keys()].map((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return `${path}\0${String(stats?.dev)}:${String(stats?.ino)}`;
  });
  return identities.sort().join('\n');
}

function watchedIn(details: unknown): string {
  return typeof details === 'object' && details !== null && 'watchedPath' in details ? String(details.watchedPath) : '';
}
