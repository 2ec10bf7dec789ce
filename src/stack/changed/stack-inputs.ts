/*
 * What a plan of each stack of a commit is made from: files by their paths, with the objects that git stores for them. They are
 * found by loading the manifests from a copy of the commit. The copy has only what is parsed: the stack files, and manifests below
 * the directories that they name. Of every other file only the path is needed, since git has the digest of its content.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { loadManifests } from '../../manifest/load.ts';
import { limits } from '../../manifest/read/limits.ts';
import { isInside } from '../../files/real-path.ts';
import { findManifests, isManifestName } from '../../manifest/read/read-manifests.ts';
import type { FindStack } from '../../manifest/expand/find-outputs.ts';
import { stackFileName, type StackFile } from '../../manifest/stack-file/stack-file.ts';
import type { CommitTree } from '../git/commit-tree.ts';
import type { ReadGit } from '../git/read-git.ts';
import { ancestors, blobContents, isBelow, pathFrom, type TreeEntry } from '../git/tree-entries.ts';
import { staticOptions, validStackFile } from '../settings/manifest-options.ts';
import { UsageError } from '../usage-error.ts';

/** What a plan is made from. */
export interface StackInputs {
  /** The files that it reads, with their objects; `missing` for one that is not there. */
  readonly files: ReadonlyMap<string, string>;
  /** The directories of the stacks whose outputs it takes. */
  readonly upstream: readonly string[];
}

/** The inputs of the stacks of a commit, by their directories. `root` is where the repository is checked out. */
export async function stackInputs(
  git: ReadGit,
  tree: CommitTree,
  dirs: readonly string[],
  root: string,
): Promise<ReadonlyMap<string, StackInputs>> {
  const into = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-changed-')));
  try {
    await writeFiles(
      git,
      into,
      dirs.flatMap((dir) => {
        const path = posix.join(dir, stackFileName);
        const entry = tree.at(path);
        return entry === undefined ? [] : [{ ...entry, path }];
      }),
    );
    const files = new Map(dirs.map((dir) => [dir, validStackFile(join(into, dir))]));
    const searched = new Set(
      [...files].flatMap(([dir, file]) =>
        file === undefined ? [] : [...directoriesOf(tree, inputsOf(file, dir, root))],
      ),
    );
    await writeFiles(
      git,
      into,
      tree.entries.filter(({ path, is }) => is === 'file' && isManifestIn(path, searched)),
    );
    for (const { path, is } of tree.entries) if (is === 'link') writeLink(tree, into, path);
    const found = new Map<string, StackInputs>();
    for (const [dir, file] of files) found.set(dir, await inputsOfStack({ tree, into, root, dir, file }));
    return found;
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
}

interface StackCopy {
  readonly tree: CommitTree;
  readonly into: string;
  readonly root: string;
  readonly dir: string;
  /** Undefined where it is invalid: then no manifest is read. */
  readonly file: StackFile | undefined;
}

async function inputsOfStack({ tree, into, root, dir, file }: StackCopy): Promise<StackInputs> {
  const inputs = new Map<string, string>();
  const upstream = new Set<string>();
  const note = (path: string): void => void inputs.set(path, tree.at(path)?.object ?? 'missing');
  const noteCopied = (path: string): void => {
    if (isInside(path, into)) note(pathFrom(into, path));
  };
  note(posix.join(dir, stackFileName));
  const own = join(into, dir);
  const options = file === undefined ? undefined : staticOptions(file, own, findStack);
  if (file === undefined || options === undefined) return { files: inputs, upstream: [] };
  const { settings } = file;
  const named = inputsOf(file, dir, root);
  for (const path of settings.secrets.env_files) noteCopied(copied(path));
  for (const path of named)
    for (const entry of tree.entries)
      if (entry.is === 'submodule' && isBelow(entry.path, tree.real(path) ?? path)) note(entry.path);
  const roots = [dir, ...settings.secrets.dirs.map((path) => pathFrom(into, copied(path)))].map(
    (path) => tree.real(path) ?? path,
  );
  const manifests = named.map((path) => join(into, path));
  for (const found of findManifests(own, manifests)) if ('path' in found) noteCopied(found.path);
  await loadManifests({
    ...options,
    inputs: manifests,
    onFile: (path) => {
      const real = isInside(path, into) ? tree.real(pathFrom(into, path)) : undefined;
      // A file of no directory of the stack is refused, whatever it contains.
      if (real === undefined || roots.some((directory) => isBelow(real, directory))) noteCopied(path);
    },
  });
  return { files: inputs, upstream: [...upstream] };

  function findStack(path: string): ReturnType<FindStack> {
    upstream.add(posix.join(dir, path));
    return { owner: '' };
  }

  function copied(path: string): string {
    return join(into, relative(root, resolve(root, dir, path)));
  }
}

/** Where a stack has its manifests, from the root of the repository; what lies outside of it is no part of a commit. */
function inputsOf({ settings }: StackFile, dir: string, root: string): readonly string[] {
  return settings.manifests
    .map((input) => resolve(root, dir, input))
    .filter((path) => isInside(path, root))
    .map((path) => pathFrom(root, path));
}

/** Every path at or below which manifests are read: of the inputs, and of links in them. */
function directoriesOf(tree: CommitTree, inputs: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [...inputs];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const real = tree.real(path);
    if (real === undefined || found.has(real)) continue;
    found.add(real);
    for (const entry of tree.entries) if (entry.is === 'link' && isBelow(entry.path, real)) waiting.push(entry.path);
  }
  return found;
}

function isManifestIn(path: string, searched: ReadonlySet<string>): boolean {
  if (searched.has(path)) return true;
  if (!isManifestName(path)) return false;
  return searched.has('') || ancestors(path).some((above) => searched.has(above));
}

/** Writes files into the copy; of one that is too large to be read, an empty one. */
async function writeFiles(git: ReadGit, into: string, entries: readonly TreeEntry[]): Promise<void> {
  const small = entries.filter(({ bytes }) => bytes <= limits.fileBytes);
  const total = small.reduce((sum, { bytes }) => sum + bytes, 0);
  if (entries.length > limits.files || total > limits.totalBytes)
    throw new UsageError(
      `the stacks have ${String(entries.length)} manifests with ${String(total)} bytes in total; the limits are ${String(limits.files)} files and ${String(limits.totalBytes)} bytes`,
      'select fewer stacks with -C DIR',
    );
  const contents = await blobContents(git, small);
  for (const { path, object } of entries)
    writeAt(into, path, (at) => {
      writeFileSync(at, contents.get(object) ?? '', { flag: 'wx', mode: 0o600 });
    });
}

/** A link that leads out of the repository is left out, and so nothing outside of the copy is read. */
function writeLink(tree: CommitTree, into: string, path: string): void {
  const real = tree.real(path);
  if (real !== undefined)
    writeAt(into, path, (at) => {
      symlinkSync(relative(dirname(at), join(into, real)) || '.', at);
    });
}

function writeAt(into: string, path: string, write: (at: string) => void): void {
  const at = join(into, path);
  try {
    mkdirSync(dirname(at), { recursive: true, mode: 0o700 });
    write(at);
  } catch {
    // A tree that was made by hand may have a file in the place of a directory; git cannot check it out either.
  }
}
