import { inNaturalOrder } from '../../model/natural-order.ts';
import { commitTree } from '../git/commit-tree.ts';
import type { ReadGit } from '../git/read-git.ts';
import { stackDirectories } from './stack-directories.ts';
import { stackInputs, type StackInputs } from './stack-inputs.ts';

/** A stack that differs between two commits. */
export interface ChangedStack {
  /** Its directory, from the root of the repository. */
  readonly dir: string;
  readonly change: 'changed' | 'new' | 'deleted';
}

/** Which commits of which repository to compare, and the directory at or below which stacks count. */
export interface CommitRange {
  readonly git: ReadGit;
  /** Where the repository is checked out. */
  readonly root: string;
  readonly from: string;
  readonly to: string;
  readonly below: string;
}

/** The stacks whose plan is made from other files, or other contents of them, in one commit than in the other. */
export async function changedStacks({ git, root, from, to, below }: CommitRange): Promise<readonly ChangedStack[]> {
  const [before, after] = [await inputsAt(from), await inputsAt(to)];
  return [...new Set([...before.keys(), ...after.keys()])].sort(inNaturalOrder).flatMap((dir): ChangedStack[] => {
    const [was, is] = [before.get(dir), after.get(dir)];
    if (was === undefined) return [{ dir, change: 'new' }];
    if (is === undefined) return [{ dir, change: 'deleted' }];
    return isSame(was, is) ? [] : [{ dir, change: 'changed' }];
  });

  async function inputsAt(commit: string): Promise<ReadonlyMap<string, StackInputs>> {
    const tree = await commitTree(git, commit);
    return stackInputs(git, tree, stackDirectories(tree.entries, below), root);
  }
}

function isSame(a: StackInputs, b: StackInputs): boolean {
  return a.size === b.size && [...a].every(([path, object]) => b.get(path) === object);
}
