import { realpathSync } from 'node:fs';
import { isInside } from '../../files/is-inside.ts';
import { withoutLinks } from '../../files/without-links.ts';
import { findRepository } from './find-repository.ts';

/** Whether a path, or what it leads to, is in the git repository of a directory, so that a commit can change it. */
export function isInRepository(path: string, dir: string): boolean {
  const root = findRepository(realpathSync(dir))?.root;
  return root !== undefined && isInAny(path, [root]);
}

/** The same, or in the directory itself, which something else than git may fill. */
export function isInCheckout(path: string, dir: string): boolean {
  return isInAny(path, [dir, realpathSync(dir)]) || isInRepository(path, dir);
}

function isInAny(path: string, roots: readonly string[]): boolean {
  return [path, withoutLinks(path)].some((one) => roots.some((root) => isInside(one, root)));
}
