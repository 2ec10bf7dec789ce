import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemReason } from '../diagnostics/system-reason.ts';
import { accountIn } from '../emulator/control/account-in.ts';
import type { Emulator } from '../emulator/emulator.ts';
import { replaceFile } from '../state/replace-file.ts';
import { UsageError } from './usage-error.ts';

type AccountData = ReturnType<Emulator['snapshot']>;

/** Fills an emulator with the account kept in a file; false, and an empty account, when there is no such file. */
export async function loadAccount(emulator: Emulator, path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UsageError(`${path} cannot be read: ${systemReason(error)}`);
  });
  if (text === undefined) return false;
  emulator.restore(accountOf(text, path));
  return true;
}

/** Keeps the account of an emulator in a file of its owner alone: it holds secrets. */
export async function saveAccount(emulator: Emulator, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await replaceFile(path, `${JSON.stringify(emulator.snapshot())}\n`);
}

function accountOf(text: string, path: string): AccountData {
  try {
    const account = accountIn(JSON.parse(text));
    if (account !== undefined) return account;
  } catch {
    // No JSON is no account either.
  }
  throw new UsageError(`${path} holds no account of the emulator`, 'move it away to begin with an empty account');
}
