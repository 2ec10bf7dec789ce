import { resolve } from 'node:path';
import { isInGit, isInside, realTarget } from '../../files/real-path.ts';
import { shownName } from '../read/read-manifests.ts';

/** Where a file lies that is to be written, every link followed. Undefined unless that is inside the directory, and not in `.git`. */
export function targetFile(dir: string, path: string): { readonly real: string; readonly name: string } | undefined {
  const root = realTarget(resolve(dir));
  const real = path.includes('\0') ? undefined : realTarget(resolve(dir, path));
  if (root === undefined || real === undefined || real === root || !isInside(real, root)) return undefined;
  return isInGit(real) ? undefined : { real, name: shownName(root, real) };
}
