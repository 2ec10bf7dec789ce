import { counted } from '../diagnostics/counted.ts';
import { InvalidInput } from '../diagnostics/errors.ts';
import { hasErrors, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Address } from '../model/address.ts';
import type { DesiredStack } from '../model/resource.ts';
import type {
  RunningApply,
  ApplyRecord,
  Condition,
  DriftConflict,
  ResourceStatus,
  Revision,
  PendingChange,
  WatchRole,
  WatchStatus,
} from '../model/watch-status.ts';
import { createDigester } from '../state/digest.ts';
import type { Lock } from '../state/lock.ts';
import { conditionsOf } from './status/conditions.ts';
import { lastGood } from './decide/last-good.ts';
import { emptyWatchState, readWatchState, writeWatchState, type WatchState } from './watch-state.ts';
import type { HeldBackChange } from './decide/select-applicable.ts';
import type { Ports, LoadedStack } from './ports.ts';
import type { SourceReading } from './source/watch-source.ts';
import { failureDetails, Failures, type FailureDetails } from './failures.ts';
import { cachedDigests, type CachedDigests } from './decide/cached-digests.ts';
import { DesiredHashes } from './decide/desired-hashes.ts';
import { indefinitely, type OperatorRequests } from './operator-requests.ts';

const defaultPace = { first: 5_000, most: 600_000 };

