import { isUtf8 } from 'node:buffer';
import { relative, sep } from 'node:path';
import { UsageError } from '../usage-error.ts';
import type { ReadGit } from './read-git.ts';

/** What a commit has at a path. */
export interface TreeEntry {
  /** From the root of the repository. */
  readonly path: string;
  readonly is: 'file' | 'link' | 'submodule';
  readonly object: string;
  readonly bytes: number;
  /** The name is not UTF-8, and `path` only similar to it. */
  readonly hasForeignName?: true;
}

const listingBytes = 64_000_000;
const modes = new Map<string, TreeEntry['is']>([
  ['100644', 'file'],
  ['100664', 'file'],
  ['100755', 'file'],
  ['120000', 'link'],
  ['160000', 'submodule'],
]);

/** Everything that a commit has at some paths and below them; of the whole repository for the empty path. */
export async function treeEntries(
  git: ReadGit,
  commit: string,
  paths: readonly string[],
): Promise<readonly TreeEntry[]> {
  const inside = paths.includes('') ? [] : ['--', ...paths];
  const listing = await git(['ls-tree', '-r', '-l', '-z', '--full-tree', commit, ...inside], listingBytes);
  const hasForeign = !isUtf8(listing);
  return listing
    .toString('utf8')
    .split('\0')
    .filter((line) => line !== '')
    .map((line): TreeEntry => {
      const [, mode = '', object = '', size = '', name = ''] = /^(\d+) \w+ (\w+) +(-|\d+)\t(.*)$/s.exec(line) ?? [];
      const is = modes.get(mode);
      if (is === undefined || !name.split('/').every(isPlainName))
        throw new UsageError(`the commit ${commit} contains a path that cannot be read: ${JSON.stringify(name)}`);
      const entry = { path: name, is, object, bytes: Number(size === '-' ? 0 : size) };
      return hasForeign && name.includes('\uFFFD') ? { ...entry, hasForeignName: true } : entry;
    });
}

/** A tree that was made by hand may have names that lead elsewhere. */
function isPlainName(name: string): boolean {
  return !['', '.', '..'].includes(name) && !/^\.git$/i.test(name) && !(sep === '\\' && /[\\:]/.test(name));
}

/** A path as git names it: from a directory, with forward slashes. */
export function pathFrom(directory: string, path: string): string {
  return relative(directory, path).split(sep).join('/');
}

/** The directories that a path lies in, the outermost first. */
export function ancestors(path: string): readonly string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
}

/** Whether a path of a repository is a directory, or lies below it. */
export function isBelow(path: string, directory: string): boolean {
  return directory === '' || path === directory || path.startsWith(`${directory}/`);
}

/** What git stores for files and links of a commit, by object; each is read once. */
export async function blobContents(git: ReadGit, entries: readonly TreeEntry[]): Promise<ReadonlyMap<string, Buffer>> {
  const sizes = new Map(entries.map(({ object, bytes }) => [object, bytes]));
  if (sizes.size === 0) return new Map();
  const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  const found = new Map<string, Buffer>();
  const all = await git(['cat-file', '--batch'], total + 128 * (sizes.size + 1), `${[...sizes.keys()].join('\n')}\n`);
  for (let at = 0; at < all.length;) {
    const end = all.indexOf('\n', at);
    const [, object, size] = /^(\w+) blob (\d+)$/.exec(all.toString('latin1', at, end)) ?? [];
    if (object === undefined || size === undefined)
      throw new UsageError(
        'the repository does not have all files of a commit',
        'fetch the branch without `--filter`; with actions/checkout: `fetch-depth: 0`',
      );
    const start = end + 1;
    found.set(object, all.subarray(start, start + Number(size)));
    at = start + Number(size) + 1;
  }
  return found;
}
