import { statSync } from 'node:fs';
import { identityOf } from './file-identity.ts';
import { StateError } from '../../diagnostics/errors.ts';
import { systemReason } from '../../diagnostics/system-reason.ts';
import { inSlices, type Pause } from '../../model/sliced.ts';
import { changeState } from '../../model/state-change.ts';
import type { State } from '../../model/state.ts';
import { keptFileBytes, readBytes, readSafely } from '../../files/safe-file.ts';
import { newestIntactBackup } from './backups.ts';
import { stateInSteps, withHint } from '../document.ts';
import { movedAway, movedIn } from '../moved-away.ts';
import { stateFileDigest, readJournal, type Replay } from '../journal.ts';

/** What a state file and the journal beside it hold together. */
export interface StateOnDisk {
  /** Undefined where there is no state file. */
  readonly state: State | undefined;
  /** Of the text of the state file alone. */
  readonly digest: string;
  readonly version: StateVersion;
  readonly hasJournal: boolean;
}

/** The identities of a state file and its journal: every write to one of them changes its own. */
export interface StateVersion {
  readonly state: string;
  readonly journal: string;
}

/** The journal of a state file. */
export function journalOf(path: string): string {
  return `${path}.journal`;
}

/** Reads a state file with its journal, both as they were at one time. */
export async function readState(path: string, lineage: string, pause?: Pause): Promise<StateOnDisk> {
  for (let attempt = 1; ; attempt++) {
    const version = versionOf(path);
    try {
      const read = await readBoth(path, lineage, pause);
      if (isSameVersion(versionOf(path), version) || attempt === most) return { ...read, version };
    } catch (error) {
      // Read while a run put one in the place of the other.
      if (attempt === most || isSameVersion(versionOf(path), version)) throw error;
    }
  }
}

const most = 5;

/** Insists that the state was not moved away. */
export function fileMustBeHere(path: string): void {
  const read = readSafely(path);
  // The note of a move is short.
  const to = 'text' in read ? movedIn(read.text) : undefined;
  if (to !== undefined) throw movedAway(path, to);
}

/** The version of a state file and its journal, without reading them. Synchronous, because each creation waits for it. */
export function versionOf(path: string): StateVersion {
  return { state: fileIdentity(path), journal: fileIdentity(journalOf(path)) };
}

/** Whether neither of the two was written in between. */
export function isSameVersion(one: StateVersion, other: StateVersion): boolean {
  return one.state === other.state && one.journal === other.journal;
}

async function readBoth(path: string, lineage: string, pause?: Pause): Promise<Omit<StateOnDisk, 'version'>> {
  const text = textOf(path);
  const journal = textOf(journalOf(path));
  const hasJournal = journal !== undefined;
  // A journal alone continues nothing: its state was taken away, and so it is.
  if (text === undefined) return { state: undefined, digest: '', hasJournal };
  const to = movedIn(text);
  if (to !== undefined) throw movedAway(path, to);
  const digest = stateFileDigest(text);
  const state = await stateIn(text, path, lineage, pause);
  const replay = journal === undefined ? undefined : replayOf(journal, path, { ...state, digest });
  if (replay === undefined) return { state, digest, hasJournal };
  return { state: { ...replay.changes.reduce(changeState, state), serial: replay.serial }, digest, hasJournal };
}

async function stateIn(text: string, path: string, lineage: string, pause?: Pause): Promise<State> {
  try {
    return await inSlices(stateInSteps(text), pause);
  } catch (error) {
    throw withHint(path, error, await repairHint(path, lineage, text));
  }
}

function replayOf(text: string, path: string, state: State & { readonly digest: string }): Replay | undefined {
  try {
    return readJournal(text, state);
  } catch (error) {
    const journal = journalOf(path);
    throw withHint(
      journal,
      error,
      `move ${journal} away; sluice finds the recorded resources again by their ownership markers`,
    );
  }
}

async function repairHint(path: string, lineage: string, text: string): Promise<string> {
  const backup = await newestIntactBackup(path, lineage);
  const journal = textOf(journalOf(path)) === undefined ? '' : `, and move ${journalOf(path)} away`;
  if (backup === undefined && !looksLikeState(text))
    return 'the file is not a sluice state file: set state.path to the state file of this stack, or move the file away and run `sluice state rebuild`';
  return backup === undefined
    ? `there is no intact backup; run \`sluice state rebuild\` to rebuild the state from the ownership markers`
    : `copy the newest intact backup ${backup} over the state file${journal}; or run \`sluice state rebuild\` to rebuild the state from the ownership markers`;
}

function textOf(path: string): string | undefined {
  const read = readBytes(path, keptFileBytes);
  if ('bytes' in read) return read.bytes.toString('utf8');
  if (read.code === 'FILE_NOT_FOUND') return undefined;
  throw new StateError('STATE_UNREADABLE', `${path} ${read.message}`, { hint: howToMend });
}

function fileIdentity(path: string): string {
  try {
    return identityOf(statSync(path, { bigint: true, throwIfNoEntry: false }));
  } catch (cause) {
    throw new StateError('STATE_UNREADABLE', `${path} cannot be read: ${systemReason(cause)}`, {
      hint: howToMend,
      cause,
    });
  }
}

const howToMend =
  'correct the file permissions, or replace the file with the newest file of the folder `backups` in the same directory; without a backup, move the file away and run `sluice state rebuild`';

// How a state begins, and what it has near its beginning even where its first bytes are damaged.
const beginning = /^\s*($|\{\s*($|"format":))|"lineage":/;

/** Whether a text was a state once, be it damaged. Nothing else is moved out of the way. */
export function looksLikeState(text: string): boolean {
  return beginning.test(text);
}
