import { SourceError } from '../../diagnostics/errors.ts';
import { present } from '../../model/present.ts';
import type { Revision } from '../../model/status/watch-status.ts';
import { fileDigests, type FileDigest } from './file-digests.ts';
import { keptInputs } from './kept-inputs.ts';
import { gitSubject } from './git-subject.ts';
import { scanTree, findMovedPath, isSameHead, type TreeScan } from './tree-scan.ts';
import { createChangeDetector, type ChangeDetectorOptions, type ScanTrigger } from './change-detector.ts';

/** A reading of a tree that did not change meanwhile. */
export interface SourceReading<T> {
  readonly value: T;
  readonly revision: Revision;
  /** false: every byte is the same as for the last reading. */
  readonly isNew: boolean;
}

/** What reading makes of the stack, and every further file it has read: `from_file` targets, env files, the key's file; absolute paths, also of those that were not there. */
export interface SourceReader<T> {
  readonly value: T;
  readonly files: readonly string[];
}

/** Reads the stack from its directory. `isUnchanged`: no file, directory or commit has changed since the last reading, which came to something. */
export type ReadSource<T> = (dir: string, isUnchanged: boolean) => Promise<SourceReader<T>>;

/** The manifests of a watched stack, which others write to at any time. */
export interface WatchSource {
  /**
   * Reads once the tree is stable, and again until nothing changed while it was read. `work` gets the stack's directory
   * without links, so that one reading is of one git-sync worktree; it must not throw for errors in manifests, since it could
   * not report then which files it read. Throws a SourceError when there is nothing to read or the tree keeps changing.
   */
  readonly read: <T>(work: ReadSource<T>, signal: AbortSignal) => Promise<SourceReading<T>>;
  /** Resolves once content or commit differ from those of the last reading, failed ones included; rejects only when aborted. */
  readonly changed: (signal: AbortSignal) => Promise<void>;
  /** The same for the content alone: a commit of other files says nothing about what was read. */
  readonly contentChanged: (signal: AbortSignal) => Promise<void>;
  readonly close: () => void;
}

