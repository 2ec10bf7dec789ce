import { readFile, rm, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StateError, Refused } from '../../diagnostics/errors.ts';
import { replaceFile } from '../../files/replace-file.ts';
import type { Backend, DocumentName } from '../backend.ts';
import { builtThread } from '../lease/lease-thread.ts';
import { backupsOf, keepBackup } from './backups.ts';
import { fileDocument } from './file-document.ts';
import type { FileRuns } from './file-runs.ts';
import { fileStore } from './file-store.ts';
import { movedText } from '../moved-away.ts';
import { mustBeEmpty } from '../must-be-ours.ts';
import { holderText } from '../lease/lease.ts';
import { realStatePath } from './real-state-path.ts';
import { isGone } from '../../files/process-identity.ts';
import { holderAt } from './lock-file.ts';
import { acquireLock, lockOf } from '../lock.ts';
import { journalOf, fileMustBeHere, looksLikeState } from './read-state.ts';
import { timeInName } from '../time-in-name.ts';
import type { State } from '../../model/state.ts';
import type { StateStore } from '../store.ts';

/** A backend that stores files in one directory: that of the state, which may be named by a link. */
export function fileBackend(named: string): Backend {
  const path = realStatePath(named);
  const lockPath = lockOf(path);
  const name = basename(path);
  const prefix = name === 'state.json' ? '' : `${name}.`;
  const fileOf = (document: DocumentName): string => join(dirname(path), `${prefix}${document}.json`);
  const runsPath = join(dirname(path), `${prefix}runs`);
  // Only runs that change something, and commands about them, load this code.
  const runs = async (): Promise<FileRuns> => (await import('./file-runs.ts')).fileRuns(runsPath);
  const presence = stateMustStay(path);
  let lockedBy: string | undefined;
  return {
    location: named,
    acquireLock: async (command, options) => {
      const lock = await acquireLock(lockPath, command, { ...options, thread: builtThread('lock-heartbeat') });
      lockedBy = command;
      return lock;
    },
    lockHolder: async () => {
      const found = await Promise.resolve(lockPath).then(holderAt);
      if (found === undefined) return undefined;
      const { lease } = found;
      if (lease === undefined) return { text: undefined, release: () => rm(lockPath, { force: true }) };
      const release = async (): Promise<void> =>
        (await acquireLock(lockPath, 'sluice state unlock', { declaredDead: lease.token })).release();
      return { text: holderText(lease, lease.started), hasEnded: isGone(lease), release };
    },
    stateStore: (options) => presence.watched(fileStore({ ...options, path })),
    setAside: async (now) => {
      const aside = await setAside(path, now);
      presence.removed();
      return aside;
    },
    moveAway: async (to) => {
      await keepBackup(path, 0, new Date());
      await replaceFile(path, movedText(to), { isKept: true });
      await rm(journalOf(path), { force: true });
    },
    mustBeHere: () => Promise.resolve(path).then(fileMustBeHere),
    removeAll: async (options, lockOptions) => {
      const lock = await acquireLock(lockPath, 'sluice state remove', lockOptions);
      try {
        mustBeEmpty(await fileStore({ ...options, path }).load(), path);
        const files = [path, journalOf(path), fileOf('watch-requests'), fileOf('watch-state')];
        for (const file of [...files, ...(await backupsOf(path))]) await rm(file, { force: true });
        await rm(runsPath, { recursive: true, force: true });
        presence.removed();
      } finally {
        await lock.release();
      }
    },
    beginRun: async (begun) => (lockedBy === undefined ? undefined : (await runs()).begin(begun, lockedBy)),
    runs: async (count) => (await runs()).latest(count),
    socketPath: join(dirname(path), `${prefix}watch.sock`),
    document: (document) =>
      fileDocument(fileOf(document), document === 'watch-requests' ? fileOf('watch-state') : undefined),
    close: () => Promise.resolve(),
  };
}

/** Moves a state file that cannot be read, and its journal, out of the way, where a person still finds them. Answers where to. */
async function setAside(path: string, now: Date): Promise<string> {
  const text = await readFile(path, 'latin1').catch(() => '');
  if (!looksLikeState(text))
    throw new StateError('NOT_A_STATE', `${path} is not a sluice state file, so it is not renamed`, {
      hint: 'set state.path to the state of this stack, or move the file away',
    });
  const aside = `${path}.unreadable-${timeInName(now)}`;
  await moveIfThere(path, aside);
  await moveIfThere(journalOf(path), journalOf(aside));
  return aside;
}

async function moveIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Watches over a state in files for one process: where it had resources, and is gone later, that is lost and not new. */
function stateMustStay(location: string): {
  readonly watched: (store: StateStore) => StateStore;
  /** This process itself has taken the state away. */
  readonly removed: () => void;
} {
  let hasResources = false;
  const see = (state: State | undefined): void => {
    hasResources = state !== undefined && Object.keys(state.entries).length > 0;
  };
  return {
    removed: () => see(undefined),
    watched: (store) => ({
      ...store,
      load: async () => {
        const state = await store.load();
        if (state === undefined && hasResources) throw lost(location);
        see(state);
        return state;
      },
      save: (state) => store.save(state).then(() => see(state)),
      recorder: (state) => {
        const record = store.recorder(state);
        return async (change) => {
          await record(change);
          hasResources ||= Object.values(change.entries).some((entry) => entry !== null);
        };
      },
    }),
  };
}

function lost(location: string): Refused {
  return new Refused('STATE_LOST', `the state ${location} was removed while this process used it`, {
    hint: 'restore the state from a backup, or stop this process and run `sluice state rebuild`, which finds resources by their ownership markers',
  });
}
