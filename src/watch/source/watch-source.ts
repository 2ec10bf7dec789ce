import type { Clock } from '../../api/clock.ts';
import { SourceError } from '../../diagnostics/errors.ts';
import type { Revision } from '../../model/watch-status.ts';
import { fileDigests } from './file-digests.ts';
import { gitSubject } from './git-subject.ts';
import type { FileEvents } from './file-events.ts';
import { scanTree, findMovedPath, type TreeScan } from './tree-scan.ts';
import { createChangeDetector, type ScanTrigger } from './change-detector.ts';

/** What was read of a tree that stood still meanwhile. */
export interface SourceReading<T> {
  readonly value: T;
  readonly revision: Revision;
  /** false: every byte is as it was for the reading before. */
  readonly isNew: boolean;
}

/** What reading makes of the stack, and every further file it has read: `from_file` targets, env files, the key's file; absolute paths, also of those that were not there. */
export interface SourceReader<T> {
  readonly value: T;
  readonly files: readonly string[];
}

/** The manifests of a watched stack, which others write to at any time. */
export interface WatchSource {
  /**
   * Reads when the tree has settled, and again until nothing changed while it was read. `work` gets the stack's directory
   * with every link resolved, so that one reading is of one git-sync worktree. Throws a SourceError when there is nothing to
   * read or the tree does not come to rest, and what `work` throws about a tree that stood still; manifests that are wrong
   * belong in the value, since a work that throws cannot tell which files it read.
   */
  readonly read: <T>(work: (dir: string) => Promise<SourceReader<T>>, signal: AbortSignal) => Promise<SourceReading<T>>;
  /** Resolves once content or commit differ from those of the last reading, failed ones included; rejects only when aborted. */
  readonly changed: (signal: AbortSignal) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What to watch, and how. */
export interface WatchSourceOptions {
  /** The directory as the user named it, links and all. */
  readonly dir: string;
  /** Files and directories of the manifests, relative to `dir`, as `sluice.yaml` says: asked anew for each look. */
  readonly inputs: (dir: string) => readonly string[];
  /** For so long everything must have stood still. */
  readonly debounceMs: number;
  /** So often everything is looked at, events or none. */
  readonly scanMs: number;
  /** No events at all. */
  readonly poll: boolean;
  readonly clock: Clock;
  readonly log: (level: 'info' | 'warn', text: string) => void;
  /** Where `git` is found, for the subject of a commit. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where hints come from; events of the file system when left out. */
  readonly hints?: (onHint: () => void) => FileEvents;
}

// How often a tree may move, while it settles and while it is read, before that is an error.
const patience = { settling: 60, reading: 10 };

// A file that was read before anybody had looked at it is known to have stood still when it was not written to for so long.
const oldMs = 10_000;

/** Watches a stack's directory. Events are hints only; what has changed is decided by looking at everything. */
export function watchSource(options: WatchSourceOptions): WatchSource {
  const { clock, debounceMs } = options;
  const digests = fileDigests();
  const attention = createChangeDetector(options);
  /** What was read beside the manifests. */
  let further: ReadonlySet<string> = new Set();
  /** As the last reading left it, whether it came to something or not. */
  let last: Pick<TreeScan, 'everything' | 'head'> | undefined;
  /** Of the last reading that came to something. */
  let lastRead: string | undefined;
  /** As last seen, and since when it has looked so. */
  let standing: { readonly tree: TreeScan; readonly since: number } | undefined;
  let subject: { readonly commit: string; readonly text: string | undefined } | undefined;

  return { read, changed, close: attention.close };

  async function read<T>(
    work: (dir: string) => Promise<SourceReader<T>>,
    signal: AbortSignal,
  ): Promise<SourceReading<T>> {
    for (let attempt = 1; ; attempt++) {
      const before = await settled(signal);
      const began = Date.now();
      if (before.missing !== undefined) throw before.missing;
      const result = await outcomeOf(work(before.dir));
      signal.throwIfAborted();
      if ('read' in result) further = new Set(result.read.files);
      const after = await look();
      const moved = findMovedPath(before, after, 'whole') ?? newcomer(before, after, began);
      if (moved === undefined) {
        remember(after);
        if ('error' in result) throw result.error;
        const revision = await revisionOf(after, signal);
        const isNew = after.everything !== lastRead;
        lastRead = after.everything;
        return { value: result.read.value, revision, isNew };
      }
      if (attempt === patience.reading) throw restless(after, moved, 'keeps changing while the stack is read');
    }
  }

  /** A look at a tree that has stood still for long enough. */
  async function settled(signal: AbortSignal): Promise<TreeScan> {
    for (let moves = 0; ;) {
      const previous = standing?.tree;
      const tree = await look();
      signal.throwIfAborted();
      const since = standing?.since ?? clock.now();
      const moved = previous === undefined ? undefined : findMovedPath(previous, tree, 'files');
      if (moved !== undefined && (moves += 1) > patience.settling)
        throw restless(tree, moved, 'keeps changing, so the files are never stable for the time in watch.debounce');
      const left = since + debounceMs - clock.now();
      if (left <= 0) {
        if (tree.missing !== undefined) remember(tree);
        return tree;
      }
      await clock.sleep(left, signal);
    }
  }

  async function look(): Promise<TreeScan> {
    const tree = await scanTree({ dir: options.dir, inputs: options.inputs, further, digests });
    const isSame = standing !== undefined && findMovedPath(standing.tree, tree, 'files') === undefined;
    standing = { tree, since: isSame ? (standing?.since ?? 0) : clock.now() };
    return tree;
  }

  async function changed(signal: AbortSignal): Promise<void> {
    for (let cause: ScanTrigger = 'start'; ; cause = await attention.wait(signal)) {
      const tree = await attention.during(look);
      signal.throwIfAborted();
      if (last === undefined || tree.everything !== last.everything) {
        attention.noticed(cause);
        return;
      }
      if (tree.head?.commit !== last.head?.commit || tree.head?.branch !== last.head?.branch) return;
      await attention.turnTo(tree);
    }
  }

  function remember({ everything, head }: TreeScan): void {
    last = { everything, head };
  }

  function restless(tree: TreeScan, path: string, how: string): SourceError {
    remember(tree);
    return new SourceError('SOURCE_CHANGING', `${path} ${how}`, {
      hint: 'nothing is loaded until it is stable; find the process that keeps writing to it',
    });
  }

  async function revisionOf({ content, head }: TreeScan, signal: AbortSignal): Promise<Revision> {
    const id = { content: content.slice(0, 12) };
    if (head === undefined) return id;
    const { commit, branch } = head;
    if (subject?.commit !== commit) subject = { commit, text: await gitSubject(head, options.env ?? {}, signal) };
    signal.throwIfAborted();
    return {
      ...id,
      commit,
      ...(branch === undefined ? {} : { branch }),
      ...(subject.text === undefined ? {} : { subject: subject.text }),
    };
  }
}

/** A file that was read without having been looked at before, and that may have been written to since. */
function newcomer(before: TreeScan, after: TreeScan, began: number): string | undefined {
  const fresh = [...after.further].filter(([path]) => !before.further.has(path));
  return fresh.find(([, { changedAt }]) => changedAt > began - oldMs)?.[0];
}

async function outcomeOf<T>(work: Promise<T>): Promise<{ readonly read: T } | { readonly error: unknown }> {
  try {
    return { read: await work };
  } catch (error) {
    return { error };
  }
}
