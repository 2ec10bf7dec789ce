import type { ApplyRecord, ApprovalRecord } from '../model/status/watch-status.ts';
import { present } from '../model/present.ts';
import { keptRecord } from '../model/status/kept-record.ts';
import { createDigester } from '../state/digest.ts';
import type { KeptDocument } from '../state/backend.ts';
import { isUsedUp } from './decide/used-approvals.ts';
import { type OperatorRequests, isProven, pauseIn, stillCounts } from './operator-requests.ts';
import {
  emptyWatchState,
  isSameWatchState,
  mustBeOfStack,
  readWatchState,
  writeWatchState,
  type WatchState,
} from './watch-state.ts';
import { latestPause } from './pause-request.ts';

/** What a watch keeps across restarts, in memory and in its document. */
export class KeptWatchState {
  readonly #document: KeptDocument;
  readonly #stack: string;
  readonly #time: () => number;
  #now: WatchState = emptyWatchState();
  #saved: WatchState | undefined;
  /** Nobody knows what the document contains: it could not be written, or another process has changed it. */
  #isUnsure = false;
  /** The version of the document that was read or written last. */
  #version: string | undefined;
  /** The salt of the document, once known: it is made once, so with another one, something else than a watch has replaced the document, such as a commit. */
  #salt: string | undefined;
  /** Digests secrets; stable between reconciliations, and cached. */
  digest = createDigester(this.#now.salt);
  /** Whether the document could be read; if not, it is read again before it is replaced. */
  isLoaded = true;

  constructor(document: KeptDocument, stack: string, time: () => number = Date.now) {
    this.#document = document;
    this.#stack = stack;
    this.#time = time;
  }

  get now(): WatchState {
    return this.#now;
  }

  startReconcile(): void {
    // A clock that was wrong then must not keep approvals from counting until that time comes.
    const [{ approvalsLostAt, approvalsSince }, now] = [this.#now, this.#time()];
    if (approvalsLostAt !== undefined && approvalsLostAt > now) this.update({ approvalsLostAt: now });
    if (approvalsSince !== undefined && approvalsSince > now) this.update({ approvalsSince: now });
  }

  /** Notes whether another process has removed or changed the document, which is then written again: nobody could approve by what is there. A pause that a command has recorded in it counts. */
  async compareDocument(): Promise<void> {
    if (!(await this.isChanged())) return;
    this.#isUnsure = true;
    const { salt, pause } = await readWatchState(this.#document).catch(emptyWatchState);
    if (salt === this.#salt) this.update({ pause: latestPause(this.#now.pause, pause) });
  }

  /** Whether another process has removed or changed the document since it was read or written here. */
  async isChanged(): Promise<boolean> {
    return (await this.#document.version()) !== this.#version;
  }

  /** The pause in force. */
  get pause(): OperatorRequests['pause'] {
    const { inForce } = this.#now.pause ?? {};
    return inForce !== undefined && inForce.until > this.#time() ? inForce : undefined;
  }

  update(change: Partial<WatchState>): void {
    this.#now = { ...this.#now, ...change };
  }

  /** The approval of what is pending that was given, and is not used yet. */
  unreadApproval(requested: OperatorRequests['approvals'], now: number): ApprovalRecord | undefined {
    const kept = this.#now;
    const given = requested.find(
      (one) =>
        one.digest === kept.awaited?.digest &&
        isProven(one, kept.salt) &&
        !isUsedUp(kept, one) &&
        stillCounts(one, now),
    );
    if (given === undefined) return undefined;
    const { reason, proof: _, ...facts } = given;
    return { ...facts, ...present({ reason }) };
  }

  /**
   * Takes over the pause in the requests, or its end, if it is proven and newer than the last one. Without a proof a pause can only become longer, whatever
   * replaces the document, such as a commit; false if it would be shorter. Until a watch has written its state, nobody can prove anything.
   */
  takePause(requests: OperatorRequests): boolean {
    const { serial, inForce: before } = this.#now.pause ?? { serial: 0 };
    const { pause: inForce } = requests;
    const proven = this.#salt === undefined ? undefined : pauseIn(requests, this.#salt);
    const isShorter = before !== undefined && before.until > Math.max(this.#time(), inForce?.until ?? 0);
    const counts = proven === undefined ? !isShorter || this.#salt === undefined : proven.serial > serial;
    if (counts) this.update({ pause: proven ?? { serial, ...present({ inForce }) } });
    return counts || !isShorter;
  }

  addRecord(record: ApplyRecord): void {
    // Of the latest, whoever counts needs every change.
    this.update({ history: [record, ...this.#now.history.map((one) => keptRecord(one))].slice(0, 50) });
  }

  /** Begins empty if the document cannot be read, which rejects, or is damaged, of another version or not that of before: only applies that are not saved yet are kept. */
  async load(onLost: (message: string) => void = () => undefined): Promise<void> {
    let read = emptyWatchState();
    let isLost = false;
    try {
      this.#version = await this.#document.version();
      const found = await readWatchState(this.#document, () => {
        isLost = true;
      });
      mustBeOfStack(found, this.#stack, this.#document);
      const salt = this.#salt ?? found.salt;
      isLost ||= found.salt !== salt;
      read = found;
      if (isLost) {
        read = { ...emptyWatchState(), salt, approvalsLostAt: this.#time() };
        onLost(lostText(this.#document));
      } else if (found.stack !== undefined) this.#salt = salt;
      // Nothing tells a first start from one whose document was removed.
      else read = { ...found, approvalsSince: this.#time() };
      this.isLoaded = true;
    } catch (error) {
      this.isLoaded = false;
      throw error;
    } finally {
      const pause = latestPause(this.#now.pause, read.pause);
      this.#now = { ...withUnsaved(read, this.#now, this.#saved), ...present({ pause }) };
      this.#saved = read;
      this.#isUnsure = isLost;
      this.digest = createDigester(read.salt);
    }
  }

  /** Whether the document that was there is gone or damaged, or something else has replaced it. */
  get isLost(): boolean {
    return this.#isUnsure;
  }

  get isSaved(): boolean {
    return !this.#isUnsure && isSameWatchState(this.#saved, this.#now);
  }

  /** Writes the document; resolves with the digest of changes that can be approved from now on, if it is a new one. */
  async save(): Promise<string | undefined> {
    await this.compareDocument();
    this.update({ stack: this.#stack });
    const state = this.#now;
    const before = this.#saved?.awaited?.digest;
    this.#isUnsure = true;
    await writeWatchState(this.#document, state);
    this.#version = await this.#document.version();
    this.#isUnsure = false;
    this.#saved = state;
    this.#salt = state.salt;
    return state.awaited?.digest === before ? undefined : state.awaited?.digest;
  }
}

/** What was read, with the applies of this process that could not be saved. */
function withUnsaved(read: WatchState, now: WatchState, saved: WatchState | undefined): WatchState {
  const known = new Set(read.history.map(({ startedAt }) => startedAt));
  const unsaved = now.history.filter((one) => saved?.history.includes(one) !== true && !known.has(one.startedAt));
  if (unsaved.length === 0) return read;
  const history = [...unsaved, ...read.history].toSorted((a, b) => b.startedAt - a.startedAt);
  return { ...read, history: history.slice(0, 50) };
}

function lostText({ location }: KeptDocument): string {
  return `${location} is damaged, was removed or replaced, or was written by another version of sluice: the history of applies and the approvals in it are lost, and approvals given until now are ignored`;
}
