import type { Clock } from '../../api/clock.ts';
import { linkedAbort } from '../../api/linked-abort.ts';
import { fileEvents, type FileEvents } from './file-events.ts';
import type { TreeScan } from './tree-scan.ts';

/** What triggered a scan. */
export type ScanTrigger = 'start' | 'event' | 'interval';

/** Decides when to scan again, and warns where file events do not arrive. */
export interface ChangeDetector {
  /** Waits for a file event, or until the next scan is due. */
  readonly wait: (signal: AbortSignal) => Promise<ScanTrigger>;
  /** Runs a scan; it covers the events that came before it. */
  readonly runScan: <T>(scan: () => Promise<T>) => Promise<T>;
  /** Watches the directories of this tree. */
  readonly watchTree: (tree: TreeScan) => void;
  /** A scan has found a change. */
  readonly changeFound: (cause: ScanTrigger) => void;
  readonly close: () => void;
}

/** Options of change detection. */
export interface ChangeDetectorOptions {
  /** How often all files are scanned, with or without events. */
  readonly scanMs: number;
  /** Scan only, without events. */
  readonly poll: boolean;
  readonly clock: Clock;
  readonly log: (level: 'info' | 'warn', text: string) => void;
  /** The source of events; file system events by default. */
  readonly events?: (onEvent: () => void) => FileEvents;
}

// Events are collected for so long before a scan; and scans take at most a fifth of the time.
const gathering = { ms: 100, scans: 4 };

// After so many consecutive changes without an event, none are expected.
const maxMissed = 2;

/** Starts to watch; no events arrive before `watchTree`. */
export function createChangeDetector(options: ChangeDetectorOptions): ChangeDetector {
  const { clock, log, scanMs } = options;
  let hasEvent = false;
  let wake: (() => void) | undefined;
  let scanMsTaken = 0;
  let failing: string | undefined;
  let missed = 0;
  const events = options.poll
    ? undefined
    : (options.events ?? fileEvents)(() => {
        hasEvent = true;
        wake?.();
      });
  return { wait, runScan, watchTree, changeFound, close: () => events?.close() };

  async function wait(signal: AbortSignal): Promise<ScanTrigger> {
    if (!hasEvent) await eventOrInterval(signal);
    if (!hasEvent) return 'interval';
    await clock.sleep(Math.max(gathering.ms, gathering.scans * scanMsTaken), signal);
    return 'event';
  }

  async function eventOrInterval(signal: AbortSignal): Promise<void> {
    const over = linkedAbort(signal);
    try {
      signal.throwIfAborted();
      const event = new Promise<void>((done) => (wake = done));
      await Promise.race([event, clock.sleep(scanMs, over.signal)]);
    } finally {
      over.release();
      over.abort();
    }
  }

  async function runScan<T>(scan: () => Promise<T>): Promise<T> {
    hasEvent = false;
    const startedAt = clock.now();
    const seen = await scan();
    scanMsTaken = clock.now() - startedAt;
    return seen;
  }

  function watchTree({ directories, places }: TreeScan): void {
    const where = new Map<string, ReadonlySet<string> | 'all'>(places);
    for (const directory of directories.keys()) where.set(directory, 'all');
    const before = failing;
    failing = events?.listen(where);
    if (failing !== undefined && before === undefined) log('warn', exhausted(failing));
    if (failing === undefined && before !== undefined)
      log('info', 'file events are available again: changes are detected immediately');
  }

  function changeFound(cause: ScanTrigger): void {
    // An event may arrive shortly after the scan that found the same change.
    if (cause === 'event' || hasEvent) missed = 0;
    if (cause !== 'interval' || hasEvent || events === undefined || failing !== undefined) return;
    missed += 1;
    if (missed !== maxMissed) return;
    log('warn', `the file system sends no file events, like most network file systems; ${scanInterval()}`);
  }

  function exhausted(code: string): string {
    const limit =
      code === 'ENOSPC'
        ? 'fs.inotify.max_user_watches'
        : 'fs.inotify.max_user_instances, or the open file limit of the process';
    return `the limit of file watches is reached (${code}); ${scanInterval()}. To detect changes immediately, raise ${limit}`;
  }

  function scanInterval(): string {
    return `changes are detected by a scan every ${scanMs / 1000} s, as with --poll`;
  }
}
