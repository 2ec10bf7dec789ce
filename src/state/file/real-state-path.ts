import { existsSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StateError } from '../../diagnostics/errors.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { realTarget } from '../../files/real-path.ts';

/**
 * Where the state file of a path is. All that belongs to it is beside it there: with a lock beside the link, two checkouts
 * whose links lead to one file would not wait for each other. An absent file is made where the link leads to.
 */
export function realStatePath(path: string): string {
  const link = linkAt(path);
  if (link === undefined) return path;
  const real = realTarget(resolve(realpathSync(dirname(path)), link));
  if (real !== undefined && existsSync(dirname(real))) return real;
  throw new StateError(
    'STATE_UNREADABLE',
    `the state file ${path} is a link to ${safeText(link, 200)}, which leads nowhere`,
    { hint: 'mount or create the directory that the link leads to, or remove the link' },
  );
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
