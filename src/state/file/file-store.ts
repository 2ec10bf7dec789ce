import { rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { SluiceError, StateError } from '../../diagnostics/errors.ts';
import { systemReason, writeHint } from '../../diagnostics/system-reason.ts';
import { inSlices } from '../../model/sliced.ts';
import type { State } from '../../model/state.ts';
import { keepBackup } from './backups.ts';
import { documentInSteps } from '../document.ts';
import { isMovedAway } from '../moved-away.ts';
import { mustBeOurs } from '../must-be-ours.ts';
import { createJournal, type JournalFile } from './journal-file.ts';
import { stateFileDigest, journalHead, journalLine } from '../journal.ts';
import { isSameVersion, journalOf, readState, versionOf, type StateOnDisk } from './read-state.ts';
import { makeKeptDirectory } from '../../files/make-kept-directory.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { hasNews, nothingToWrite, takingStates, grouped } from '../state-to-write.ts';
import type { StateStore, StateStoreOptions } from '../store.ts';

/** What the two files held when they were last read or written here. */
interface Seen extends Pick<StateOnDisk, 'digest' | 'version' | 'hasJournal'> {
  readonly serial: number;
  readonly hasFile: boolean;
}

/**
 * State in a file of its owner alone, which is no link, replaced whole, and never over somebody else's change. What a run
 * records goes to a journal beside it, a line for each group, and into the file when the run ends.
 */
export function fileStore(options: StateStoreOptions & { readonly path: string }): StateStore {
  const { path, lineage, writer, now = () => new Date(), pause } = options;
  let seen: Seen | undefined;
  let journal: JournalFile | undefined;
  const given = nothingToWrite();
  /** What was there before the first write. */
  let found: Seen | undefined;
  let hasBackup = false;

  async function load(): Promise<State | undefined> {
    const { state, ...facts } = await readState(path, lineage, pause).catch((error: unknown) => {
      if (options.continues === undefined || !isMovedAway(error)) throw error;
      return { state: undefined, digest: '', version: versionOf(path), hasJournal: false };
    });
    const serial = Math.max(mustBeOurs(state, path, options)?.serial ?? 0, options.continues ?? 0);
    seen = { ...facts, serial, hasFile: state !== undefined };
    return state;
  }

  const write = grouped(async () => {
    try {
      if (seen === undefined) await load();
      await (mustReplace() ? replace(expected().serial + 1) : append());
    } catch (error) {
      // The content of the journal is uncertain; the next write replaces the whole state file.
      given.isWhole = true;
      await leaveJournal();
      throw notWritten(path, error);
    }
  });

  // A journal that another run has left is folded in before this one begins its own.
  function mustReplace(): boolean {
    return given.isWhole || (journal === undefined && (seen?.hasFile !== true || seen.hasJournal));
  }

  async function replace(serial: number, needsBackup = true): Promise<void> {
    if (needsBackup) await backUp();
    const { held } = given;
    if (held === undefined) return;
    held.takeChange();
    const text = await inSlices(documentInSteps({ ...held.whole(), serial }, writer), pause);
    await replaceFile(path, text, { mayReplace: () => mustBeUnchanged(), isKept: true });
    await leaveJournal();
    if (expected().hasJournal) await rm(journalOf(path), { force: true });
    given.isWhole = false;
    const version = versionOf(path);
    seen = { serial, digest: stateFileDigest(text), version, hasFile: true, hasJournal: false };
  }

  async function append(): Promise<void> {
    const change = given.held?.takeChange();
    if (change === undefined) return;
    await mustBeUnchanged();
    const { serial, version } = expected();
    const line = journalLine(serial + 1, change);
    if (journal === undefined) await begin(line);
    else await journal.append(line);
    const written = journal?.identity();
    // Taken away while it was written: what was written then is nowhere.
    if (written === undefined) throw changed(path, 'the journal was removed');
    // The state file as it was before: who replaced it meanwhile is found before the next write.
    seen = { ...expected(), serial: serial + 1, version: { ...version, journal: written }, hasJournal: true };
  }

  async function begin(line: string): Promise<void> {
    await prepare();
    journal = await createJournal(journalOf(path), journalHead({ lineage, ...expected() }) + line);
  }

  async function prepare(): Promise<Seen> {
    if (found !== undefined) return found;
    await mustBeUnchanged();
    await makeKeptDirectory(dirname(path));
    await removeLeftovers(dirname(path), basename(path));
    found = expected();
    return found;
  }

  async function backUp(): Promise<void> {
    const { hasFile, serial } = await prepare();
    if (!hasBackup && hasFile) await keepBackup(path, serial, now());
    hasBackup = true;
  }

  async function leaveJournal(): Promise<void> {
    const left = journal;
    journal = undefined;
    await left?.close().catch(() => undefined);
  }

  function expected(): Seen {
    if (seen === undefined) throw new TypeError('the state must be read before it is written');
    return seen;
  }

  async function mustBeUnchanged(): Promise<void> {
    const { version, serial, digest } = expected();
    if (isSameVersion(versionOf(path), version)) return;
    const found = await readState(path, lineage, pause);
    const isSame = found.state?.lineage === lineage && found.state.serial === serial && found.digest === digest;
    if (isSame || (found.state === undefined && serial === 0)) {
      seen = { ...expected(), version: found.version };
      return;
    }
    throw changed(
      path,
      found.state === undefined
        ? 'the state was removed'
        : `the state has serial ${found.state.serial}, but serial ${serial} was expected`,
    );
  }

  return {
    load,
    ...takingStates(given, write),
    close: async () => {
      if (seen === undefined || (journal === undefined && !given.isWhole)) return;
      // The journal is durable; if the state file cannot be written now, the next run merges the journal into it.
      await replace(given.isWhole ? seen.serial + 1 : seen.serial, hasNews(given)).catch(() => undefined);
      await leaveJournal();
    },
  };
}

function changed(path: string, how: string): StateError {
  return new StateError('STATE_CHANGED', `${path} was changed by another process: ${how}`, {
    hint: 'run the command again: sluice detects the changes that were made',
    hintInWatch: '',
  });
}

function notWritten(path: string, error: unknown): unknown {
  if (error instanceof SluiceError) return error;
  const what = writeHint(error) ?? 'check the disk and the directory';
  return new StateError('STATE_NOT_WRITTEN', `${path} cannot be written: ${systemReason(error)}`, {
    cause: error,
    hint: `${what}, then run the command again; sluice finds created resources by their ownership markers`,
    hintInWatch: `${what}; sluice finds created resources by their ownership markers`,
  });
}
