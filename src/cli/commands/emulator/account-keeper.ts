import type { Emulator } from '../../../emulator/emulator.ts';
import { saveAccount } from '../../../stack/service/account-file.ts';

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
