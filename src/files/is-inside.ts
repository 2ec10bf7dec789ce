import { sep } from 'node:path';

/** Whether a path lies in a directory, or is it; both must be free of links. */
export function isInside(path: string, dir: string): boolean {
  return path === dir || path.startsWith(dir.endsWith(sep) ? dir : dir + sep);
}
