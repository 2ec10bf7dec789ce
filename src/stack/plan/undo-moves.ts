import { SluiceError } from '../../diagnostics/errors.ts';
import { kinds } from '../../kinds/index.ts';
import type { Desired } from '../../model/resource.ts';
import { withMovesUndone } from '../../plan/undone-moves.ts';
import { commitName } from '../git/commit-name.ts';
import { openRepository, type OpenRepository } from '../git/open-repository.ts';
import type { StackContext } from '../stack-context.ts';
import type { PlanningWorkspace } from '../workspace.ts';
import { loadCommit } from './load-commit.ts';
import type { LoadedRevision } from './load-revision.ts';
import { lastCommit } from './older-than-applied.ts';

// Each of them is read whole. Renames are rare.
const mostCommits = 20;
const mostBytes = 1_000_000;

/** The resources of a commit, which take back the moves of the commits that were applied since; as they are where git cannot tell. */
export async function undoMoves(
  context: StackContext,
  workspace: PlanningWorkspace,
  { commit, wanted }: LoadedRevision,
): Promise<readonly Desired[]> {
  const { resources } = wanted.desired;
  const repository = openRepository(context, workspace.dir);
  const last = (await lastCommit(workspace)) ?? 'HEAD';
  if (repository === undefined || !(last === 'HEAD' || commitName.test(last))) return resources;
  const later: (readonly Desired[])[] = [];
  for (const one of await commitsWithMoves(repository, commit, last)) {
    const loaded = await loadCommit(context, workspace, repository, one, 'ignore').catch(unlessInterrupted);
    if (loaded !== undefined && 'wanted' in loaded) later.push(loaded.wanted.desired.resources);
  }
  return withMovesUndone(resources, later, kinds);
}

/** The commits after one up to another whose changes are about `moved_from`, oldest first, and the last one. */
async function commitsWithMoves({ git }: OpenRepository, first: string, last: string): Promise<readonly string[]> {
  const read = async (...args: string[]): Promise<string[]> =>
    String((await git(args, mostBytes).catch(unlessInterrupted)) ?? '')
      .split('\n')
      .filter((line) => line !== '');
  const about = await read('log', '--topo-order', '--reverse', '--format=%H', '-Gmoved_from', `${first}..${last}`);
  if (about.length === 0) return [];
  const end = await read('rev-parse', '--verify', `${last}^{commit}`);
  return [...new Set([...about.slice(-mostCommits), ...end])];
}

function unlessInterrupted(error: unknown): undefined {
  if (error instanceof SluiceError && error.code === 'INTERRUPTED') throw error;
}
