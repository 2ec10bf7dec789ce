import type { Clock } from '../../api/clock.ts';
import { fileEvents, type FileEvents } from './file-events.ts';
import type { TreeScan } from './tree-scan.ts';

/** Why a look was taken. */
export type ScanTrigger = 'start' | 'hint' | 'check';

/** When to look again, and what to say where hints do not come. */
export interface ChangeDetector {
  /** Waits for a hint, or until the next check is due. */
  readonly wait: (signal: AbortSignal) => Promise<ScanTrigger>;
  /** Takes a look; hints that came before it are answered by it. */
  readonly during: <T>(look: () => Promise<T>) => Promise<T>;
  /** Listens where the tree now is. */
  readonly turnTo: (tree: TreeScan) => Promise<void>;
  /** A look has found something new. */
  readonly noticed: (cause: ScanTrigger) => void;
  readonly close: () => Promise<void>;
}

/** How to watch. */
export interface ChangeDetectorOptions {
  readonly scanMs: number;
  readonly poll: boolean;
  readonly clock: Clock;
  readonly log: (level: 'info' | 'warn', text: string) => void;
  /** Where hints come from; events of the file system when left out. */
  readonly hints?: (onHint: () => void) => FileEvents;
}

// A hint is answered after so long, so that one look answers many; and looking takes at most a fifth of the time.
const gathering = { ms: 100, looks: 4 };

// So many changes in a row that no event told of mean that none will.
const unheardOf = 2;

/** Begins to watch; nothing is listened to before `turnTo`. */
export function createChangeDetector(options: ChangeDetectorOptions): ChangeDetector {
  const { clock, log, scanMs } = options;
  let isHinted = false;
  let wake: (() => void) | undefined;
  let lookTook = 0;
  let failing: string | undefined;
  let unheard = 0;
  const hints = options.poll
    ? undefined
    : (options.hints ?? fileEvents)(() => {
        isHinted = true;
        wake?.();
      });
  return { wait, during, turnTo, noticed, close: async () => hints?.close() };

  async function wait(signal: AbortSignal): Promise<ScanTrigger> {
    if (!isHinted) await hintOrCheck(signal);
    if (!isHinted) return 'check';
    await clock.sleep(Math.max(gathering.ms, gathering.looks * lookTook), signal);
    return 'hint';
  }

  // Not AbortSignal.any: on a signal that lives for months, Node 20 keeps what it makes.
  async function hintOrCheck(signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const abort = (): void => over.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      signal.throwIfAborted();
      const hint = new Promise<void>((done) => (wake = done));
      await Promise.race([hint, clock.sleep(scanMs, over.signal)]);
    } finally {
      signal.removeEventListener('abort', abort);
      over.abort();
    }
  }

  async function during<T>(look: () => Promise<T>): Promise<T> {
    isHinted = false;
    const began = clock.now();
    const seen = await look();
    lookTook = clock.now() - began;
    return seen;
  }

  async function turnTo({ directories, places }: TreeScan): Promise<void> {
    const where = new Map<string, ReadonlySet<string> | 'every name'>(places);
    for (const directory of directories.keys()) where.set(directory, 'every name');
    const before = failing;
    failing = await hints?.listen(where);
    if (failing !== undefined && before === undefined) log('warn', exhausted(failing));
    if (failing === undefined && before !== undefined)
      log('info', 'file events are available again: changes are detected immediately');
  }

  function noticed(cause: ScanTrigger): void {
    // An event may come a moment after the check that saw the same.
    if (cause === 'hint' || isHinted) unheard = 0;
    if (cause !== 'check' || isHinted || hints === undefined || failing !== undefined) return;
    unheard += 1;
    if (unheard !== unheardOf) return;
    log('warn', `the file system sends no file events, like most network file systems; ${byLooking()}`);
  }

  function exhausted(code: string): string {
    const limit =
      code === 'ENOSPC'
        ? 'fs.inotify.max_user_watches'
        : 'fs.inotify.max_user_instances, or the open file limit of the process';
    return `the limit of file watches is reached (${code}); ${byLooking()}. To detect changes immediately, raise ${limit}`;
  }

  function byLooking(): string {
    return `changes are detected by a scan every ${scanMs / 1000} s, as with --poll`;
  }
}
