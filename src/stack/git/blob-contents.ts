import { UsageError } from '../usage-error.ts';
import type { ReadGit } from './read-git.ts';
import type { TreeEntry } from './tree-entries.ts';

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
