import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Io } from './io.ts';

/** Where a command runs, as it was named: a process knows its directory without links, and the shell's PWD has them still. */
export function namedDirectory({ cwd, env }: Pick<Io, 'cwd' | 'env'>): string {
  const named = env['PWD'] ?? '';
  try {
    return isAbsolute(named) && realpathSync(named) === realpathSync(cwd) ? named : cwd;
  } catch {
    return cwd;
  }
}
