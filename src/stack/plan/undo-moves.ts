import { Refused, SluiceError } from '../../diagnostics/errors.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { kinds } from '../../kinds/index.ts';
import type { Address } from '../../model/address.ts';
import type { Desired } from '../../model/resource.ts';
import { withKnownMovesUndone, withMovesUndone, type UndoneMoves } from '../../plan/undone-moves.ts';
import { commitName } from '../git/git-head.ts';
import { openRepository, type OpenRepository } from '../git/find-repository.ts';
import type { StackContext } from '../stack-context.ts';
import type { PlanningWorkspace } from '../workspace.ts';
import { loadCommit } from './load-commit.ts';
import type { LoadedRevision } from './load-revision.ts';
import { lastCommit } from './older-than-applied.ts';

// Each of them is read whole, but only where one of them has renames.
const mostCommits = 100;
const mostBytes = 1_000_000;

/** The resources of a commit, which take back the moves of the commits that were applied since, and those that only state knows. Refuses what would exchange one resource for another. */
export async function undoMoves(
  context: StackContext,
  workspace: PlanningWorkspace,
  { commit, wanted }: LoadedRevision,
): Promise<readonly Desired[]> {
  const { resources } = wanted.desired;
  const repository = openRepository(context, workspace.dir);
  const last = (await lastCommit(workspace)) ?? 'HEAD';
  if (repository === undefined || !(last === 'HEAD' || commitName.test(last)))
    return unlessTaken(withKnownMovesUndone(resources, workspace.state));
  const later: (readonly Desired[])[] = [];
  for (const one of await commitsSince(repository, commit, last)) {
    const loaded = await loadCommit(context, workspace, repository, one, 'ignore').catch(unlessInterrupted);
    if (loaded !== undefined && 'wanted' in loaded) later.push(loaded.wanted.desired.resources);
  }
  const undone = unlessTaken(withMovesUndone(resources, later, kinds));
  return unlessTaken(withKnownMovesUndone(undone, workspace.state));
}

function unlessTaken({ resources, taken }: UndoneMoves): readonly Desired[] {
  for (const [address, latest] of taken) throw addressTaken(address, latest);
  return resources;
}

function addressTaken(address: Address, latest: Address): Refused {
  return new Refused(
    'ADDRESS_TAKEN',
    `${safeText(address)} of that commit was renamed to ${safeText(latest)} since then, and one of these addresses belongs to another resource, in that commit or now`,
    {
      hint: 'change the manifests instead, and rename the resources with `lifecycle.moved_from` so that they keep their ids',
    },
  );
}

/** The commits after one up to another, oldest first, if the change of any of them is about `moved_from`; none if they are too many. */
async function commitsSince({ git }: OpenRepository, first: string, last: string): Promise<readonly string[]> {
  const read = async (...args: string[]): Promise<string[]> =>
    String((await git(args, mostBytes).catch(unlessInterrupted)) ?? '')
      .split('\n')
      .filter((line) => line !== '');
  const about = await read('log', '--max-count=1', '--format=%H', '-Gmoved_from', `${first}..${last}`);
  if (about.length === 0) return [];
  const all = await read('log', '--topo-order', '--reverse', '--format=%H', `${first}..${last}`);
  return all.length > mostCommits ? [] : all;
}

function unlessInterrupted(error: unknown): undefined {
  if (error instanceof SluiceError && error.code === 'INTERRUPTED') throw error;
}
