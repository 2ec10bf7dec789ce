import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemReason } from '../diagnostics/system-reason.ts';
import { sharedAccess, type FileAccess } from '../files/shared-access.ts';
import { isInside } from '../files/is-inside.ts';
import { findRepository } from '../stack/git/find-repository.ts';
import { UsageError } from '../stack/usage-error.ts';

/** A file that the operator of a watch names with a flag. */
export interface OperatorFile {
  readonly flag: string;
  readonly path: string;
  /** What nobody else may do with it. */
  readonly access: FileAccess;
}

/** The absolute path of the file. It must be outside of the watched repository, and others must not have access to it. */
export function operatorFile(
  { flag, path, access }: OperatorFile,
  { cwd, dir }: { readonly cwd: string; readonly dir: string },
): string {
  const named = resolve(cwd, path);
  try {
    const tree = realpathSync(dir);
    const roots = [dir, tree, findRepository(tree)?.root ?? tree];
    if ([named, realpathSync(named)].some((one) => roots.some((root) => isInside(one, root))))
      throw new UsageError(
        `${flag}: ${named} is inside the watched repository`,
        'use a file outside the repository, which no commit can change',
      );
    const others = sharedAccess(named, access);
    if (others !== undefined)
      throw new UsageError(
        `${flag}: ${others} can ${access} ${named}`,
        access === 'read' ? 'set its mode to 0600' : 'set its mode to 0644',
      );
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${flag}: ${named} cannot be read: ${systemReason(error)}`);
  }
  return named;
}
