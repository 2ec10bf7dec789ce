import { dirname } from 'node:path';
import { accountIn } from '../../emulator/account/account-data.ts';
import type { Emulator } from '../../emulator/emulator.ts';
import { SluiceError } from '../../diagnostics/errors.ts';
import { systemReason, writeHint } from '../../diagnostics/system-reason.ts';
import { makeKeptDirectory } from '../../files/make-kept-directory.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { keptFileBytes, readSafely } from '../../files/safe-file.ts';
import { UsageError } from '../usage-error.ts';
import { parsedJson } from '../../model/json-object.ts';

type AccountData = ReturnType<Emulator['snapshot']>;

/** Fills an emulator with the account kept in a file; false, and an empty account, when there is no such file. */
export function loadAccount(emulator: Emulator, path: string): boolean {
  const read = readSafely(path, keptFileBytes);
  if ('text' in read) emulator.restore(accountOf(read.text, path));
  else if (read.code !== 'FILE_NOT_FOUND') throw new UsageError(`${path} ${read.message}`);
  return 'text' in read;
}

/** Keeps the account of an emulator in a file of its owner alone: it holds secrets. */
export async function saveAccount(emulator: Emulator, path: string): Promise<void> {
  const text = `${JSON.stringify(emulator.snapshot())}\n`;
  try {
    await makeKeptDirectory(dirname(path));
    await replaceFile(path, text, { isKept: true });
  } catch (error) {
    const hint = writeHint(error) ?? 'check the disk and the directory';
    throw new SluiceError('FILE_NOT_ACCESSIBLE', `${path} cannot be written: ${systemReason(error)}`, {
      cause: error,
      hint: `${hint}, then run the command again`,
      hintInWatch: hint,
    });
  }
}

function accountOf(text: string, path: string): AccountData {
  const account = accountIn(parsedJson(text));
  if (account !== undefined) return account;
  throw new UsageError(
    `${path} is not an emulator account file`,
    'to start the emulator with an empty account, move this file away',
  );
}

// A crash loses at most this much, and many writes cost one save.
const soonMs = 1_000;

/** Saves the account of a running emulator to a file; a failed save is reported and retried with the next change. */
export function accountKeeper(
  emulator: Emulator,
  path: string,
  failed: (error: unknown) => void,
): {
  /** Schedules a save after a possible change. */
  readonly changed: () => void;
  /** Saves a last time. */
  readonly end: () => Promise<void>;
} {
  let timer: NodeJS.Timeout | undefined;
  let saving: Promise<void> = Promise.resolve();
  const save = (): void => {
    timer = undefined;
    saving = saving.then(() => saveAccount(emulator, path)).catch(failed);
  };
  return {
    changed: () => {
      timer ??= setTimeout(save, soonMs);
    },
    end: async () => {
      clearTimeout(timer);
      await saving;
      await saveAccount(emulator, path);
    },
  };
}
