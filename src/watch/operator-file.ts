import { resolve } from 'node:path';
import { systemReason } from '../diagnostics/system-reason.ts';
import { sharedAccess, type FileAccess } from '../files/shared-access.ts';
import { isInCheckout } from '../stack/git/is-in-repository.ts';
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
    if (isInCheckout(named, dir))
      throw new UsageError(
        `${flag}: ${named} is inside the watched repository`,
        'use a file outside the repository, which no commit can change',
      );
    const others = sharedAccess(named, access);
    if (others !== undefined)
      throw new UsageError(
        `${flag}: ${others} can ${access} ${named}`,
        `set the mode of the file to ${access === 'read' ? '0600' : '0644'}`,
      );
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${flag}: ${named} cannot be read: ${systemReason(error)}`);
  }
  return named;
}
