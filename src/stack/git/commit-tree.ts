import { posix } from 'node:path';
import type { ReadGit } from './read-git.ts';
import { ancestors, blobContents, treeEntries, type TreeEntry } from './tree-entries.ts';

/** The files of a commit, by their paths from the root of the repository. */
export interface CommitTree {
  readonly entries: readonly TreeEntry[];
  /** What is at a path once links are followed, as in a checkout; of a path in a submodule, the submodule. */
  readonly at: (path: string) => TreeEntry | undefined;
  /** A path without links; undefined where a link leads out of the repository, or in a circle. */
  readonly real: (path: string) => string | undefined;
}

const mostLinks = 40;
const longestTarget = 4096;

/** Lists the files of a commit, and reads where its links lead. */
export async function commitTree(git: ReadGit, commit: string): Promise<CommitTree> {
  const entries = await treeEntries(git, commit, ['']);
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const links = entries.filter(({ is, bytes }) => is === 'link' && bytes <= longestTarget);
  const contents = await blobContents(git, links);
  const targets = new Map(links.map(({ path, object }) => [path, contents.get(object)?.toString('utf8') ?? '']));
  return { entries, at, real };

  function at(path: string): TreeEntry | undefined {
    const found = real(path);
    if (found === undefined) return undefined;
    const above = ancestors(found).map((path) => byPath.get(path));
    return byPath.get(found) ?? above.find((one) => one?.is === 'submodule');
  }

  function real(path: string, followed = 0): string | undefined {
    const plain = posix.normalize(path);
    const link = [...ancestors(plain), plain].find((each) => targets.has(each));
    if (leavesRepository(plain)) return undefined;
    // The root is the empty path, as in a listing of git.
    const named = plain.replace(/\/$/, '').replace(/^\.$/, '');
    if (link === undefined) return byPath.get(plain)?.is === 'link' ? undefined : named;
    const target = targets.get(link) ?? '';
    if (posix.isAbsolute(target) || followed === mostLinks) return undefined;
    const led = posix.join(posix.dirname(link), target);
    return leavesRepository(led) ? undefined : real(posix.join(led, plain.slice(link.length)), followed + 1);
  }
}

function leavesRepository(path: string): boolean {
  return path === '..' || path.startsWith('../') || posix.isAbsolute(path);
}
