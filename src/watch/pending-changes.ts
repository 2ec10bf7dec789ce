import type { Plan } from '../model/plan/plan.ts';
import type { Introduction, PendingChange, Revision } from '../model/status/watch-status.ts';
import type { Address } from '../model/address.ts';
import { present } from '../model/present.ts';
import type { DesiredHashes } from './decide/desired-hashes.ts';
import type { HeldBackChange } from './decide/select-applicable.ts';
import { logPending } from './log-lines.ts';
import type { Ports } from './ports.ts';
import { shownChanges } from './shown-by-watch.ts';

/** The pending changes of a watch: since when, with what they would change, and the revision that brought each. */
export class PendingChanges {
  readonly #ports: Pick<Ports, 'now' | 'log'>;
  readonly #desiredHashes: DesiredHashes;
  #all: readonly PendingChange[] = [];
  /** With which revision each came whose cause is the manifests, as far as this process has seen it come, and for which desired spec. */
  #introduced: Introduced = new Map();
  /** The content of the first revision that was compared: its changes may be older. */
  #first: string | undefined;

  constructor(ports: Pick<Ports, 'now' | 'log'>, desiredHashes: DesiredHashes) {
    this.#ports = ports;
    this.#desiredHashes = desiredHashes;
  }

  get all(): readonly PendingChange[] {
    return this.#all;
  }

  /** Sets all of them; one that is pending for the same reason keeps its time, and one that failed has that of its first failure. */
  set(changes: readonly HeldBackChange[], plan: Plan, revision: Revision | undefined): void {
    this.#first ??= revision?.content;
    const before = this.#introduced;
    if (revision !== undefined) this.#introduced = new Map();
    this.#all = this.#shown(changes, plan, revision, before);
  }

  /** Adds some that have become pending since. */
  add(changes: readonly HeldBackChange[], plan: Plan, revision: Revision | undefined): void {
    this.#all = [...this.#all, ...this.#shown(changes, plan, revision, this.#introduced)];
  }

  /** Another process is the leader: it has them. */
  clear(): void {
    this.#all = [];
  }

  /** Another process may have been the leader meanwhile. */
  forgetRevisions(): void {
    this.#introduced.clear();
    this.#first = undefined;
  }

  #shown(
    changes: readonly HeldBackChange[],
    plan: Plan,
    revision: Revision | undefined,
    before: Introduced,
  ): PendingChange[] {
    if (changes.length === 0) return [];
    const since = new Map(this.#all.map((one) => [ageKey(one), one.since]));
    const known = new Set(this.#all.map(keyOf));
    const now = this.#ports.now();
    const differences = shownChanges(plan);
    const shown = changes.map((one): PendingChange => ({
      ...one,
      ...differences(one.address),
      ...present({ introduced: this.#introduction(one, revision, before) }),
      since: one.since ?? since.get(ageKey(one)) ?? now,
    }));
    const fresh = shown.filter((one) => !known.has(keyOf(one)));
    logPending(this.#ports.log, fresh, plan);
    return shown;
  }

  /** The revision that a change of the manifests came with; one whose desired spec is as before keeps it. */
  #introduction(
    { address, cause }: HeldBackChange,
    revision: Revision | undefined,
    before: Introduced,
  ): Introduction | undefined {
    if (revision === undefined || (cause !== 'revision' && cause !== 'removal')) return undefined;
    const [hash, known] = [this.#desiredHashes.of(address), before.get(address)];
    const isSame = known !== undefined && known.hash === hash;
    const introduction = isSame ? known.introduction : { revision, isExact: revision.content !== this.#first };
    this.#introduced.set(address, { introduction, hash });
    return introduction;
  }
}

type Introduced = Map<Address, { readonly introduction: Introduction; readonly hash: string | undefined }>;

/** A message may change, as its numbers do, while the reason stays. */
function ageKey({ address, reason }: HeldBackChange): string {
  return `${address} ${reason}`;
}

function keyOf({ address, reason, message }: HeldBackChange): string {
  return `${address} ${reason} ${message}`;
}