/** What a watch knows between one turn and the next. Every change of it is told. */
export class Controller {
  readonly #ports: Ports;
  readonly #began: number;
  readonly #troubles: Failures;
  #role: WatchRole = 'standby';
  #leader: string | undefined;
  #lock: Lock | undefined;
  #pause: WatchStatus['pause'];
  #conditions: readonly Condition[] = [];
  #stack: LoadedStack | undefined;
  #desired: DesiredStack | undefined;
  #revision: Revision | undefined;
  #goodRevision: Revision | undefined;
  #diagnostics: readonly Diagnostic[] = [];
  #memory: WatchState = emptyWatchState();
  #saved: WatchState | undefined;
  #isRead = true;
  #digests = digestsOf(this.#memory);
  #next: number | undefined;
  #looked: number | undefined;
  #lastSuccess: number | undefined;
  readonly wants = new DesiredHashes();
  /** Which version of the wishes was read last. */
  wishesSeen = '';
  waiting: readonly PendingChange[] = [];
  fights: readonly DriftConflict[] = [];
  resources: readonly ResourceStatus[] = [];
  applying: RunningApply | undefined;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#began = ports.now();
    this.#troubles = new Failures(ports);
    this.#recall();
  }

  get stack(): LoadedStack | undefined {
    return this.#stack;
  }

  get desired(): DesiredStack | undefined {
    return this.#desired;
  }

  get revision(): Revision | undefined {
    return this.#revision;
  }

  get memory(): WatchState {
    return this.#memory;
  }

  /** Stands for secrets, and stays the same from turn to turn. */
  get digest(): (text: string) => string {
    return this.#digests.of;
  }

  take(role: Exclude<WatchRole, 'leader' | 'paused'>, leader?: string): void {
    if (role !== this.#role || leader !== this.#leader) this.#ports.log('info', 'role', inWords(role, leader));
    this.#role = role;
    this.#leader = leader;
    this.#lock = undefined;
    if (leader !== undefined) this.#forget();
    this.tell();
  }

  /** What waits and what fails is told by the one who leads. */
  #forget(): void {
    this.#troubles.clear();
    this.#diagnostics = [];
    this.waiting = [];
    this.fights = [];
    this.resources = [];
    const { approve: _, ...memory } = this.#memory;
    this.#memory = memory;
  }

  /** Another process may have led since: what it has seen and done is not known here. */
  leads(lock: Lock): void {
    this.#recall();
    this.#stack = undefined;
    this.#desired = undefined;
    this.#goodRevision = undefined;
    this.#looked = undefined;
    this.#troubles.hurry();
    this.wants.clear();
    this.#role = 'leader';
    this.#leader = undefined;
    this.#lock = lock;
    this.#ports.log('info', 'role', 'this process is the leader');
    this.tell();
  }

  pauses({ until, reason }: NonNullable<OperatorRequests['pause']>): void {
    const when = until >= indefinitely ? 'it is resumed' : new Date(until).toISOString();
    if (this.#pause?.until !== until || this.#pause.reason !== reason)
      this.#ports.log('info', 'paused', `paused until ${when}${reason === undefined ? '' : `: ${reason}`}`);
    this.#pause = { until, ...(reason === undefined ? {} : { reason }) };
    this.#role = 'paused';
    this.#lock = undefined;
    this.tell();
  }

  resumes(): void {
    if (this.#pause === undefined) return;
    this.#pause = undefined;
    this.#ports.log('info', 'resumed', 'reconciliation resumed');
    this.take('standby');
  }

  turning(): void {
    this.#digests.nextTurn();
    this.#next = undefined;
    this.tell();
  }

  /** What was read comes into force as far as it is sound; a newer revision is tried at once, whatever failed before. */
  hasRead({ value, revision, isNew }: SourceReading<LoadedStack>): void {
    const { diagnostics } = value.desired;
    this.worked('manifests');
    this.#stack = value;
    this.#desired = lastGood(value.desired, this.#desired);
    if (isNew) {
      this.#troubles.hurry();
      this.#ports.log('info', 'revision', `manifests loaded: ${counted(value.desired.resources.length, 'resource')}`, {
        ...revision,
      });
      for (const { severity, code, message, place } of diagnostics)
        if (severity === 'error')
          this.#ports.log('error', 'manifest', message, {
            code,
            ...(place === undefined ? {} : { place: `${place.file}:${place.line}:${place.col}` }),
          });
    }
    this.#revision = revision;
    this.#diagnostics = diagnostics;
    if (!hasErrors(diagnostics)) this.#goodRevision = revision;
    this.tell();
  }

  /** Something failed: it is tried again after a while that grows. */
  failed(cause: string, error: unknown): void {
    if (error instanceof InvalidInput) this.#diagnostics = error.diagnostics;
    this.failedSo(cause, failureDetails(error));
  }

  failedSo(cause: string, fault: FailureDetails): void {
    this.#troubles.failed(cause, fault, this.#stack?.pace ?? defaultPace);
    this.tell();
  }

  worked(cause: string): void {
    this.#troubles.worked(cause);
  }

  retryAt(cause: string): number | undefined {
    return this.#troubles.retryAt(cause);
  }

  /** Whether something has failed since there were other manifests. */
  hasTrouble(cause: string): boolean {
    return this.#troubles.all.some((one) => one.scope === cause && one.attempts > 0);
  }

  /** Forgets failures of resources that are wanted no more, or stand as they should. */
  onlyTroublesOf(isStill: (address: Address) => boolean): void {
    this.#troubles.onlyOf(isStill);
  }

  hasLooked(): void {
    this.worked('account');
    this.#looked = this.#ports.now();
  }

  succeeded(): void {
    this.#lastSuccess = this.#ports.now();
  }

  /** Since when each change waits for what it waits for. */
  waits(held: readonly HeldBackChange[]): void {
    const keyOf = (one: HeldBackChange): string => `${one.address} ${one.reason} ${one.message}`;
    const since = new Map(this.waiting.map((one) => [keyOf(one), one.since]));
    for (const one of held)
      if (!since.has(keyOf(one)))
        this.#ports.log('info', 'pending', `${one.address} is pending (${one.reason}): ${one.message}`, {
          address: one.address,
        });
    const now = this.#ports.now();
    this.waiting = held.map((one) => ({ ...one, since: since.get(keyOf(one)) ?? now }));
  }

  remember(change: Partial<WatchState>): void {
    this.#memory = { ...this.#memory, ...change };
  }

  waitsForApproval(digest: string | undefined): void {
    const { approve: _, ...rest } = this.#memory;
    this.#memory = digest === undefined ? rest : { ...rest, approve: digest };
  }

  addRecord(record: ApplyRecord): void {
    this.remember({ history: [record, ...this.#memory.history].slice(0, 50) });
  }

  /**
   * Keeps what must outlive this process, as long as it leads; what can be approved from then on is told. That it cannot be kept stops
   * nothing.
   */
  async keep(): Promise<void> {
    const kept = this.#memory;
    const { approve } = kept;
    const isNew = approve !== undefined && approve !== this.#saved?.approve;
    if (this.#lock?.isMine() !== true || isSame(this.#saved, kept)) return;
    if (!this.#isRead && (this.retryAt('memory') !== undefined || !this.#recall())) return;
    try {
      await writeWatchState(this.#ports.files.memory, kept);
      this.#saved = kept;
      this.worked('memory');
      if (isNew)
        this.#ports.log('warn', 'approval', `pending changes need approval: run \`sluice approve ${approve}\``, {
          digest: approve,
        });
    } catch (error) {
      this.failed('memory', error);
    }
  }

  /** When to turn again at the latest: the next look, or the next try of what failed. */
  rest(): number {
    const { now, clock } = this.#ports;
    const interval = (this.#stack?.intervalMs ?? defaultPace.first) * (0.9 + 0.2 * clock.random());
    // An account that cannot be looked at is looked at when it is tried again.
    const look = this.retryAt('account') ?? (this.#looked ?? now()) + interval;
    this.#next = Math.max(now() + 100, Math.min(look, this.#troubles.next()));
    this.tell();
    return this.#next;
  }

  tell(): void {
    const facts = {
      stack: this.#ports.stack,
      version: this.#ports.version,
      startedAt: this.#began,
      now: this.#ports.now(),
      role: this.#role,
      resources: this.resources,
      pending: this.waiting,
      history: this.#memory.history,
      driftConflicts: this.fights,
      failures: this.#troubles.all,
      diagnostics: this.#diagnostics,
      ...present({
        leader: this.#leader,
        pause: this.#pause,
        revision: this.#revision,
        lastGood: this.#revision?.content === this.#goodRevision?.content ? undefined : this.#goodRevision,
        approvalDigest: this.#memory.approve,
        applying: this.applying,
        lastSuccess: this.#lastSuccess,
        lastRefresh: this.#looked,
        nextRefresh: this.#next,
        dueBy: this.#next === undefined ? undefined : this.#next + 60_000,
      }),
    };
    this.#conditions = conditionsOf(facts, this.#conditions);
    this.#ports.tell({ ...facts, conditions: this.#conditions });
  }

  /** Whether what is remembered could be read; if not, that is reported, and tried again before anything replaces it. */
  #recall(): boolean {
    let readable = true;
    try {
      this.#memory = readWatchState(this.#ports.files.memory);
      this.worked('memory');
    } catch (error) {
      readable = false;
      this.#memory = emptyWatchState();
      this.#troubles.failed('memory', failureDetails(error), this.#stack?.pace ?? defaultPace);
    }
    this.#isRead = readable;
    this.#saved = this.#memory;
    this.#digests = digestsOf(this.#memory);
    return readable;
  }
}

function digestsOf({ salt }: WatchState): CachedDigests {
  return cachedDigests((text) => createDigester(salt)(text));
}

function inWords(role: WatchRole, leader: string | undefined): string {
  if (role !== 'standby') return role;
  return leader === undefined ? 'standby' : `standby: the leader is ${leader}`;
}

// History is long, and a record of it never changes.
function isSame(saved: WatchState | undefined, { history, ...rest }: WatchState): boolean {
  if (saved?.history !== history) return false;
  const { history: _history, ...before } = saved;
  return JSON.stringify(before) === JSON.stringify(rest);
}

type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

function present<T extends object>(given: T): Present<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Present<T>;
}
