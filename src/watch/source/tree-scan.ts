import { hash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SourceError } from '../../diagnostics/errors.ts';
import { yieldToLoop } from '../../manifest/read/yield-to-loop.ts';
import { findManifests, shownName } from '../../manifest/read/read-manifests.ts';
import { unreadable } from '../../files/safe-file.ts';
import { stackFileName } from '../../manifest/stack-file/stack-file.ts';
import { stampOf, statsOf } from '../../state/file/file-identity.ts';
import type { FileDigest, FileDigests } from './file-digests.ts';
import { checkedOut, type GitHead } from '../../stack/git/git-head.ts';
import { watchedDirectories } from './watched-directories.ts';

/** The files to scan. */
export interface TreeScanOptions {
  /** The stack's directory as it was named, links and all. */
  readonly dir: string;
  /** The files and directories of manifests in `sluice.yaml`. */
  readonly inputs: (dir: string, stackFile: FileDigest) => readonly string[];
  /** Absolute paths of what was read beside the manifests. */
  readonly further: ReadonlySet<string>;
  readonly digests: FileDigests;
}

/** A scan of everything that a reading uses. Two scans with the same stamps show that nothing changed between them. */
export interface TreeScan {
  /** Without links. */
  readonly dir: string;
  /** Why there is nothing to be read. */
  readonly missing?: SourceError;
  /** Of `sluice.yaml` and the manifests: their names in the stack and their bytes. */
  readonly content: string;
  /** Of every byte, the further files' among them: never shown, since secrets are in it. */
  readonly everything: string;
  /** `sluice.yaml` and the manifests, by path. */
  readonly files: ReadonlyMap<string, FileDigest>;
  /** What else was read, by path. */
  readonly further: ReadonlyMap<string, FileDigest>;
  /** By path, how each directory of manifests would show that something came or went. */
  readonly directories: ReadonlyMap<string, string>;
  /** Beside the directories of manifests, the names in others on which it depends which files are meant. */
  readonly places: ReadonlyMap<string, ReadonlySet<string>>;
  readonly head: GitHead | undefined;
}

/** Scans all files once, and yields to the event loop meanwhile. */
export async function scanTree({ dir: named, inputs, further, digests }: TreeScanOptions): Promise<TreeScan> {
  const yieldNow = yieldToLoop();
  const places = new Map<string, Set<string>>();
  const files = new Map<string, FileDigest>();
  const beside = new Map<string, FileDigest>();
  const directories = new Map<string, string>();
  const shown: string[] = [];
  const hidden: string[] = [];
  addPlaces(named);
  const dir = realpathOr(named);
  const missing = dir instanceof SourceError ? dir : withoutStackFile(dir);
  if (dir instanceof SourceError) return seen(named, undefined);
  const stackFile = join(dir, stackFileName);
  addPlaces(stackFile);
  const wanted = inputsIn(dir, addFile(stackFileName, stackFile));
  for (const input of wanted) addPlaces(resolve(dir, input));
  for (const found of findManifests(dir, wanted)) {
    if ('directory' in found) directories.set(found.directory, stampOf(statsOf(found.directory)));
    else if ('problem' in found) shown.push(`${found.problem.place?.file ?? ''}\n${found.problem.code}`);
    else if ('real' in found) {
      addFile(shownName(dir, found.path), found.real);
      if (found.path !== found.real) addPlaces(found.path);
    }
    await yieldNow();
  }
  for (const path of [...further].sort()) {
    const found = digests.of(path);
    beside.set(path, found);
    hidden.push(`${path}\n${found.digest}`);
    addPlaces(path);
    await yieldNow();
  }
  digests.endRound();
  return seen(dir, checkedOut(dir));

  function seen(dir: string, head: GitHead | undefined): TreeScan {
    const content = hash('sha256', shown.join('\n'));
    const everything = hash('sha256', [missing?.code ?? '', content, ...hidden].join('\n'));
    const tree = { dir, content, everything, files, further: beside, directories, places, head };
    return missing === undefined ? tree : { ...tree, missing };
  }

  function addFile(name: string, path: string): FileDigest {
    const found = digests.of(path);
    files.set(path, found);
    shown.push(`${name}\n${found.digest}`);
    return found;
  }

  function addPlaces(path: string): void {
    for (const { directory, name } of watchedDirectories(path))
      places.set(directory, (places.get(directory) ?? new Set()).add(name));
  }

  // sluice.yaml may have errors; they are reported when it is read.
  function inputsIn(dir: string, stackFile: FileDigest): readonly string[] {
    try {
      return missing === undefined ? inputs(dir, stackFile) : [];
    } catch {
      return [];
    }
  }
}

/** What changed between two scans, if anything: a path, or the commit. `whole`: also directories in which a file was added or removed, and the commit. */
export function findMovedPath(before: TreeScan, after: TreeScan, extent: 'whole' | 'files'): string | undefined {
  if (before.dir !== after.dir) return after.dir;
  return (
    difference(before.files, after.files) ??
    (extent === 'files' ? undefined : difference(before.directories, after.directories)) ??
    // A file that was read for the first time in between was not scanned before.
    [...after.further.keys()].find(
      (path) => before.further.has(path) && isOther(before.further, after.further, path),
    ) ??
    (before.content === after.content && before.missing?.code === after.missing?.code ? undefined : after.dir) ??
    (extent === 'files' || isSameHead(before.head, after.head)
      ? undefined
      : `the commit that is checked out in ${after.dir}`)
  );
}

/** Whether the same commit is checked out, on the same branch. */
export function isSameHead(one: GitHead | undefined, other: GitHead | undefined): boolean {
  return one?.commit === other?.commit && one?.branch === other?.branch;
}

type Stamps = ReadonlyMap<string, FileDigest | string>;

function difference(before: Stamps, after: Stamps): string | undefined {
  for (const path of after.keys()) if (isOther(before, after, path)) return path;
  if (before.size === after.size) return undefined;
  return [...before.keys()].find((path) => !after.has(path));
}

function isOther(before: Stamps, after: Stamps, path: string): boolean {
  const [one, other] = [before.get(path), after.get(path)];
  if (typeof one !== 'object' || typeof other !== 'object') return one !== other;
  return one.stamp !== other.stamp || one.digest !== other.digest;
}

function realpathOr(named: string): string | SourceError {
  try {
    const dir = realpathSync(named);
    return statSync(dir).isDirectory() ? dir : new SourceError('SOURCE_MISSING', `${named} is not a directory`);
  } catch (error) {
    return sourceError(`the directory ${named}`, error);
  }
}

function withoutStackFile(dir: string): SourceError | undefined {
  const path = join(dir, stackFileName);
  try {
    statSync(path);
    return undefined;
  } catch (error) {
    return sourceError(`the file ${path}`, error);
  }
}

function sourceError(what: string, cause: unknown): SourceError {
  const { code, message } = unreadable(cause);
  const isMissing = code === 'FILE_NOT_FOUND';
  return new SourceError(isMissing ? 'SOURCE_MISSING' : 'SOURCE_UNREADABLE', `${what} ${message}`, { cause });
}
