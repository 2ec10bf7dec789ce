import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The real path of what is there or could be made there; undefined where a link leads nowhere. */
export function realTarget(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    if (isThere(path) || dirname(path) === path) return undefined;
    const parent = realTarget(dirname(path));
    return parent === undefined ? undefined : join(parent, basename(path));
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // What should be its directory is a file.
    return false;
  }
}
