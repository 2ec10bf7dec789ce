import { realpathSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { dirname, isAbsolute, resolve, sep } from 'node:path';
import { systemReason } from '../diagnostics/system-reason.ts';
import { makeKeptDirectory } from '../files/make-kept-directory.ts';
import { findGitSyncLink } from './source/git-sync-link.ts';
import type { StackConfig } from '../stack/stack-config.ts';
import { UsageError } from '../stack/usage-error.ts';

/** Refuses a state that would be lost with a tree that others swap, and one that cannot be written (decisions/0037). */
export async function requireDurableState({ dir, settings }: Pick<StackConfig, 'dir' | 'settings'>): Promise<void> {
  const { path } = settings.state;
  const statePath = resolve(dir, path);
  const swapped = findGitSyncLink(dir);
  if (swapped?.is === 'worktree')
    throw new UsageError(
      `${swapped.path} is a git-sync worktree, which git-sync replaces on every commit`,
      'watch the link that git-sync updates, such as sluice watch /git/current',
    );
  const inside = new UsageError(
    `state.path is inside the watched tree, and ${swapped?.path ?? ''} is a link whose target can change at any time`,
    'set state.path in sluice.yaml to an absolute path outside of the tree',
  );
  if (swapped !== undefined && (!isAbsolute(path) || isIn(dir, statePath))) throw inside;
  const kept = dirname(statePath);
  try {
    await makeKeptDirectory(kept);
    await access(kept, constants.W_OK);
  } catch (error) {
    throw new UsageError(
      `the state directory ${kept} is not writable: ${systemReason(error)}`,
      'set state.path in sluice.yaml to a path in a writable directory',
    );
  }
  if (swapped !== undefined && isIn(realOf(dir), realpathSync(kept))) throw inside;
}

/** What others swap may be gone a moment after it was read. */
function realOf(dir: string): string {
  try {
    return realpathSync(dir);
  } catch (error) {
    throw new UsageError(`${dir} can no longer be read: ${systemReason(error)}`, 'run sluice watch again');
  }
}

function isIn(dir: string, path: string): boolean {
  return path === dir || path.startsWith(`${dir}${sep}`);
}
