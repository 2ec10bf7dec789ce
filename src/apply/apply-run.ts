import { wallClock } from '../api/clock.ts';
import { EarlierAttemptLost, isNotFound, NotAllowed } from '../api/api-errors.ts';
import { holdsOutside } from '../derive/external/external-values-in.ts';
import { issuedText } from '../derive/wire/actual-value.ts';
import { operationOf } from '../derive/wire/operations.ts';
import { SluiceError } from '../diagnostics/errors.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Address } from '../model/address.ts';
import { areAllDone, type ChangeOutcome, type Duplicate } from '../model/outcome.ts';
import type { Change, FileChange, Step } from '../model/plan/plan.ts';
import { mapSliced, type Sliced } from '../model/sliced.ts';
import type { UnresolvedCreation } from '../model/unresolved.ts';
import type { ApplyOptions } from './apply-options.ts';
import { duplicatesMade, type Made } from './duplicates-made.ts';
import { endingOf, changeOutcomeOf } from './change-outcome.ts';
import { writePlannedFile } from './planned-file.ts';
import { IntentsAhead } from './intents-ahead.ts';
import { KnownResources } from './known-resources.ts';
import { isListed, lookUps, LookUpFailed } from './look-up.ts';
import { createStateWriter, type StateWriter } from './state-writer.ts';
import { ApplyProgress } from './apply-progress.ts';
import { Recorder } from './recorder.ts';
import { OperationNotOffered } from './send.ts';
import { sendStep, type SentStep, type StepSender } from './send-step.ts';
import type { StepResult } from './schedule.ts';
import { randomUUID } from 'node:crypto';
import { NONCE_DIGITS } from '../derive/marker.ts';

const LOOK_UP_DELAY_MS = 2_000;

/** One apply: performs the steps that it is given, and reports the outcome of each change at the end. */
export class ApplyRun {
  readonly state: StateWriter;
  readonly #options: ApplyOptions;
  readonly #changes: ReadonlyMap<Address, Change>;
  readonly #files: ReadonlyMap<Address, FileChange>;
  readonly #filed = new Map<Address, StepResult>();
  readonly #known: KnownResources;
  readonly #recorder: Recorder;
  readonly #progress: ApplyProgress;
  readonly #sender: Omit<StepSender, 'onSend' | 'deleting'>;
  readonly #ahead: IntentsAhead;
  readonly #sent = new Set<string>();
  readonly #notOffered = new Map<string, OperationNotOffered>();
  #isAllowed = true;

  constructor(options: ApplyOptions) {
    const { plan, state, digest, onEvent, isRepeated } = options;
    this.#options = options;
    this.#changes = new Map(plan.changes.map((change) => [change.address, change]));
    this.#files = new Map(plan.files.map((file) => [file.address, file]));
    this.state = createStateWriter(state, options.record);
    this.#known = new KnownResources(plan.changes, options.drawNonce ?? drawNonce);
    this.#progress = new ApplyProgress(plan, (event) => onEvent?.(event), isRepeated);
    this.#ahead = new IntentsAhead(this.state, options.drawNonce ?? drawNonce);
    this.#sender = senderOf(options, this.#known, this.state, this.#ahead);
    const kindOf = (change: Change): Kind => this.#kind(change);
    this.#recorder = new Recorder({ plan, state: this.state, known: this.#known, kindOf, digest });
  }

  /** How many requests of the plan were sent; a repeated request counts once. */
  get sent(): number {
    return this.#sent.size;
  }

  /** Whether a new step may be started. */
  mayGoOn(): boolean {
    const { signal, mayStart } = this.#options;
    return signal?.aborted !== true && this.#isAllowed && this.state.failure() === undefined && mayStart?.() !== false;
  }

