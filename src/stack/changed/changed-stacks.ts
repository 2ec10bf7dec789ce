import { posix } from 'node:path';
import { inNaturalOrder } from '../../model/natural-order.ts';
import { stackFileName } from '../../manifest/stack-file/stack-file.ts';
import { commitTree } from '../git/commit-tree.ts';
import type { ReadGit } from '../git/read-git.ts';
import { stackInputs, type StackInputs } from './stack-inputs.ts';
import { isBelow, type TreeEntry } from '../git/tree-entries.ts';

/** A stack that differs between two commits. */
export interface ChangedStack {
  /** Its directory, from the root of the repository. */
  readonly dir: string;
  readonly change: 'changed' | 'new' | 'deleted';
  /** Where its own files are the same: the changed stacks whose outputs it takes, also through others. */
  readonly upstream?: readonly string[];
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

type InputsByStack = ReadonlyMap<string, StackInputs>;

/** The stacks whose plan is made from other files, or other contents of them, in one commit than in the other, and those that take their outputs. */
export async function changedStacks({ git, root, from, to, below }: CommitRange): Promise<readonly ChangedStack[]> {
  const [before, after] = [await inputsAt(from), await inputsAt(to)];
  const own = new Map(
    [...new Set([...before.keys(), ...after.keys()])].flatMap((dir): [string, ChangedStack][] => {
      const change = changeOf(before.get(dir), after.get(dir));
      return change === undefined ? [] : [[dir, { dir, change }]];
    }),
  );
  const dependent = [...after.keys()].flatMap((dir): ChangedStack[] => {
    const upstream = own.has(dir) ? [] : upstreamOf(dir, after).filter((one) => own.has(one));
    return upstream.length === 0 ? [] : [{ dir, change: 'changed', upstream: upstream.sort(inNaturalOrder) }];
  });
  return [...own.values(), ...dependent]
    .filter(({ dir }) => isBelow(dir, below))
    .sort((a, b) => inNaturalOrder(a.dir, b.dir));

  /** Of the stacks that count, and of those whose outputs they take, wherever these are. */
  async function inputsAt(commit: string): Promise<InputsByStack> {
    const tree = await commitTree(git, commit);
    const found = new Map<string, StackInputs>();
    let next = stackDirectories(tree.entries, below);
    while (next.length > 0) {
      for (const [dir, inputs] of await stackInputs(git, tree, next, root)) found.set(dir, inputs);
      const upstream = next.flatMap((dir) => found.get(dir)?.upstream ?? []);
      next = [...new Set(upstream)].filter(
        (dir) => !found.has(dir) && tree.at(posix.join(dir, stackFileName)) !== undefined,
      );
    }
    return found;
  }
}

function changeOf(was: StackInputs | undefined, is: StackInputs | undefined): ChangedStack['change'] | undefined {
  if (was === undefined) return 'new';
  if (is === undefined) return 'deleted';
  const isSame =
    was.files.size === is.files.size && [...was.files].every(([path, object]) => is.files.get(path) === object);
  return isSame ? undefined : 'changed';
}

/** Every stack whose outputs a stack takes, itself or through others. */
function upstreamOf(dir: string, inputs: InputsByStack): readonly string[] {
  const found = new Set<string>();
  const waiting = [dir];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop())
    for (const next of inputs.get(at)?.upstream ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      waiting.push(next);
    }
  return [...found];
}

/** The directories of a commit, at or below one, that are stacks; none is searched for in hidden directories. */
function stackDirectories(entries: readonly TreeEntry[], below: string): readonly string[] {
  return entries
    .filter(({ path, is }) => is !== 'submodule' && posix.basename(path) === stackFileName && isBelow(path, below))
    .map(({ path }) => (path === stackFileName ? '' : posix.dirname(path)))
    .filter((dir) => !/(^|\/)\./.test(posix.relative(below, dir)));
}
