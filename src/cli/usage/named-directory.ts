import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Io } from '../io.ts';

/** The working directory as the user named it: the process resolves symbolic links, PWD of the shell keeps them. */
export function namedDirectory({ cwd, env }: Pick<Io, 'cwd' | 'env'>): string {
  const named = env['PWD'] ?? '';
  try {
    return isAbsolute(named) && realpathSync(named) === realpathSync(cwd) ? named : cwd;
  } catch {
    return cwd;
  }
}