  /** Records in state the changes that need no request, and the resources of this stack that state does not know. */
  *recordUnchanged(): Sliced<void> {
    const { account, state } = this.#options;
    const known = new Set(Object.values(state.entries).map(({ id }) => id));
    for (const change of this.#changes.values()) {
      yield;
      if (change.id !== undefined) known.add(change.id);
      // An address that another resource has now is no former one.
      const { movedFrom: former } = change;
      this.#recorder.known(change, former !== undefined && this.#changes.has(former) ? undefined : former);
    }
    for (const change of this.#changes.values()) {
      yield;
      if (!this.#progress.takesRequests(change.address)) this.#recorder.unchanged(change);
    }
    for (const [address, actual] of account?.ours ?? []) {
      yield;
      if (!known.has(actual.id)) this.#recorder.marked(address, actual);
    }
  }

  /** Records, before the first request, the access control of URLs that may become unreachable. */
  rememberLastAccess(): Promise<void> {
    return this.state.rememberAccess(this.#options.plan.lastAccess.remember);
  }

  /** Removes those records for URLs that are reachable again, once the whole plan is applied. */
  async forgetLastAccess(changes: readonly ChangeOutcome[]): Promise<void> {
    const { forget } = this.#options.plan.lastAccess;
    if (areAllDone(changes))
      await this.state.rememberAccess(Object.fromEntries(forget.map((pattern) => [pattern, null])));
  }

  /** Writes the files whose content is known before the apply, because it was issued earlier. */
  async keepKnown(): Promise<void> {
    for (const file of this.#files.values()) {
      if (file.text === undefined || !this.mayGoOn()) continue;
      const change = this.#change(file.address);
      const result = await writePlannedFile(file, file.text, this.#options.writeFile);
      this.#filed.set(file.address, result);
      if (result.ending !== 'done') this.#fail(change, result);
      else if (change.action === 'write-file') this.#progress.stepDone(change, undefined);
    }
  }

  /** Records ahead a deletion that starts soon, and the intent of such a creation, if the new resource can be found by its nonce. */
  prepare({ address, request, role }: Step): void {
    if (role === 'delete') this.#recorder.deletionAhead(this.#change(address));
    if (request.method !== 'POST' || request.marker === undefined || !this.#ahead.isNew(address)) return;
    const change = this.#change(address);
    const kind = this.#kind(change);
    const isListedKind = isListed(kind, undefined, this.#options.plan.profile);
    if (!isListedKind || this.state.intent(address) !== undefined || holdsOutside(change.desired ?? {})) return;
    const parent = this.#known.parentOf(change, kind);
    this.#ahead.record(address, { kind: kind.name, ...(parent === undefined ? {} : { parent }) });
  }

  /** Takes back what was recorded ahead of requests that were not started. */
  withdrawAhead(): void {
    this.#ahead.withdrawRest();
    this.#recorder.withdrawDeletions();
  }

  /** Performs one step. Never throws. */
  async perform(step: Step): Promise<StepResult> {
    const change = this.#change(step.address);
    const kind = this.#kind(change);
    const operation = operationOf(kind, step.request).name;
    const notOffered = this.#notOffered.get(operation);
    if (notOffered !== undefined) return this.#fail(change, { ending: 'not-started', error: notOffered });
    this.#progress.started(step, change);
    try {
      const onSend = (): void => void this.#sent.add(step.id);
      const deleting: StepSender['deleting'] = (one) => this.#recorder.deleting(one);
      const sender = { ...this.#sender, onSend, deleting };
      return await this.#succeed(step, change, await sendStep(step, change, kind, sender));
    } catch (error) {
      const last = error instanceof LookUpFailed || error instanceof EarlierAttemptLost ? error.cause : error;
      if (last instanceof NotAllowed) this.#isAllowed = false;
      if (error instanceof OperationNotOffered) this.#notOffered.set(operation, error);
      return this.#fail(change, { ending: endingOf(error), error });
    }
  }

  /** The outcome of each change, from the results of its steps. */
  *outcomes(results: ReadonlyMap<string, StepResult>): Sliced<ChangeOutcome[]> {
    const own = new Map<Address, StepResult[]>();
    for (const [address, { text }] of this.#files)
      if (text !== undefined) own.set(address, [this.#filed.get(address) ?? { ending: 'not-started' }]);
    const deletions = new Map<Address, StepResult>();
    for (const step of this.#options.plan.steps) {
      const result = results.get(step.id) ?? { ending: 'not-started' };
      own.set(step.address, [...(own.get(step.address) ?? []), result]);
      if (step.role === 'delete') deletions.set(step.address, result);
    }
    return yield* mapSliced(
      [...this.#changes.values()].filter(({ action }) => action !== 'none'),
      (change) => {
        const ended = own.get(change.address) ?? this.#withoutRequest(change, deletions);
        return changeOutcomeOf(change, ended, this.#id(change), this.#options.isRepeated);
      },
    );
  }

  /** Removes the intents of earlier creations whose outcome is known by now, and returns those that only a person can resolve. */
  async concludeEarlier(changes: readonly ChangeOutcome[]): Promise<UnresolvedCreation[]> {
    const { unresolved, resolvedCreations } = this.#options.plan;
    const open = new Set(changes.flatMap(({ address, ending }) => (ending === 'done' ? [] : [address])));
    const conclude = async (address: Address): Promise<void> => {
      if (!open.has(address) && !(await this.#mayAppear(address))) this.state.dropIntent(address);
    };
    await Promise.all(resolvedCreations.map(conclude));
    return unresolved.filter(({ address }) => this.state.intent(address) !== undefined && !open.has(address));
  }

  /** Finds resources that were created twice: by this run, and by another copy of the stack at the same time. */
  async duplicates(): Promise<Duplicate[]> {
    const { plan, client } = this.#options;
    // A run without its lock must not send requests.
    if (!this.mayGoOn()) return [];
    const made = [...this.#changes.values()].flatMap((change): Made[] => {
      const { address, marker } = change;
      const created = this.#known.created(address);
      if (created === undefined || marker === undefined) return [];
      return [{ address, kind: this.#kind(change), id: created.id, marker, spec: change.desired ?? {} }];
    });
    const isKnown = this.#sender.creating.isTaken;
    return duplicatesMade(made, { client, profile: plan.profile, isKnown, mayGoOn: () => this.mayGoOn() });
  }

  /** Whether an earlier creation that the plan has not found has made something after all: a list may lag behind. */
  async #mayAppear(address: Address): Promise<boolean> {
    const { kinds } = this.#options;
    const { lookUp, isTaken } = this.#sender.creating;
    const { kind: name = '', parent, nonces = [] } = this.state.intent(address) ?? {};
    const kind = kinds.named(name);
    if (kind === undefined) return false;
    // A run that is to end sends no request; the next one looks.
    if (!this.mayGoOn()) return true;
    try {
      const there = await lookUp(kind, parent, undefined);
      return there?.some(({ id, marker }) => nonces.includes(marker?.n ?? '') && !isTaken(id)) === true;
    } catch (error) {
      // Its parent is gone, or nobody knows.
      return !isNotFound(error);
    }
  }

  /** The result of a change without a request: that of the deletion of its parent, or else done once it is recorded in state. */
  #withoutRequest({ deletedWith }: Change, deletions: ReadonlyMap<Address, StepResult>): StepResult[] {
    if (deletedWith !== undefined) return [deletions.get(deletedWith) ?? { ending: 'not-started' }];
    const error = this.state.failure();
    return error === undefined ? [] : [{ ending: 'failed', error }];
  }

  async #succeed(step: Step, change: Change, sent: SentStep): Promise<StepResult> {
    const created = 'created' in sent ? sent.created : undefined;
    if (created !== undefined) this.#known.noteCreated(step.address, created);
    const kept = this.#known.noteAnswer(step, this.#kind(change), 'answer' in sent ? sent.answer : created?.answer);
    this.#recorder.stepDone(step, change, this.#progress.carriedOut(step));
    if (Object.keys(kept).length > 0)
      return this.#fail(change, { ending: 'failed', error: notCleared(kept), isWritten: true });
    const filed = step.role === 'create' ? await this.#keepIssued(change) : undefined;
    if (filed !== undefined && filed.ending !== 'done') return this.#fail(change, { ...filed, isWritten: true });
    return this.#progress.stepDone(change, this.#known.id(step.address));
  }

  /** Writes the file of a credential that was just issued, before the one that it replaces is deleted. */
  async #keepIssued(change: Change): Promise<StepResult | undefined> {
    const file = this.#files.get(change.address);
    const computed = this.#known.created(change.address)?.actual.computed;
    return file === undefined
      ? undefined
      : writePlannedFile(file, issuedText(this.#kind(change), computed), this.#options.writeFile);
  }

  #fail(change: Change, result: StepResult): StepResult {
    return this.#progress.stepFailed(change, this.#id(change), result);
  }

  #id({ address, id }: Change): string | undefined {
    return this.#known.id(address) ?? id;
  }

  #change(address: Address): Change {
    const change = this.#changes.get(address);
    if (change === undefined) throw new TypeError(`the plan has a step for ${address} but no change`);
    return change;
  }

  #kind({ kind: name }: Change): Kind {
    const kind = this.#options.kinds.named(name);
    if (kind === undefined) throw new TypeError(`unknown kind ${name}`);
    return kind;
  }
}

function senderOf(
  options: ApplyOptions,
  known: KnownResources,
  state: StateWriter,
  ahead: IntentsAhead,
): Omit<StepSender, 'onSend' | 'deleting'> {
  const { client, kinds, plan, clock = wallClock, lookUpDelayMs = LOOK_UP_DELAY_MS, signal } = options;
  const planned = new Set(plan.changes.flatMap(({ id }) => id ?? []));
  const begun = (options.now ?? Date.now)();
  return {
    client,
    known,
    creating: {
      lookUp: lookUps({ client, kinds, profile: plan.profile, clock, lookUpDelayMs }),
      isListed: (kind, body) => isListed(kind, body, plan.profile),
      state,
      clock,
      signal,
      drawNonce: options.drawNonce ?? drawNonce,
      intentAhead: (address) => ahead.take(address),
      onRetry: (address, why) => options.onEvent?.({ type: 'waiting', address, why }),
      isTaken: (id) => planned.has(id) || options.seen?.has(id) === true || known.hasMade(id),
    },
    sending: { kinds, clock, lookUpDelayMs, signal },
    digest: options.digest,
    endOf: (seconds) => new Date(begun + seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z'),
  };
}

function notCleared(kept: Readonly<Record<string, string>>): SluiceError {
  const fields = Object.keys(kept).join(', ');
  return new SluiceError('FIELD_NOT_CLEARED', `the service did not clear ${fields}`, {
    hint: 'set a value for each of these fields in the manifest; until then, the service keeps the current value',
  });
}

/** Draws a nonce for a marker: a resource with this nonce was created by the run that drew it. */
function drawNonce(): string {
  // The first digits of a UUID are random. randomUUID is much cheaper than randomBytes, because it draws many at once.
  return randomUUID().replaceAll('-', '').slice(0, NONCE_DIGITS);
}
