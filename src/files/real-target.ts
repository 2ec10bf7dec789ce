import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The real path of what is there or could be made there; undefined where a link leads nowhere. */
export function realTarget(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined || dirname(path) === path) return undefined;
    const parent = realTarget(dirname(path));
    return parent === undefined ? undefined : join(parent, basename(path));
  }
}
