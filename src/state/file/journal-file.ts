import { statSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { giveToDirectory } from '../../files/give-to-directory.ts';
import { fileOf, identityOf } from './file-identity.ts';
import { syncDirectory } from '../../files/replace-file.ts';

/** A journal that is being written. */
export interface JournalFile {
  /** Adds whole lines; resolves once they are durable. Throws when any of them may not be: then nothing of them is left. */
  readonly append: (lines: string) => Promise<void>;
  /** The identity of the file; undefined if it is no longer the one at its path, because it was taken away or replaced. */
  readonly identity: () => string | undefined;
  readonly close: () => Promise<void>;
}

/** Begins a journal of its owner alone with its first lines. Throws when there is one at the path already. */
export async function createJournal(path: string, lines: string): Promise<JournalFile> {
  const file = await open(path, 'wx', 0o600);
  let size = 0;

  async function append(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    try {
      // A full disk takes part of a write without an error; the rest is then refused with one. Handing bytes to the system
      // costs less than a turn of the event loop; only making them durable takes time.
      for (let at = 0; at < bytes.length;) {
        const written = writeSync(file.fd, bytes, at, bytes.length - at, size + at);
        if (written === 0) throw new Error('the write stopped before the end; the disk may be full');
        at += written;
      }
      await file.datasync();
      size += bytes.length;
    } catch (error) {
      await file.truncate(size).catch(() => undefined);
      throw error;
    }
  }

  try {
    await giveToDirectory(file, dirname(path));
    await append(lines);
    await syncDirectory(dirname(path));
    const own = fileOf(await file.stat({ bigint: true }));
    const identity = (): string | undefined => {
      const there = identityOf(statSync(path, { bigint: true, throwIfNoEntry: false }));
      return there.startsWith(own) ? there : undefined;
    };
    return { append, identity, close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}
