import { InvalidInput, SluiceError } from '../diagnostics/errors.ts';
import { hasErrors, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Address } from '../model/address.ts';
import type { DesiredStack } from '../model/resource.ts';
import type {
  Applying,
  ApplyRecord,
  Condition,
  Fight,
  ResourceStatus,
  Revision,
  Trouble,
  Waiting,
  WatchRole,
  WatchStatus,
} from '../model/watch-status.ts';
import { failedAgain } from './backoff.ts';
import { conditionsOf } from './conditions.ts';
import type { Healings } from './fights.ts';
import type { Held } from './narrow.ts';
import { inForce } from './in-force.ts';
import { noMemory, readMemory, writeMemory, type Memory } from './memory.ts';
import type { Ports, ReadStack } from './ports.ts';
import type { Reading } from './source.ts';

const defaultPace = { first: 5_000, most: 600_000 };

/** What a watch knows between one turn and the next. Every change of it is told. */
export class Mind {
  readonly #ports: Ports;
  readonly #began: number;
  #role: WatchRole = 'standing-by';
  #leader: string | undefined;
  #pause: WatchStatus['pause'];
  #conditions: readonly Condition[] = [];
  #stack: ReadStack | undefined;
  #desired: DesiredStack | undefined;
  #broken: ReadonlySet<Address> = new Set();
  #revision: Revision | undefined;
  #goodRevision: Revision | undefined;
  #diagnostics: readonly Diagnostic[] = [];
  #troubles = new Map<string, Trouble>();
  #since = new Map<string, number>();
  #memory: Memory = noMemory;
  #saved = noMemory;
  #next: number | undefined;
  #looked: number | undefined;
  #lastSuccess: number | undefined;
  /** What each address was wanted to be when it last stood as wanted. */
  readonly applied = new Map<Address, string>();
  /** Which version of the wishes was read last. */
  wishesSeen = '';
  waiting: readonly Waiting[] = [];
  fights: readonly Fight[] = [];
  resources: readonly ResourceStatus[] = [];
  applying: Applying | undefined;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#began = ports.now();
  }

  get stack(): ReadStack | undefined {
    return this.#stack;
  }

  get desired(): DesiredStack | undefined {
    return this.#desired;
  }

  get broken(): ReadonlySet<Address> {
    return this.#broken;
  }

  get revision(): Revision | undefined {
    return this.#revision;
  }

  get healings(): Healings {
    return this.#memory.healings;
  }

  begin(): void {
    this.forgetCaches();
    this.tell();
  }

  /** Another process may have led since: what it has done is not known here. */
  forgetCaches(): void {
    this.#memory = readMemory(this.#ports.files.memory);
    this.#saved = this.#memory;
    this.applied.clear();
    this.#troubles.clear();
    this.#looked = undefined;
  }

  take(role: WatchRole, leader?: string): void {
    if (role !== this.#role) this.#ports.log('info', 'role', inWords(role, leader));
    this.#role = role;
    this.#leader = leader;
    this.tell();
  }

  pause(pause: WatchStatus['pause']): void {
    if (pause !== undefined) {
      const until = pause.until > 8.64e15 ? 'it is lifted' : new Date(pause.until).toISOString();
      this.#ports.log(
        'info',
        'paused',
        `paused until ${until}${pause.reason === undefined ? '' : `: ${pause.reason}`}`,
      );
    } else this.#ports.log('info', 'resumed', 'the pause is over');
    this.#pause = pause;
    this.take(pause === undefined ? 'standing-by' : 'paused');
  }

  turning(): void {
    this.#next = undefined;
    this.tell();
  }

  /** What was read comes into force as far as it is sound; a newer revision is tried at once, whatever failed before. */
  hasRead({ value, revision, isNew }: Reading<ReadStack>): void {
    this.worked('manifests');
    this.#stack = value;
    const { desired, broken } = inForce(value.desired, this.#desired);
    this.#desired = desired;
    this.#broken = broken;
    if (isNew) {
      this.#troubles.clear();
      this.#ports.log('info', 'revision', `read ${value.desired.resources.length} resources`, { ...revision });
      for (const { severity, code, message, place } of value.desired.diagnostics)
        if (severity === 'error')
          this.#ports.log('error', 'manifest', message, {
            code,
            ...(place === undefined ? {} : { place: `${place.file}:${place.line}:${place.col}` }),
          });
    }
    this.#revision = revision;
    this.#diagnostics = value.desired.diagnostics;
    if (!hasErrors(value.desired.diagnostics)) this.#goodRevision = revision;
    this.tell();
  }

  /** Something failed: it is tried again after a while that grows. */
  failed(cause: string, error: unknown, address?: Address): void {
    const { now, clock, log } = this.#ports;
    const before = this.#troubles.get(cause);
    const failure = failedAgain(
      before === undefined ? undefined : { since: before.since, tries: before.tries, nextTry: before.nextTry ?? 0 },
      now(),
      this.#stack?.pace ?? defaultPace,
      clock.random(),
    );
    const { code, message, hint } = facts(error);
    this.#troubles.set(cause, { cause, code, message, ...(hint === undefined ? {} : { hint }), ...failure });
    if (error instanceof InvalidInput) this.#diagnostics = error.diagnostics;
    const seconds = Math.ceil((failure.nextTry - now()) / 1000);
    log('error', 'failed', `${cause}: ${message}; tried again in ${seconds} s`, {
      code,
      tries: failure.tries,
      ...(address === undefined ? {} : { address }),
    });
    this.tell();
  }

  worked(cause: string): void {
    const before = this.#troubles.get(cause);
    if (before === undefined) return;
    this.#troubles.delete(cause);
    this.#ports.log('info', 'recovered', `${cause}: works again after ${before.tries} failures`);
    this.tell();
  }

  mustWait(cause: string): boolean {
    const trouble = this.#troubles.get(cause);
    return trouble?.nextTry !== undefined && trouble.nextTry > this.#ports.now();
  }

  retryAt(cause: string): number | undefined {
    return this.mustWait(cause) ? this.#troubles.get(cause)?.nextTry : undefined;
  }

  /** Forgets failures of resources that are wanted no more, or stand as they should. */
  onlyTroublesOf(isStill: (cause: string) => boolean): void {
    for (const cause of this.#troubles.keys()) if (cause.includes('/') && !isStill(cause)) this.#troubles.delete(cause);
  }

  hasLooked(): void {
    this.worked('account');
    this.#looked = this.#ports.now();
  }

  succeeded(): void {
    this.#lastSuccess = this.#ports.now();
  }

  /** Since when each change waits for what it waits for. */
  waits(held: readonly Held[]): void {
    const now = this.#ports.now();
    const keys = new Map(held.map((one) => [`${one.address} ${one.for} ${one.why}`, one]));
    const before = this.#since;
    this.#since = new Map([...keys.keys()].map((key) => [key, before.get(key) ?? now]));
    for (const [key, { address, for: cause, why }] of keys)
      if (!before.has(key)) this.#ports.log('info', 'waiting', `${address} waits (${cause}): ${why}`, { address });
    this.waiting = [...keys].map(([key, one]) => ({ ...one, since: this.#since.get(key) ?? now }));
  }

  remember(change: Partial<Memory>): void {
    this.#memory = { ...this.#memory, ...change };
  }

  waitsForApproval(digest: string | undefined): void {
    const { approve: before, ...rest } = this.#memory;
    if (digest !== undefined && digest !== before)
      this.#ports.log('warn', 'approval', `\`sluice approve ${digest}\` lets what waits for approval go on`, {
        digest,
      });
    this.#memory = digest === undefined ? rest : { ...rest, approve: digest };
  }

  addRecord(record: ApplyRecord): void {
    this.remember({ history: [record, ...this.#memory.history].slice(0, 50) });
  }

  /** Keeps what must outlive this process. That it cannot be kept stops nothing. */
  async keep(): Promise<void> {
    if (JSON.stringify(this.#saved) === JSON.stringify(this.#memory)) return;
    try {
      await writeMemory(this.#ports.files.memory, this.#memory);
      this.#saved = this.#memory;
      this.worked('memory');
    } catch (error) {
      this.failed('memory', error);
    }
  }

  /** When to turn again at the latest: the next look, or the next try of what failed. */
  rest(): number {
    const { now, clock } = this.#ports;
    const interval = (this.#stack?.intervalMs ?? defaultPace.first) * (0.9 + 0.2 * clock.random());
    const tries = [...this.#troubles.values()].flatMap(({ nextTry }) => nextTry ?? []);
    this.#next = Math.max(now() + 100, Math.min((this.#looked ?? now()) + interval, ...tries));
    this.tell();
    return this.#next;
  }

  tell(): void {
    const facts = {
      stack: this.#ports.stack,
      version: this.#ports.version,
      began: this.#began,
      now: this.#ports.now(),
      role: this.#role,
      resources: this.resources,
      waiting: this.waiting,
      history: this.#memory.history,
      fights: this.fights,
      troubles: [...this.#troubles.values()],
      diagnostics: this.#diagnostics,
      ...present({
        leader: this.#leader,
        pause: this.#pause,
        revision: this.#revision,
        inForce: this.#revision?.content === this.#goodRevision?.content ? undefined : this.#goodRevision,
        approve: this.#memory.approve,
        applying: this.applying,
        lastSuccess: this.#lastSuccess,
        looked: this.#looked,
        next: this.#next,
        dueBy: this.#next === undefined ? undefined : this.#next + 60_000,
      }),
    };
    this.#conditions = conditionsOf(facts, this.#conditions);
    this.#ports.tell({ ...facts, conditions: this.#conditions });
  }
}

function facts(error: unknown): { readonly code: string; readonly message: string; readonly hint?: string } {
  if (error instanceof SluiceError)
    return {
      code: error.code,
      message: error.message,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    };
  return { code: 'INTERNAL', message: error instanceof Error ? error.message : 'something failed' };
}

function inWords(role: WatchRole, leader: string | undefined): string {
  if (role === 'leading') return 'leading: this process acts';
  if (role === 'standing-by') return leader === undefined ? 'standing by' : `standing by: ${leader} leads`;
  return role;
}

type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

function present<T extends object>(given: T): Present<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Present<T>;
}
