import { watch, type FSWatcher } from 'node:fs';
import { basename } from 'node:path';
import { fileOf, statsOf } from '../../state/file/file-identity.ts';

/** Where to listen: directories of which every name matters, or only some. */
export type WatchTargets = ReadonlyMap<string, ReadonlySet<string> | 'all'>;

/** Signals that something may have changed. Events may be missing or superfluous: a scan decides. */
export interface FileEvents {
  /** Listens in these directories from now on, and no longer elsewhere. Returns why there will be no events, if so. */
  readonly listen: (where: WatchTargets) => string | undefined;
  readonly close: () => void;
}

interface Watched {
  /** A directory that was deleted and made again is another one. */
  readonly identity: string;
  readonly watcher: FSWatcher;
}

/** Watches directories for file system events, each with one watch and without listing it. */
export function fileEvents(onEvent: () => void): FileEvents {
  const watched = new Map<string, Watched>();
  let where: WatchTargets = new Map();
  return { listen, close };

  function listen(wanted: WatchTargets): string | undefined {
    where = wanted;
    // Before new watches are made: the system has one for each directory, whatever path leads to it.
    for (const [directory, { identity }] of watched)
      if (!wanted.has(directory) || identity !== identityOf(directory)) forget(directory);
    const known = watched.size;
    for (const directory of wanted.keys()) {
      const exhausted = watched.has(directory) ? undefined : begin(directory);
      if (exhausted === undefined) continue;
      close();
      return exhausted;
    }
    // Something may have changed since the scan that found these directories.
    if (watched.size > known) onEvent();
    return undefined;
  }

  function begin(directory: string): string | undefined {
    try {
      const identity = identityOf(directory);
      const watcher = watch(directory, (_event, name) => onEventOf(directory, name));
      watcher.on('error', () => onEventOf(directory, basename(directory)));
      watched.set(directory, { identity, watcher });
      return undefined;
    } catch (error) {
      // Any other error concerns one directory, and the next scan finds its changes.
      return limits.find((code) => error instanceof Error && 'code' in error && error.code === code);
    }
  }

  function onEventOf(directory: string, name: string | null): void {
    const isItself = name === basename(directory);
    // The directory itself was deleted or moved: what replaces it may have the same identity.
    if (isItself) forget(directory);
    const names = where.get(directory);
    if (names instanceof Set && name !== null && !isItself && !names.has(name)) return;
    onEvent();
  }

  function forget(directory: string): void {
    watched.get(directory)?.watcher.close();
    watched.delete(directory);
  }

  function close(): void {
    for (const directory of watched.keys()) forget(directory);
  }
}

const limits = ['ENOSPC', 'EMFILE', 'ENFILE', 'ENOMEM'];

function identityOf(directory: string): string {
  const stats = statsOf(directory);
  return typeof stats === 'string' ? stats : fileOf(stats);
}
