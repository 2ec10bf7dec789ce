import { randomBytes } from 'node:crypto';
import { wallClock, type Clock } from '../api/clock.ts';
import { mayHaveHappened, NotAllowed } from '../api/errors.ts';
import { NONCE_DIGITS } from '../derive/marker.ts';
import { UnexpectedAnswer } from '../derive/from-wire.ts';
import { issuedText } from '../derive/issued-text.ts';
import { operationOf, pathText } from '../derive/operations.ts';
import { resolveRefs } from '../derive/references.ts';
import { bodyOf, type Json } from '../derive/to-wire.ts';
import { InvalidInput, Refused, SluiceError } from '../diagnostics/errors.ts';
import { hasErrors } from '../diagnostics/diagnostic.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Address } from '../model/address.ts';
import type { ChangeOutcome, Outcome } from '../model/outcome.ts';
import { isEmptyPlan, type Change, type FileChange, type Plan, type Step } from '../model/plan.ts';
import type { Entry } from '../model/state.ts';
import type { ApplyOptions } from './apply-options.ts';
import { CannotTell, createOnce, NotRecorded, type Created, type CreateOptions } from './create.ts';
import { keepFile } from './keep-file.ts';
import { holdState, type Memory } from './memory.ts';
import { keptOf } from './kept.ts';
import { lookUps } from './look-up.ts';
import { answeredBy } from './answered-by.ts';
import { entryOf, isElsewhereOnly, secretsIn } from './record.ts';
import { outcomeOf } from './ending.ts';
import { giveUp, relocate } from './relocate.ts';
import { OperationNotOffered, sendOnce } from './send.ts';
import { runSteps, type StepResult } from './schedule.ts';
import { unsavedBecause } from './unsaved.ts';
import { wholeStates } from './whole-states.ts';

/** Requests at once unless told otherwise. */
export const DEFAULT_PARALLELISM = 10;

const SETTLE_MS = 2_000;

/** Carries a plan out, in its order, recording each success. Never throws for a change that fails: the outcome says so. */
export async function applyPlan(options: ApplyOptions): Promise<Outcome> {
  const { plan } = options;
  mustBeApplicable(plan);
  const run = new Run(options);
  relocate(plan.changes, run.memory);
  run.recordUnchanged();
  await run.keepKnown();
  const results = await runSteps(plan.steps, {
    parallelism: options.parallelism ?? DEFAULT_PARALLELISM,
    mayStart: () => run.mayGoOn(),
    perform: (step) => run.perform(step),
  });
  const failure = await run.memory.settle();
  const changes = run.outcomes(results);
  return {
    changes,
    requests: run.sent,
    interrupted: options.signal?.aborted === true,
    ...(failure === undefined ? {} : { unsaved: unsavedBecause(failure) }),
  };
}

/** A plan with errors, or with a change that is blocked, is not begun (rulings 3). */
function mustBeApplicable({ changes, diagnostics }: Plan): void {
  if (hasErrors(diagnostics)) throw new InvalidInput(diagnostics);
  const blocked = changes.filter((change) => change.blocked !== undefined);
  if (blocked.length > 0)
    throw new Refused(
      'BLOCKED',
      blocked.map(({ address, blocked: why }) => `${address}: ${why?.message ?? ''}`).join('\n'),
    );
}

class Run {
  readonly memory: Memory;
  sent = 0;
  readonly #options: ApplyOptions;
  readonly #changes: ReadonlyMap<Address, Change>;
  readonly #left = new Map<Address, number>();
  readonly #ids = new Map<Address, string>();
  readonly #created = new Map<Address, Created>();
  // The ids of what was created.
  readonly #made = new Set<string>();
  readonly #nonces = new Map<Address, string>();
  readonly #clock: Clock;
  readonly #creating: CreateOptions;
  readonly #kept = new Map<Address, Readonly<Record<string, string>>>();
  readonly #notOffered = new Map<string, OperationNotOffered>();
  readonly #failed = new Set<Address>();
  readonly #begun = new Set<Address>();
  readonly #answers = new Map<Address, Readonly<Record<string, unknown>>>();
  readonly #files: ReadonlyMap<Address, FileChange>;
  readonly #filed = new Map<Address, StepResult>();
  readonly #now: number;
  readonly #isEmpty: boolean;
  #finished = 0;
  #allowed = true;

