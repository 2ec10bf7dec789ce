import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside, withoutLinks } from '../../files/real-path.ts';
import { findRepository } from './find-repository.ts';

/** Whether a path, or what it leads to, is in the git repository of a directory, so that a commit can change it. */
export function isInRepository(path: string, dir: string): boolean {
  const root = findRepository(realpathSync(dir))?.root;
  return root !== undefined && bothOf(path).some((one) => isInside(one, root) && !isClonedWithin(one, root));
}

/** The same, or in the directory itself, which something else than git may fill. */
export function isInCheckout(path: string, dir: string): boolean {
  const inDirectory = (one: string): boolean => [dir, realpathSync(dir)].some((root) => isInside(one, root));
  return bothOf(path).some(inDirectory) || isInRepository(path, dir);
}

/** Whether a path is in a repository that somebody has cloned into another one: no commit contains a `.git`, that of a submodule is a file, and a link of a commit may lead to any clone. */
function isClonedWithin(path: string, root: string): boolean {
  const own = findRepository(dirname(path));
  if (own === undefined || own.root === root || own.gitDir !== join(own.root, '.git')) return false;
  return realpathSync(own.root) === own.root;
}

function bothOf(path: string): readonly string[] {
  return [path, withoutLinks(path)];
}