/** What to watch, and how. */
export interface WatchSourceOptions extends ChangeDetectorOptions {
  /** The directory as the user named it, links and all. */
  readonly dir: string;
  /** Reads the files and directories of manifests in `sluice.yaml`, relative to `dir`: again after that file changes. Each scan asks which of them may be read. */
  readonly inputs: (dir: string) => () => readonly string[];
  /** How long all files must be unchanged before they are read. */
  readonly debounceMs: number;
  /** Where `git` is found, for the subject of a commit. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

// How often a tree may change before and while it is read, before that is an error.
const maxChanges = { before: 60, reading: 10 };

// A file that was read before its first scan counts as unchanged if it was not written to for this long.
const oldMs = 10_000;

/** Watches a stack's directory. Events only trigger scans; a scan of all files decides what has changed. */
export function watchSource(options: WatchSourceOptions): WatchSource {
  const { clock, debounceMs } = options;
  const digests = fileDigests();
  const inputs = keptInputs(options.inputs);
  const detector = createChangeDetector(options);
  /** What was read beside the manifests. */
  let further: ReadonlySet<string> = new Set();
  /** As the last reading left it, whether it came to something or not. */
  let last: Pick<TreeScan, 'everything' | 'head'> | undefined;
  /** Of the last reading that came to something. */
  let lastRead: string | undefined;
  /** Its tree, if the next scan can show whether anything is different; undefined if a later reading has failed. */
  let readTree: TreeScan | undefined;
  /** The latest scan, and since when it is unchanged. */
  let latest: { readonly tree: TreeScan; readonly since: number } | undefined;
  let subject: { readonly commit: string; readonly text: string | undefined } | undefined;

  return {
    read,
    changed: (signal) => differs(signal, 'whole'),
    contentChanged: (signal) => differs(signal, 'content'),
    close: detector.close,
  };

  async function read<T>(work: ReadSource<T>, signal: AbortSignal): Promise<SourceReading<T>> {
    for (let attempt = 1; ; attempt++) {
      const before = await stableTree(signal);
      const startedAt = Date.now();
      if (before.missing !== undefined) throw before.missing;
      const isUnchanged = readTree !== undefined && findMovedPath(readTree, before, 'whole') === undefined;
      readTree = undefined;
      const result = await outcomeOf(work(before.dir, isUnchanged));
      signal.throwIfAborted();
      if ('read' in result) further = new Set(result.read.files);
      const after = await scan();
      const moved = findMovedPath(before, after, 'whole') ?? unscannedFile(before, after, startedAt);
      if (moved === undefined) {
        remember(after);
        if ('error' in result) throw result.error;
        const revision = await revisionOf(after, signal);
        const isNew = after.everything !== lastRead;
        lastRead = after.everything;
        // What was read before its first scan may be another text than was scanned, should the clock have been set meanwhile.
        readTree = firstScanned(before, after).length === 0 ? after : undefined;
        return { value: result.read.value, revision, isNew };
      }
      if (attempt === maxChanges.reading) throw unstable(after, moved, 'keeps changing while the stack is read');
    }
  }

  /** A scan of a tree that has been unchanged for long enough. */
  async function stableTree(signal: AbortSignal): Promise<TreeScan> {
    for (let moves = 0; ;) {
      const previous = latest?.tree;
      const tree = await scan();
      signal.throwIfAborted();
      const since = latest?.since ?? clock.now();
      const moved = previous === undefined ? undefined : findMovedPath(previous, tree, 'files');
      if (moved !== undefined && (moves += 1) > maxChanges.before)
        throw unstable(tree, moved, 'keeps changing, so the files are never stable for the time in watch.debounce');
      const left = since + debounceMs - clock.now();
      if (left <= 0) {
        if (tree.missing !== undefined) remember(tree);
        return tree;
      }
      await clock.sleep(left, signal);
    }
  }

  async function scan(): Promise<TreeScan> {
    const tree = await scanTree({ dir: options.dir, inputs, further, digests });
    const isSame = latest !== undefined && findMovedPath(latest.tree, tree, 'files') === undefined;
    latest = { tree, since: isSame ? (latest?.since ?? 0) : clock.now() };
    return tree;
  }

  async function differs(signal: AbortSignal, extent: 'whole' | 'content'): Promise<void> {
    for (let cause: ScanTrigger = 'start'; ; cause = await detector.wait(signal)) {
      const tree = await detector.runScan(scan);
      signal.throwIfAborted();
      if (last === undefined || tree.everything !== last.everything) {
        detector.changeFound(cause);
        return;
      }
      if (extent === 'whole' && !isSameHead(tree.head, last.head)) return;
      detector.watchTree(tree);
    }
  }

  function remember({ everything, head }: TreeScan): void {
    last = { everything, head };
  }

  function unstable(tree: TreeScan, path: string, how: string): SourceError {
    remember(tree);
    return new SourceError('SOURCE_CHANGING', `${path} ${how}`, {
      hint: 'sluice loads the files only once they no longer change; stop the process that keeps writing to them',
    });
  }

  async function revisionOf({ content, head }: TreeScan, signal: AbortSignal): Promise<Revision> {
    const id = { content: content.slice(0, 12) };
    if (head === undefined) return id;
    const { commit, branch } = head;
    if (subject?.commit !== commit) subject = { commit, text: await gitSubject(head, options.env ?? {}, signal) };
    signal.throwIfAborted();
    return present({ ...id, commit, branch, subject: subject.text });
  }
}

/** A file that was read before its first scan, and that may have been written to since. */
function unscannedFile(before: TreeScan, after: TreeScan, startedAt: number): string | undefined {
  return firstScanned(before, after).find(([, { changedAt }]) => changedAt > startedAt - oldMs)?.[0];
}

function firstScanned(before: TreeScan, after: TreeScan): readonly [string, FileDigest][] {
  return [...after.further].filter(([path]) => !before.further.has(path));
}

async function outcomeOf<T>(work: Promise<T>): Promise<{ readonly read: T } | { readonly error: unknown }> {
  try {
    return { read: await work };
  } catch (error) {
    return { error };
  }
}
