import { realpathSync } from 'node:fs';
import { isInside } from '../../files/is-inside.ts';
import { withoutLinks } from '../../files/without-links.ts';
import { findRepository } from './find-repository.ts';

/** Whether a path, or what it leads to, is in the repository of a stack, so that a commit can change it. Without git, the repository is the directory of the stack. */
export function isInRepository(path: string, dir: string): boolean {
  const tree = realpathSync(dir);
  const roots = [dir, tree, findRepository(tree)?.root ?? tree];
  return [path, withoutLinks(path)].some((one) => roots.some((root) => isInside(one, root)));
}
