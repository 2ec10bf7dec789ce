import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { SluiceError, StateError } from '../../diagnostics/errors.ts';
import { systemReason, writeHint } from '../../diagnostics/system-reason.ts';
import { makeKeptDirectory } from '../../files/make-kept-directory.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { keptFileBytes, readSafely } from '../../files/safe-file.ts';
import { mustBeReadableForWatch } from './must-be-readable.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import type { KeptDocument } from '../kept-document.ts';

/** A document in a file of its own; `watchState` is there where a watch must be able to read it. */
export function fileDocument(path: string, watchState?: string): KeptDocument {
  const read = (): ReturnType<typeof readSafely> => readSafely(path, keptFileBytes);
  return {
    location: path,
    pollMs: 1_000,
    read: () => Promise.resolve(read()),
    version: () => Promise.resolve(versionOfFile(path)),
    update: async (change) => {
      const mayReplace = async (written: string): Promise<void> => {
        if (watchState !== undefined) await mustBeReadableForWatch(written, watchState);
      };
      try {
        await makeKeptDirectory(dirname(path));
        await removeLeftovers(dirname(path), basename(path));
        await replaceFile(path, change(read()), { isKept: true, mayReplace });
      } catch (error) {
        throw error instanceof SluiceError ? error : notWritten(path, error);
      }
    },
  };
}

function notWritten(path: string, cause: unknown): StateError {
  return new StateError('FILE_NOT_WRITTEN', `${path} cannot be written: ${systemReason(cause)}`, {
    cause,
    hint:
      writeHint(cause) ??
      'make sure that the directory of the file is writable, and that the path is not a directory itself',
  });
}

function versionOfFile(path: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  } catch (error) {
    return systemReason(error);
  }
}
