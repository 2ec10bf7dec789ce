import { basename, dirname } from 'node:path';
import { SluiceError, StateError } from '../../diagnostics/errors.ts';
import { systemReason, writeHint } from '../../diagnostics/system-reason.ts';
import { makeKeptDirectory } from '../../files/make-kept-directory.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { keptFileBytes, readSafely } from '../../files/safe-file.ts';
import { stampOf, statsOf } from './file-identity.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import type { KeptDocument } from '../backend.ts';
import { runAgain } from '../lock-hint.ts';
import { stat } from 'node:fs/promises';

const mostConflicts = 50;

/** A document in a file of its own; `watchState` is there where a watch must be able to read it. */
export function fileDocument(path: string, watchState?: string): KeptDocument {
  const read = (): ReturnType<typeof readSafely> => readSafely(path, keptFileBytes);
  const version = (): string => stampOf(statsOf(path));

  /** Whether it is replaced; not where another update was faster. */
  async function isReplaced(change: Parameters<KeptDocument['update']>[0]): Promise<boolean> {
    const seen = version();
    const overtaken = changing(path);
    const mayReplace = async (written: string): Promise<void> => {
      if (watchState !== undefined) await mustBeReadableForWatch(written, watchState);
      if (version() !== seen) throw overtaken;
    };
    try {
      await replaceFile(path, change(read()), { isKept: true, mayReplace });
      return true;
    } catch (error) {
      if (error === overtaken) return false;
      throw error;
    }
  }

  return {
    location: path,
    pollMs: 1_000,
    read: () => Promise.resolve(read()),
    version: () => Promise.resolve(version()),
    update: async (change) => {
      try {
        await makeKeptDirectory(dirname(path));
        await removeLeftovers(dirname(path), basename(path));
        for (let conflicts = 0; !(await isReplaced(change)); conflicts++)
          if (conflicts === mostConflicts) throw changing(path);
      } catch (error) {
        throw error instanceof SluiceError ? error : notWritten(path, error);
      }
    },
  };
}

function changing(path: string): StateError {
  return new StateError('STATE_CHANGED', `${path} keeps changing`, runAgain);
}

function notWritten(path: string, cause: unknown): StateError {
  return new StateError('FILE_NOT_WRITTEN', `${path} cannot be written: ${systemReason(cause)}`, {
    cause,
    hint:
      writeHint(cause) ??
      'make sure that the directory of the file is writable, and that the path is not a directory itself',
  });
}

/**
 * Insists that the watch of a stack can read a new file, judged by the owner of the file that it keeps itself. A directory
 * that everybody may write in has no owner to give files to (decisions/0024): there a file belongs to who writes it.
 */
export async function mustBeReadableForWatch(written: string, watchState: string): Promise<void> {
  const watch = await stat(watchState).catch(() => undefined);
  if (watch === undefined) return;
  const file = await stat(written);
  const isOfGroup = file.gid === watch.gid && (file.mode & 0o040) !== 0;
  if (watch.uid === 0 || watch.uid === file.uid || isOfGroup) return;
  const directory = dirname(watchState);
  throw new StateError(
    'OPERATOR_REQUESTS_UNREADABLE',
    `sluice watch runs with user id ${watch.uid} and could not read a file of user id ${file.uid} in ${directory}; nothing was changed`,
    {
      hint: `run the command as user id ${watch.uid}, or remove the write permission of all other users from ${directory} (keep owner and group)`,
    },
  );
}
