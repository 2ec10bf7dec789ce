import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

/** A path without links; undefined where nothing is there. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** A path without links; as it is where nothing is there. */
export function withoutLinks(path: string): string {
  return realPath(path) ?? path;
}

/** The real path of what is there or could be made there; undefined where a link leads nowhere. */
export function realTarget(path: string): string | undefined {
  const real = realPath(path);
  if (real !== undefined || isThere(path) || dirname(path) === path) return real;
  const parent = realTarget(dirname(path));
  return parent === undefined ? undefined : join(parent, basename(path));
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // What should be its directory is a file.
    return false;
  }
}

/** Whether a path lies in a directory, or is it; both must be free of links. */
export function isInside(path: string, dir: string): boolean {
  return path === dir || path.startsWith(dir.endsWith(sep) ? dir : dir + sep);
}

/** Whether a path leads into a `.git` directory. Some file systems take `.GIT` for the same. */
export function isInGit(path: string): boolean {
  return path.split(sep).some((part) => part.toLowerCase() === '.git');
}
