import type { Plan } from '../model/plan/plan.ts';
import type { Introduction, PendingChange, Revision } from '../model/status/watch-status.ts';
import type { Address } from '../model/address.ts';
import { Introductions } from './decide/introductions.ts';
import type { DesiredHashes } from './decide/desired-hashes.ts';
import type { HeldBackChange } from './decide/select-applicable.ts';
import { logPending } from './log-lines.ts';
import type { Ports } from './ports.ts';
import { shownChanges } from './shown-by-watch.ts';

/** The pending changes of a watch: since when, with what they would change, and the revision that brought each. */
export class PendingChanges {
  readonly #ports: Pick<Ports, 'now' | 'log'>;
  readonly #desiredHashes: DesiredHashes;
  readonly #introductions = new Introductions();
  #all: readonly PendingChange[] = [];

  constructor(ports: Pick<Ports, 'now' | 'log'>, desiredHashes: DesiredHashes) {
    this.#ports = ports;
    this.#desiredHashes = desiredHashes;
  }

  get all(): readonly PendingChange[] {
    return this.#all;
  }

  /** Sets all of them; one that is pending for the same reason keeps its time, and one that failed has that of its first failure. */
  set(changes: readonly HeldBackChange[], plan: Plan, revision: Revision | undefined): void {
    const introduced = revision && this.#introductions.update(changes, revision, (one) => this.#desiredHashes.of(one));
    this.#all = this.#shown(changes, plan, introduced);
  }

  /** Adds some that have become pending since. */
  add(changes: readonly HeldBackChange[], plan: Plan, revision: Revision | undefined): void {
    const introduced = revision && this.#introductions.add(changes, revision, (one) => this.#desiredHashes.of(one));
    this.#all = [...this.#all, ...this.#shown(changes, plan, introduced)];
  }

  /** Another process is the leader: it has them. */
  clear(): void {
    this.#all = [];
  }

  /** Another process may have been the leader meanwhile. */
  forgetRevisions(): void {
    this.#introductions.clear();
  }

  #shown(
    changes: readonly HeldBackChange[],
    plan: Plan,
    introduced: ReadonlyMap<Address, Introduction> | undefined,
  ): PendingChange[] {
    if (changes.length === 0) return [];
    const since = new Map(this.#all.map((one) => [ageKey(one), one.since]));
    const known = new Set(this.#all.map(keyOf));
    const now = this.#ports.now();
    const differences = shownChanges(plan);
    const shown = changes.map((one): PendingChange => {
      const from = introduced?.get(one.address);
      return {
        ...one,
        ...differences(one.address),
        ...(from === undefined ? {} : { introduced: from }),
        since: one.since ?? since.get(ageKey(one)) ?? now,
      };
    });
    const fresh = shown.filter((one) => !known.has(keyOf(one)));
    logPending(this.#ports.log, fresh, plan);
    return shown;
  }
}

/** A message may change, as its numbers do, while the reason stays. */
function ageKey({ address, reason }: HeldBackChange): string {
  return `${address} ${reason}`;
}

function keyOf({ address, reason, message }: HeldBackChange): string {
  return `${address} ${reason} ${message}`;
}
