import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { isInside, shownName } from '../read/read-manifests.ts';

/** Where a file lies that is to be written, every link followed. Undefined unless that is inside the directory, and not in `.git`. */
export function targetFile(dir: string, path: string): { readonly real: string; readonly name: string } | undefined {
  const root = realTarget(resolve(dir));
  const real = path.includes('\0') ? undefined : realTarget(resolve(dir, path));
  if (root === undefined || real === undefined || real === root || !isInside(real, root)) return undefined;
  return real.split(sep).includes('.git') ? undefined : { real, name: shownName(root, real) };
}

/** The real path of what is there or could be made there; undefined where a link leads nowhere. */
function realTarget(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined || dirname(path) === path) return undefined;
    const parent = realTarget(dirname(path));
    return parent === undefined ? undefined : join(parent, basename(path));
  }
}
