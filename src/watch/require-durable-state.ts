import { realpathSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { dirname, isAbsolute, sep } from 'node:path';
import { systemReason } from '../diagnostics/system-reason.ts';
import { makeKeptDirectory } from '../files/make-kept-directory.ts';
import { findGitSyncLink } from './source/git-sync-link.ts';
import type { StackConfig } from '../stack/stack-config.ts';
import { UsageError } from '../stack/usage-error.ts';

/** Refuses a state that would be lost with a tree that others swap, and one that cannot be written (decisions/0037). */
export async function requireDurableState({ dir, settings }: StackConfig, statePath: string): Promise<void> {
  const swapped = findGitSyncLink(dir);
  if (swapped?.is === 'worktree')
    throw new UsageError(
      `${swapped.path} is a worktree of git-sync, which makes another one for each commit and removes this one`,
      'name the link that git-sync moves, such as sluice watch /git/current',
    );
  const inside = new UsageError(
    `the state would lie inside the watched tree, and ${swapped?.path ?? ''} is a link that may lead elsewhere at any time`,
    'give state.path in sluice.yaml as an absolute path outside of the tree',
  );
  if (swapped !== undefined && (!isAbsolute(settings.state.path) || isIn(dir, statePath))) throw inside;
  const kept = dirname(statePath);
  try {
    await makeKeptDirectory(kept);
    await access(kept, constants.W_OK);
  } catch (error) {
    throw new UsageError(
      `${kept}, where state is kept, cannot be written: ${systemReason(error)}`,
      'give state.path in sluice.yaml as a path that can be written',
    );
  }
  if (swapped !== undefined && isIn(realOf(dir), realpathSync(kept))) throw inside;
}

/** What others swap may be gone a moment after it was read. */
function realOf(dir: string): string {
  try {
    return realpathSync(dir);
  } catch (error) {
    throw new UsageError(`${dir} cannot be read any more: ${systemReason(error)}`, 'try again');
  }
}

function isIn(dir: string, path: string): boolean {
  return path === dir || path.startsWith(`${dir}${sep}`);
}
