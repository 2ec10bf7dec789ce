import { mkdir, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Refused, StateError } from '../diagnostics/errors.ts';
import { safeText } from '../diagnostics/safe-text.ts';
import type { State } from '../model/state.ts';
import { keepBackup, newestIntactBackup } from './backups.ts';
import { readDocument, writeDocument, type Writer } from './document.ts';
import { isAlive } from './is-alive.ts';
import { replaceFile, writerOf } from './replace-file.ts';
import type { StateStore } from './store.ts';

/** Which file, and whose state it must be. */
export interface FileStoreOptions {
  readonly path: string;
  /** The stack's id. */
  readonly lineage: string;
  /** The origin of the API. */
  readonly account: string;
  readonly writer: Writer;
  readonly now?: () => Date;
}

/** What the file held when it was last read or written here. */
interface Seen {
  readonly serial: number;
  readonly identity: string | undefined;
}

/** State in a file of its owner alone, replaced whole, and never over somebody else's change. */
export function fileStore({
  path: given,
  lineage,
  account,
  writer,
  now = () => new Date(),
}: FileStoreOptions): StateStore {
  let seen: Seen | undefined;
  let isKept = false;
  let latest: State | undefined;
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  async function load(): Promise<State | undefined> {
    const path = await followLink(given);
    const identity = await identityOf(path);
    const state = identity === undefined ? undefined : await read(path);
    if (state !== undefined) mustBeOurs(state);
    seen = { serial: state?.serial ?? 0, identity };
    return state;
  }

  function save(state: State): Promise<void> {
    latest = state;
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        running = write(latest ?? state);
        return running;
      });
    return next;
  }

  async function write(state: State): Promise<void> {
    const path = await followLink(given);
    if (seen === undefined) await load();
    const before = seen ?? { serial: 0, identity: undefined };
    await mustBeUnchanged(path, before);
    if (!isKept) await prepare(path, before);
    const serial = before.serial + 1;
    await replaceFile(path, writeDocument({ ...state, serial }, writer));
    seen = { serial, identity: await identityOf(path) };
  }

  async function prepare(path: string, before: Seen): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await removeLeftovers(path);
    if (before.identity !== undefined) await keepBackup(path, before.serial, now());
    isKept = true;
  }

  async function read(path: string): Promise<State> {
    try {
      return readDocument(await readFile(path, 'utf8'));
    } catch (error) {
      if (!(error instanceof StateError))
        throw new StateError('STATE_UNREADABLE', `${path} cannot be read`, { cause: error });
      throw new StateError(error.code, `${path}: ${error.message}`, {
        hint: error.hint ?? (await wayOut(path)),
        cause: error,
      });
    }
  }

  async function wayOut(path: string): Promise<string> {
    const backup = await newestIntactBackup(path, lineage);
    return backup === undefined
      ? 'there is no intact backup; move the file away, and what carries the marker of this stack is found again'
      : `the newest intact backup is ${backup}; copy it over the file`;
  }

  function mustBeOurs(state: State): void {
    if (state.lineage !== lineage)
      throw new Refused(
        'STATE_OF_ANOTHER_STACK',
        `${given} is the state of stack ${safeText(state.lineage, 80)}, not of ${lineage}`,
        {
          hint: 'set state.path to the state of this stack, or move the file away',
        },
      );
    if (state.account !== account)
      throw new Refused(
        'STATE_OF_ANOTHER_ACCOUNT',
        `${given} was written against ${safeText(state.account, 200)}, and this run speaks to ${account}`,
        { hint: 'set api.base_url back, or give this account a state.path of its own' },
      );
  }

  async function mustBeUnchanged(path: string, before: Seen): Promise<void> {
    const identity = await identityOf(path);
    if (identity === before.identity) return;
    const found = identity === undefined ? undefined : await read(path);
    if (found?.lineage === lineage && found.serial === before.serial) return;
    throw new StateError(
      'STATE_CHANGED',
      `${path} was changed by somebody else: ${found === undefined ? 'it is gone' : `it is at serial ${found.serial}, expected ${before.serial}`}`,
      { hint: 'run again: what was written to the service is found there' },
    );
  }

  return { load, save };
}

/** A file that was replaced is another file, even when its size and content are the same. */
async function identityOf(path: string): Promise<string | undefined> {
  try {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true });
    return `${ino}:${size}:${mtimeNs}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StateError('STATE_UNREADABLE', `${path} cannot be read`, { cause: error });
  }
}

// Replacing a link would leave the file it points at behind.
async function followLink(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

async function removeLeftovers(path: string): Promise<void> {
  for (const name of await readdir(dirname(path))) {
    const writer = name.startsWith(`${basename(path)}.`) ? writerOf(name) : undefined;
    if (writer?.host === hostname() && !isAlive(writer.pid)) await rm(join(dirname(path), name), { force: true });
  }
}
