import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { ApprovingCommit } from '../../src/stack/git/approving-commits.ts';
import type { Rig } from '../watch/rig.ts';

/** The addresses whose changes are approved. */
export const names = ['amqp', 'mqtt', 'ssh'] as const;

/** One of them. */
export type Name = (typeof names)[number];

/** The descriptions of the addresses; undefined: there is none. */
export type Values = Readonly<Record<Name, string | undefined>>;

const signer = 'bob@example.com';

/** What a person may expect of the watch. */
export class Model {
  /** All revisions. */
  readonly revisions: Values[];
  /** All processes, one after the other. */
  readonly processes: Rig[];
  /** How many approvals of each process are known. */
  readonly #known = new WeakMap<Rig, number>();
  /** Ends that the service refuses writes. */
  refusals: (() => void) | undefined;
  /** The account as it was when it was looked at last, with what others changed since. */
  seen: Values = { amqp: undefined, mqtt: undefined, ssh: undefined };
  /** What sluice has applied last, as its state has it. */
  #applied: Values = this.seen;
  /** What was shown to be approved, by digest. */
  readonly #shown = new Map<string, Partial<Values>>();
  /** What is approved, still wanted, and not applied yet. */
  #approved: Partial<Values> = {};
  /** Approvals that the watch may not have read yet, and the revisions that it may have planned since. */
  #unread: string[] = [];
  #since: Values[];
  /** All commits that approve something, and the digests of those that still count. */
  readonly #commits: ApprovingCommit[] = [];
  #signed: string[] = [];

  readonly #healsDrift: boolean;

  constructor(first: Values, watch: Rig, healsDrift: boolean) {
    this.#healsDrift = healsDrift;
    this.processes = [watch];
    this.revisions = [first];
    this.#since = [first];
  }

  get wanted(): Values {
    return this.revisions.at(-1) ?? this.seen;
  }

  get digests(): readonly string[] {
    return [...this.#shown.keys()];
  }

  /** Without a record, any difference may be of the manifests. */
  forget(): void {
    this.#applied = this.seen;
    this.#approved = {};
  }

  revision(next: Values): void {
    this.revisions.push(next);
    this.#since.push(next);
  }

  approval(digest: string): void {
    this.#unread.push(digest);
  }

  /** A signed commit approves a digest; all commits until now. */
  commit(digest: string, at: number): readonly ApprovingCommit[] {
    this.#signed.push(digest);
    return this.overtaken(digest, at);
  }

  /** One that does not count, since the same was approved after it was made. */
  overtaken(digest: string, at: number): readonly ApprovingCommit[] {
    const commit = String(this.#commits.length).padStart(40, '0');
    this.#commits.unshift({ commit, subject: 'Approve', digest, at, signature: { by: signer } });
    return [...this.#commits];
  }

  /** Compares the account with what may have been applied since the last look. */
  look(watch: Rig): void {
    const { awaited, pending, role } = watch.status();
    const now = accountOf(watch);
    const given = this.#accepted().map(({ digest, by }) => {
      const isGiven = (by === signer ? this.#signed : this.#unread).includes(digest);
      // A commit counts once, and not after the same was approved in another way.
      this.#signed = this.#signed.filter((one) => one !== digest);
      const shown = this.#shown.get(digest);
      // The whole of it was pending, and nothing else.
      const isOwed = this.#since.some((wanted) => isDeepStrictEqual(shown, this.#pendingOf(wanted)));
      if (!isOwed || !isGiven)
        throw new Error(`${digest} was accepted, and other changes were pending:\n${watch.log.join('\n')}`);
      return shown ?? {};
    });
    for (const name of names.filter((one) => now[one] !== this.seen[one])) {
      const isRepair = this.#healsDrift && now[name] === this.#applied[name];
      const isApproved = [this.#approved, ...given].some((one) => name in one && one[name] === now[name]);
      if (!isRepair && !isApproved)
        throw new Error(`${name} became ${String(now[name])}, which nobody approved:\n${watch.log.join('\n')}`);
    }
    this.seen = now;
    this.#applied = recordedIn(watch);
    const { wanted } = this;
    const open = Object.entries(Object.assign({}, this.#approved, ...given) as Partial<Values>).filter(
      ([name, one]) => one === wanted[name as Name] && one !== this.#applied[name as Name],
    );
    // A pause leaves approvals unread, and shows what was pending before it.
    if (role === 'paused') return;
    this.#approved = Object.fromEntries(open);
    [this.#unread, this.#since] = [[], [wanted]];
    const shown = Object.fromEntries(
      names
        .filter((name) => pending.some((one) => one.reason === 'approval' && one.address === `ReservedAddr/${name}`))
        .map((name) => [name, wanted[name]]),
    );
    expect(shown, watch.log.join('\n')).toEqual(this.#pendingOf(wanted));
    if (awaited === undefined) return;
    expect(this.#signed, 'a commit counts as soon as what it approves is pending').not.toContain(awaited.digest);
    expect(this.#shown.get(awaited.digest) ?? shown, 'one digest is for the same changes whenever it is shown').toEqual(
      shown,
    );
    this.#shown.set(awaited.digest, shown);
  }

  /** The approvals that a process has accepted since the last look. */
  #accepted(): readonly { readonly digest: string; readonly by: string }[] {
    return this.processes.flatMap((one) => {
      const all = one.logged.flatMap(({ event: what, digest, by }) =>
        what === 'approved' ? [{ digest: String(digest), by: String(by) }] : [],
      );
      const known = this.#known.get(one) ?? 0;
      this.#known.set(one, all.length);
      return all.slice(known);
    });
  }

  /** What has to be approved of a revision: where it differs from what was applied last. */
  #pendingOf(wanted: Values): Partial<Values> {
    const isPending = (name: Name): boolean =>
      wanted[name] !== this.#applied[name] && !(name in this.#approved && this.#approved[name] === wanted[name]);
    return Object.fromEntries(names.filter(isPending).map((name) => [name, wanted[name]]));
  }
}

/** What state has as applied last; of what it has no record, what is there. */
export function recordedIn(watch: Rig): Values {
  const there = accountOf(watch);
  const of = (name: Name): string | undefined => {
    const entry = watch.account.state()?.entries[`ReservedAddr/${name}`];
    return entry === undefined ? there[name] : (entry.spec['description'] as string | undefined);
  };
  return { amqp: of('amqp'), mqtt: of('mqtt'), ssh: of('ssh') };
}

/** What is there. */
export function accountOf(watch: Rig): Values {
  const { resources } = watch.account.emulator.snapshot();
  const of = (name: Name): string | undefined =>
    resources.find(({ spec }) => JSON.stringify(spec).includes(`ReservedAddr/${name}\\`))?.spec['description'] as
      | string
      | undefined;
  return { amqp: of('amqp'), mqtt: of('mqtt'), ssh: of('ssh') };
}
