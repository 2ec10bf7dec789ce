import type { Emulator } from '../../../emulator/emulator.ts';
import { saveAccount } from '../../../stack/account-file.ts';

/** Keeps the account of a running emulator in a file. */
export interface AccountKeeper {
  /** Something may have changed: it is saved soon. */
  readonly changed: () => void;
  /** Saves what there is, once and for all. */
  readonly end: () => Promise<void>;
}

// So that a crash loses a moment at most, and many writes cost one save.
const soonMs = 1_000;

/** Makes a keeper; a save that fails while requests come in is told, and tried again with the next change. */
export function accountKeeper(emulator: Emulator, path: string, failed: (error: unknown) => void): AccountKeeper {
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
