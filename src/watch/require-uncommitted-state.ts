import { realTarget } from '../files/real-target.ts';
import { checkedOut } from '../stack/git/git-head.ts';
import { openRepository } from '../stack/git/find-repository.ts';
import { pathFrom, treeEntries } from '../stack/git/tree-entries.ts';
import type { StackContext } from '../stack/stack-context.ts';
import { UsageError } from '../stack/usage-error.ts';
import type { Backend } from '../state/backend.ts';

/**
 * Refuses a state in files that are part of the checked-out commit: whoever can push could write approvals into them. Where there is
 * no git, nobody can.
 */
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
