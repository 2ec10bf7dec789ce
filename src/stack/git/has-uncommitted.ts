/*
 * Whether files that were read are those of a commit. Git is asked only which objects the commit has: their names are digests
 * of contents, and those of the files are computed here. `git status` would run the filters that a repository configures, and
 * read files that are no business of the stack.
 */
import { hash } from 'node:crypto';
import { relative, sep } from 'node:path';
import { readSafely } from '../../files/safe-file.ts';
import { isManifestName } from '../../manifest/read/read-manifests.ts';
import { isLfsPointer } from './extract-commit.ts';
import { withoutLinks } from '../../files/real-path.ts';
import type { OpenRepository } from './find-repository.ts';
import { type TreeEntry, ancestors, blobContents, treeEntries } from './tree-entries.ts';

/** The files that one load of a stack has read. */
export interface FilesRead {
  /** `sluice.yaml` and the manifests by their paths, with their texts; undefined as a path: standard input. */
  readonly own: readonly { readonly path: string | undefined; readonly text: string }[];
  /** Files that values are taken from. Those that git does not have, such as secrets, do not count. */
  readonly beside: Iterable<string>;
  /** Where manifests were searched: one that only the commit has was deleted. */
  readonly searched: readonly string[];
}

/** Whether these files differ from those of a commit; undefined where git stores something else than what is checked out. */
export async function hasUncommitted(
  { git, root }: OpenRepository,
  commit: string,
  { own, beside, searched }: FilesRead,
): Promise<boolean | undefined> {
  const read = new Map(own.map(({ path = '-', text }) => [pathIn(root, path), text]));
  const further = [...beside].map((path) => [pathIn(root, path), textAt(path)] as const);
  const inputs = searched.map((path) => pathIn(root, path));
  if ([...read.keys()].includes(undefined)) return true;
  const named = [...read.keys(), ...further.map(([path]) => path), ...inputs].filter((path) => path !== undefined);
  const entries = await treeEntries(git, commit, outermost(named));
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const isDeleted = ({ path, is }: TreeEntry): boolean => is === 'file' && !read.has(path) && isSearched(path, inputs);
  if ([...read.keys()].some((path = '') => !byPath.has(path)) || entries.some(isDeleted)) return true;
  const others = [...read, ...further].flatMap(([path = '', text]) => {
    const entry = byPath.get(path);
    return entry === undefined || objectOf(text, entry.object) === entry.object ? [] : [{ entry, text }];
  });
  const stored = await blobContents(
    git,
    others.map(({ entry }) => entry),
  );
  const differences = others.map(({ entry, text }) => differs(text, stored.get(entry.object)));
  return differences.includes(true) || (differences.includes(undefined) ? undefined : false);
}

/** Whether a text differs from what git stores for it, other than in its line ends. */
function differs(text: string, stored: Buffer | undefined): boolean | undefined {
  if (stored === undefined) return undefined;
  if (withoutCarriageReturns(text) === withoutCarriageReturns(stored.toString('utf8'))) return false;
  // What a filter makes of it only the filter knows.
  return isLfsPointer(stored) || stored.subarray(0, 10).toString('latin1') === '\0GITCRYPT\0' ? undefined : true;
}

function withoutCarriageReturns(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** The name that git gives to a file of this text, in a repository with names like another one. */
function objectOf(text: string, like: string): string {
  const bytes = Buffer.from(text);
  const header = Buffer.from(`blob ${String(bytes.length)}\0`);
  return hash(like.length === 64 ? 'sha256' : 'sha1', Buffer.concat([header, bytes]));
}

/** Whether manifests are searched at a path, as `findManifests` does. */
function isSearched(path: string, inputs: readonly (string | undefined)[]): boolean {
  return inputs.some((input) => {
    if (input === undefined || path === input) return path === input;
    const below = input === '' ? path : path.startsWith(`${input}/`) ? path.slice(input.length + 1) : undefined;
    return below !== undefined && isManifestName(path) && !below.split('/').some((name) => name.startsWith('.'));
  });
}

/** Paths without those that lie below another one. */
function outermost(paths: readonly string[]): readonly string[] {
  const all = new Set(paths);
  return [...all].filter((path) => !ancestors(path).some((above) => all.has(above)));
}

/** A path from the root of the repository; undefined outside of it, and for what has no path. */
function pathIn(root: string, path: string): string | undefined {
  const from = relative(root, withoutLinks(path));
  return from.split(sep)[0] === '..' || from.startsWith(sep) ? undefined : from.split(sep).join('/');
}

function textAt(path: string): string {
  const read = readSafely(path);
  return 'text' in read ? read.text : '';
}