  constructor(options: ApplyOptions) {
    this.#options = options;
    this.memory = holdState(options.state, options.record ?? wholeStates(options.state, options.save));
    const { client, kinds, plan, clock = wallClock } = options;
    this.#clock = clock;
    const lookUp = lookUps({ client, kinds, profile: plan.profile, clock, settleMs: options.settleMs ?? SETTLE_MS });
    const known = new Set(plan.changes.flatMap(({ id }) => id ?? []));
    this.#creating = {
      client,
      lookUp,
      memory: this.memory,
      clock,
      signal: options.signal,
      drawNonce: options.drawNonce ?? drawNonce,
      onWait: (address, why) => options.onEvent?.({ type: 'waiting', address, why }),
      isTaken: (id) => known.has(id) || options.seen?.has(id) === true || this.#made.has(id),
    };
    this.#changes = new Map(options.plan.changes.map((change) => [change.address, change]));
    this.#files = new Map(plan.files.map((file) => [file.address, file]));
    this.#now = (options.now ?? Date.now)();
    this.#isEmpty = isEmptyPlan(plan);
    for (const { address, action } of plan.changes) if (action === 'write-file') this.#left.set(address, 0);
    for (const { address } of options.plan.steps) this.#left.set(address, (this.#left.get(address) ?? 0) + 1);
    for (const { address, id, action } of options.plan.changes)
      if (id !== undefined && !isMadeAnew(action)) this.#ids.set(address, id);
  }

  mayGoOn(): boolean {
    const { signal, mayStart } = this.#options;
    return signal?.aborted !== true && this.#allowed && this.memory.failure() === undefined && mayStart?.() !== false;
  }

  /** What needs no request is still remembered: state that was lost or old catches up with the account. */
  recordUnchanged(): void {
    for (const change of this.#changes.values()) {
      if ((this.#left.get(change.address) ?? 0) > 0) continue;
      if (change.action === 'forget') giveUp(change, this.memory);
      else if (change.action === 'none' || change.action === 'adopt' || change.action === 'write-file')
        this.#record(change, change.id ?? '', change.parent);
    }
  }

  /** Writes the files of what was issued before. */
  async keepKnown(): Promise<void> {
    for (const file of this.#files.values()) {
      if (file.text === undefined || !this.mayGoOn()) continue;
      const { address, action } = this.#change(file.address);
      const result = await keepFile(file, file.text, this.#options.writeFile);
      this.#filed.set(address, result);
      if (result.ending !== 'done') this.#fail(this.#change(address), result);
      else if (action === 'write-file') this.#finish({ address, action, ending: 'done' });
    }
  }

  async perform(step: Step): Promise<StepResult> {
    const change = this.#change(step.address);
    const kind = this.#kind(change);
    const operation = operationOf(kind, step.request).name;
    const notOffered = this.#notOffered.get(operation);
    if (notOffered !== undefined) return this.#fail(change, { ending: 'not-started', error: notOffered });
    this.#options.onEvent?.({ type: 'started', address: step.address, action: change.action, step: step.id });
    try {
      const sent = await this.#send(step, change, kind);
      if ('id' in sent) {
        this.#created.set(step.address, sent);
        this.#made.add(sent.id);
      }
      return await this.#succeed(step, change, sent.answer);
    } catch (error) {
      if (error instanceof NotAllowed) this.#allowed = false;
      if (error instanceof OperationNotOffered) this.#notOffered.set(operation, error);
      if (error instanceof CannotTell && !error.isSent) this.sent -= 1;
      if (error instanceof NotRecorded) {
        this.sent -= 1;
        return this.#fail(change, { ending: 'not-started', error });
      }
      const isUnclear = error instanceof CannotTell || error instanceof UnexpectedAnswer;
      return this.#fail(change, { ending: mayHaveHappened(error) || isUnclear ? 'unknown' : 'failed', error });
    }
  }

  outcomes(results: ReadonlyMap<string, StepResult>): ChangeOutcome[] {
    const own = new Map<Address, StepResult[]>();
    for (const [address, { text }] of this.#files)
      if (text !== undefined) own.set(address, [this.#filed.get(address) ?? { ending: 'not-started' }]);
    const gone = new Map<Address, StepResult>();
    for (const step of this.#options.plan.steps) {
      const result = results.get(step.id) ?? { ending: 'not-started' };
      own.set(step.address, [...(own.get(step.address) ?? []), result]);
      if (step.role === 'delete') gone.set(step.address, result);
    }
    return [...this.#changes.values()]
      .filter(({ action }) => action !== 'none')
      .map((change) => {
        const mine = own.get(change.address) ?? this.#withoutRequest(change, gone);
        return outcomeOf(change, mine, this.#ids.get(change.address) ?? change.id);
      });
  }

  /** What takes no request goes with what it lives in, or is done once it is remembered. */
  #withoutRequest({ withParent }: Change, gone: ReadonlyMap<Address, StepResult>): StepResult[] {
    if (withParent !== undefined) return [gone.get(withParent) ?? { ending: 'not-started' }];
    const error = this.memory.failure();
    return error === undefined ? [] : [{ ending: 'failed', error }];
  }

  async #send(step: Step, change: Change, kind: Kind): Promise<Created | { readonly answer: unknown }> {
    const { request } = step;
    const { client, kinds, signal } = this.#options;
    const idOf = (address: Address): string => this.#idOf(address);
    const path = pathText(request.path, idOf);
    const secrets = request.body === undefined ? [] : secretsIn(request.body, []).map(({ text }) => text);
    const about = { address: step.address, kind, path, secrets };
    this.sent += 1;
    if (request.method === 'POST') {
      const parent = this.#parentOf(change, kind);
      const body = (nonce: string): Json | undefined => bodyOf(request, { idOf, nonce, endOf: this.#endOf });
      return createOnce({ ...about, parent, body, isMarked: request.marker !== undefined }, this.#creating);
    }
    const id = this.#ids.get(step.address) ?? change.id ?? '';
    const body = bodyOf(request, { idOf, nonce: this.#nonce(step.address), endOf: this.#endOf });
    const sent = {
      ...about,
      method: request.method,
      id,
      parent: change.parent ?? this.#parentOf(change, kind),
      isEnd: step.role === 'delete',
      since: operationOf(kind, request).since,
      ...(body === undefined ? {} : { body }),
    };
    return {
      answer: await sendOnce(sent, {
        client,
        kinds,
        clock: this.#clock,
        settleMs: this.#options.settleMs ?? SETTLE_MS,
        signal,
      }),
    };
  }

  async #succeed(step: Step, change: Change, answer: unknown): Promise<StepResult> {
    const { address } = step;
    const kept = step.request.method === 'PATCH' ? keptOf(this.#kind(change), step.request.body, answer) : {};
    this.#kept.set(address, { ...this.#kept.get(address), ...kept });
    this.#answers.set(address, { ...this.#answers.get(address), ...answeredBy(step, answer) });
    const created = this.#created.get(address);
    if (step.role === 'create' && created !== undefined) this.#ids.set(address, created.id);
    const left = (this.#left.get(address) ?? 1) - 1;
    this.#left.set(address, left);
    const id = this.#ids.get(address);
    if (step.role === 'delete') {
      this.#forgetInside(change);
      this.#strikeSuperseded(change.id);
    }
    if (step.role === 'delete' && !isMadeAnew(change.action)) this.memory.drop(address);
    else if (change.action === 'forget') this.memory.drop(address);
    else if (id !== undefined && (left === 0 || step.role === 'create'))
      this.#record(change, id, this.#parentOf(change, this.#kind(change)), step);
    if (Object.keys(kept).length > 0)
      return this.#fail(change, { ending: 'failed', error: notCleared(kept), isWritten: true });
    const filed = step.role === 'create' ? await this.#keepIssued(change) : undefined;
    if (filed !== undefined && filed.ending !== 'done') return this.#fail(change, { ...filed, isWritten: true });
    this.#begun.add(address);
    if (left === 0 && !this.#failed.has(address))
      this.#finish({ address, action: change.action, ending: 'done', ...(id === undefined ? {} : { id }) });
    return { ending: 'done' };
  }

  /** What was just issued is kept before what it replaces goes. */
  async #keepIssued(change: Change): Promise<StepResult | undefined> {
    const file = this.#files.get(change.address);
    const actual = this.#created.get(change.address)?.actual;
    return file === undefined
      ? undefined
      : keepFile(file, issuedText(this.#kind(change), actual?.computed), this.#options.writeFile);
  }

  /** A creation is remembered at once, with what it carried; what a later request adds is remembered then. */
  #record(change: Change, id: string, parent: string | undefined, step?: Step): void {
    const kind = this.#kind(change);
    const spec = resolveRefs(change.desired ?? {}, (address) => this.#ids.get(address));
    const unfinished = step?.role === 'create' && (this.#left.get(change.address) ?? 0) > 0;
    const carried = new Set([...Object.keys(step?.request.body ?? {}), kind.within?.by]);
    const written = unfinished ? Object.fromEntries(Object.entries(spec).filter(([name]) => carried.has(name))) : spec;
    const previous = this.memory.entry(change.address);
    const answered = this.#answers.get(change.address);
    const nonce = this.#created.get(change.address)?.nonce ?? this.#nonces.get(change.address);
    const entry = entryOf(
      {
        change,
        kind,
        id,
        spec: written,
        previous,
        superseded: stillToDelete(change, step, previous),
        kept: this.#kept.get(change.address) ?? {},
        ...(parent === undefined ? {} : { parent }),
        ...(nonce === undefined ? {} : { nonce }),
        ...(answered === undefined ? {} : { answer: { ...answered, id } }),
      },
      this.#options.digest,
    );
    // Lines that have moved in a file are no reason to write; they are written along with what is.
    if (!this.#isEmpty || !isElsewhereOnly(previous, entry)) this.memory.put(change.address, entry);
  }

  /** What lived inside something that is deleted, or made anew, and is not wanted any more is gone with it. */
  #forgetInside(change: Change): void {
    for (const { address, withParent, action } of this.#changes.values())
      if (withParent === change.address && action === 'delete') this.memory.drop(address);
  }

  /** An old one that was left behind by an earlier run is gone now. */
  #strikeSuperseded(id: string | undefined): void {
    for (const address of this.#changes.keys()) {
      const entry = this.memory.entry(address);
      if (id === undefined || entry?.superseded?.includes(id) !== true) continue;
      const { superseded, ...rest } = entry;
      const left = superseded.filter((other) => other !== id);
      this.memory.put(address, left.length === 0 ? rest : { ...rest, superseded: left });
    }
  }

  #fail(change: Change, result: StepResult): StepResult {
    if (!this.#failed.has(change.address)) {
      this.#failed.add(change.address);
      const before: StepResult[] = this.#begun.has(change.address) ? [{ ending: 'done' }] : [];
      this.#finish(outcomeOf(change, [...before, result], this.#ids.get(change.address) ?? change.id));
    }
    return result;
  }

  #finish(outcome: ChangeOutcome): void {
    this.#finished += 1;
    this.#options.onEvent?.({ type: 'finished', outcome, done: this.#finished, total: this.#left.size });
  }

  readonly #endOf = (seconds: number): string =>
    new Date(this.#now + seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');

  #idOf(address: Address): string {
    const id = this.#ids.get(address);
    if (id === undefined) throw new SluiceError('NO_ID', `the id of ${address} is not known`);
    return id;
  }

  #parentOf(change: Change, kind: Kind): string | undefined {
    const parent =
      kind.within === undefined
        ? undefined
        : resolveRefs(change.desired?.[kind.within.by] ?? null, (address) => this.#ids.get(address));
    return typeof parent === 'string' ? parent : change.parent;
  }

  /** The nonce of a marker that is put on something that had none. */
  #nonce(address: Address): string {
    const drawn = this.#nonces.get(address) ?? this.#creating.drawNonce();
    this.#nonces.set(address, drawn);
    return drawn;
  }

  #change(address: Address): Change {
    const change = this.#changes.get(address);
    if (change === undefined) throw new TypeError(`the plan has a step of ${address}, but no change`);
    return change;
  }

  #kind({ kind: name }: Change): Kind {
    const kind = this.#options.kinds.named(name);
    if (kind === undefined) throw new TypeError(`no kind named ${name}`);
    return kind;
  }
}

/** What a replacement has left behind: the old one, from the moment the new one is there until it is deleted. */
function stillToDelete({ action, id }: Change, step: Step | undefined, previous: Entry | undefined): string[] {
  const before = previous?.superseded ?? [];
  if (id === undefined || action !== 'replace-create-first') return [...before];
  const others = before.filter((other) => other !== id);
  return step?.role === 'create' ? [...others, id] : step?.role === 'delete' ? others : [...before];
}

function notCleared(kept: Readonly<Record<string, string>>): SluiceError {
  const fields = Object.keys(kept).join(', ');
  return new SluiceError('NOT_CLEARED', `the service was asked to clear ${fields}, and kept what was there`, {
    hint: 'it is left as it is from now on; write another text instead',
  });
}

function drawNonce(): string {
  return randomBytes(NONCE_DIGITS / 2).toString('hex');
}

function isMadeAnew(action: Change['action']): boolean {
  return action === 'create' || action === 'replace-create-first' || action === 'replace-delete-first';
}
