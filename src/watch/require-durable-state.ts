import { realpathSync, lstatSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { dirname, isAbsolute, resolve, sep, basename } from 'node:path';
import { systemReason } from '../diagnostics/system-reason.ts';
import { defaultStatePath } from '../manifest/stack-file/default-state-path.ts';
import { makeKeptDirectory } from '../files/make-kept-directory.ts';
import { isInside, realTarget } from '../files/real-path.ts';
import { checkedOut } from '../stack/git/git-head.ts';
import { openRepository } from '../stack/git/find-repository.ts';
import { pathFrom, treeEntries } from '../stack/git/tree-entries.ts';
import type { StackConfig } from '../stack/settings/stack-config.ts';
import type { StackContext } from '../stack/stack-context.ts';
import { UsageError } from '../stack/usage-error.ts';
import type { Backend } from '../state/backend.ts';
import { realStatePath } from '../state/file/real-state-path.ts';

/** Refuses a state that would be lost with a tree that others swap, and one that cannot be written (decisions/0037). */
export async function requireDurableState({ dir, settings }: Pick<StackConfig, 'dir' | 'settings'>): Promise<void> {
  const swapped = stillThere(dir, () => findGitSyncLink(dir));
  if (swapped?.is === 'worktree')
    throw new UsageError(
      `${swapped.path} is a git-sync worktree, which git-sync replaces on every commit`,
      'watch the link that git-sync updates, such as sluice watch /git/current',
    );
  if (isShared({ settings })) return;
  const { path = defaultStatePath } = settings.state;
  const statePath = resolve(dir, path);
  const inside = new UsageError(
    `state.path is inside the watched tree, and ${swapped?.path ?? ''} is a link whose target can change at any time`,
    'set state.path in sluice.yaml to an absolute path outside of the tree',
  );
  if (swapped !== undefined && (!isAbsolute(path) || isInside(statePath, dir))) throw inside;
  const kept = dirname(realStatePath(statePath));
  try {
    await makeKeptDirectory(kept);
    await access(kept, constants.W_OK);
  } catch (error) {
    throw new UsageError(
      `the state directory ${kept} is not writable: ${systemReason(error)}`,
      'set state.path in sluice.yaml to a path in a writable directory',
    );
  }
  if (swapped === undefined) return;
  const realDir = stillThere(dir, () => realpathSync(dir));
  if (isInside(realpathSync(kept), realDir)) throw inside;
}

/** Refuses a state in files of the checked-out commit: whoever can push could write approvals into them. */
export async function requireUncommittedState(
  context: StackContext,
  dir: string,
  { location, document }: Pick<Backend, 'location' | 'document'>,
): Promise<void> {
  const [head, repository] = [checkedOut(dir), openRepository(context, dir)];
  if (head === undefined || repository === undefined) return;
  const { git, root } = repository;
  const kept = [location, document('watch-state').location, document('watch-requests').location]
    .map((path) => pathFrom(root, realTarget(path) ?? path))
    .filter((path) => path.split('/')[0] !== '..');
  if (kept.length === 0) return;
  const [committed] = await treeEntries(git, head.commit, kept).catch(() => []);
  if (committed !== undefined)
    throw new UsageError(
      `${committed.path} is part of commit ${head.commit.slice(0, 12)}: every user who can push could replace the file, and approve changes that way`,
      'remove the file from the repository, or set state.path in sluice.yaml to an absolute path outside of it',
    );
}

/** Whether the state is in a store that several machines share. */
export function isShared({ settings: { state } }: Pick<StackConfig, 'settings'>): boolean {
  return state.postgres !== undefined || state.s3 !== undefined;
}

/** What others swap or move away may be gone a moment after its stack file was read. */
function stillThere<T>(dir: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(`${dir} can no longer be read: ${systemReason(error)}`, 'run sluice watch again');
  }
}

/** What on the way to a directory others may put something else in the place of, at any time. */
interface GitSyncLink {
  readonly path: string;
  /** `worktree`: of git-sync, which names each by its commit, and removes it when there is another. */
  readonly is: 'link' | 'worktree';
}

/** Finds it in a path as it was named: the first link, or else a worktree of git-sync that no link was followed to. */
function findGitSyncLink(dir: string): GitSyncLink | undefined {
  const steps = dir.split(sep);
  const paths = steps.map((_, index) => steps.slice(0, index + 1).join(sep)).filter((path) => path !== '');
  const link = paths.find((path) => lstatSync(path).isSymbolicLink());
  if (link !== undefined) return { path: link, is: 'link' };
  const worktree = paths.find((path) => /^(rev-)?([0-9a-f]{40}|[0-9a-f]{64})$/.test(basename(path)));
  return worktree === undefined ? undefined : { path: worktree, is: 'worktree' };
}
