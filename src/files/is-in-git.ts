import { sep } from 'node:path';

/** Whether a path leads into a `.git` directory. Some file systems take `.GIT` for the same. */
export function isInGit(path: string): boolean {
  return path.split(sep).some((part) => part.toLowerCase() === '.git');
}
