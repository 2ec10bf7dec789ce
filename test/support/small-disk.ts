import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { skippedWithout } from './skipped-without.ts';

/** A file system of its own that can be full. */
export interface SmallDisk {
  readonly path: string;
  /** Takes all the space that is left. */
  readonly fill: () => void;
  /** Gives it back. */
  readonly free: () => void;
  readonly remove: () => void;
}

/** What the names of tests end in that need one: nothing where this process may mount. */
export const withoutSmallDisk = ((): string => {
  let isPossible = false;
  try {
    smallDisk(1).remove();
    isPossible = true;
  } catch {
    // Only root may mount.
  }
  return skippedWithout('a file system in memory (mount)', isPossible);
})();

/** Mounts a disk of so many megabytes that everybody may write to. */
export function smallDisk(megabytes: number): SmallDisk {
  const path = mkdtempSync('/tmp/sluice-disk-');
  const made = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=777`, 'tmpfs', path], {
    encoding: 'utf8',
  });
  if (made.status !== 0) {
    rmdirSync(path);
    throw new Error(`cannot mount: ${made.stderr}`);
  }
  const filler = join(path, 'filler');
  return {
    path,
    fill: () => {
      for (const size of [1 << 20, 1 << 12]) writeUntilFull(filler, Buffer.alloc(size));
    },
    free: () => {
      truncateSync(filler, 0);
    },
    remove: () => {
      spawnSync('umount', ['-l', path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

function writeUntilFull(path: string, block: Buffer): void {
  try {
    for (;;) appendFileSync(path, block);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
