import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemReason } from '../../diagnostics/system-reason.ts';
import { isInside } from '../../files/real-path.ts';
import { limits } from '../../manifest/read/limits.ts';
import { isManifestName } from '../../manifest/read/read-manifests.ts';
import { UsageError } from '../usage-error.ts';
import type { ReadGit } from './read-git.ts';
import { type TreeEntry, blobContents } from './tree-entries.ts';

/**
 * Writes files of a commit into an empty directory: what git stores, and no filter. Submodules, pointers of Git LFS, large files and
 * links that lead out of the directory are left out; the result says why, by the path from the root of the repository.
 */
export async function extractCommit(
  git: ReadGit,
  entries: readonly TreeEntry[],
  into: string,
): Promise<ReadonlyMap<string, string>> {
  const unreadable = new Map<string, string>();
  const wanted = entries.filter(({ path, is, bytes, hasForeignName }) => {
    // Any other file may be called what it is called: nothing in a manifest can name it.
    if (hasForeignName === true && is === 'file' && !isManifestName(path)) return false;
    if (hasForeignName === true) unreadable.set(path, 'the file name is not UTF-8');
    else if (is === 'submodule') unreadable.set(path, 'the path is a submodule');
    else if (bytes > limits.fileBytes)
      unreadable.set(path, `the file is larger than ${String(limits.fileBytes)} bytes`);
    return !unreadable.has(path);
  });
  const total = wanted.reduce((sum, { bytes }) => sum + bytes, 0);
  if (wanted.length > limits.files || total > limits.totalBytes)
    throw new UsageError(
      `the directory of the stack has ${String(wanted.length)} files with ${String(total)} bytes in total in that commit; the limits are ${String(limits.files)} files and ${String(limits.totalBytes)} bytes`,
      'move the stack into a separate directory',
    );
  const contents = await blobContents(git, wanted);
  const write = ({ path, object }: TreeEntry, how: (at: string, content: Buffer) => void): void => {
    const at = join(into, path);
    try {
      mkdirSync(dirname(at), { recursive: true, mode: 0o700 });
      how(at, contents.get(object) ?? Buffer.alloc(0));
    } catch (error) {
      unreadable.set(path, notWritten(error));
    }
  };
  for (const entry of wanted.filter(({ is }) => is === 'file'))
    write(entry, (at, content) => {
      if (isLfsPointer(content)) unreadable.set(entry.path, 'the file is a pointer of Git LFS');
      else writeFileSync(at, content, { flag: 'wx', mode: 0o600 });
    });
  // After all files, and the deepest first, so that nothing is written through a link: a tree that was made by hand, or names that
  // differ only in case, may have one below another.
  const links = wanted.filter(({ is }) => is === 'link').toSorted((a, b) => depthOf(b) - depthOf(a));
  for (const entry of links)
    write(entry, (at, target) => {
      symlinkSync(target, at);
    });
  const astray = links.filter(({ path }) => !leadsInside(join(into, path), into));
  for (const { path } of astray) {
    rmSync(join(into, path), { force: true });
    unreadable.set(path, 'the link leads to a missing path, or to a path outside the stack');
  }
  return unreadable;
}

function depthOf({ path }: TreeEntry): number {
  return path.split('/').length;
}

/** Whether git stores a pointer of Git LFS in place of a file. */
export function isLfsPointer(content: Buffer): boolean {
  return content.subarray(0, 64).toString('latin1').startsWith('version https://git-lfs.github.com/spec/');
}

/** Where names that differ only in case are one name, the second file has that of the first. */
function notWritten(error: unknown): string {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
    ? 'the file name differs from that of another file only in case'
    : `the file cannot be written to the temporary directory: ${systemReason(error)}`;
}

function leadsInside(path: string, root: string): boolean {
  try {
    return isInside(realpathSync(path), root);
  } catch {
    return false;
  }
}
