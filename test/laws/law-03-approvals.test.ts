/*
 * Law 3 for a watch whose changes need approval: whatever happens to manifests, account and process meanwhile, it applies
 * only what a person approved, and only as it was shown to that person; and what was approved as it is pending is applied.
 *
 * Broken on purpose in a copy, and found here: an approval that counts whenever its digest is pending again, and one whose
 * changes stay approved after another revision; a difference without a record that counts as drift after a restart.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ManifestFiles } from '../support/load-text.ts';
import { mustHold } from '../support/law.ts';
import { sampleSize } from '../support/samples.ts';
import { address } from '../watch/company-files.ts';
import { rig, type Rig } from '../watch/rig.ts';

const names = ['amqp', 'mqtt', 'ssh'] as const;
type Name = (typeof names)[number];

/** The descriptions of the addresses; undefined: there is none. */
type Values = Readonly<Record<Name, string | undefined>>;

// Few, so that a revision often says again what one before it said.
const value = fc.constantFrom(undefined, 'one', 'one', 'two');
const values: fc.Arbitrary<Values> = fc.record({ amqp: value, mqtt: value, ssh: value });

type Event =
  | { readonly is: 'revision'; readonly values: Values }
  | { readonly is: 'revision of before'; readonly at: number }
  | { readonly is: 'revision, and back'; readonly values: Values }
  | { readonly is: 'approval' }
  | { readonly is: 'approval of before'; readonly at: number }
  | { readonly is: 'change in the account'; readonly name: Name; readonly deletes: boolean }
  | { readonly is: 'refusals' }
  | { readonly is: 'restart' }
  | { readonly is: 'loss of state'; readonly values: Values }
  | { readonly is: 'pause' }
  | { readonly is: 'resume' };

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ is: fc.constant('revision' as const), values }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('revision of before' as const), at: fc.nat(4) }) },
  { weight: 4, arbitrary: fc.record({ is: fc.constant('revision, and back' as const), values }) },
  { weight: 4, arbitrary: fc.constant({ is: 'approval' as const }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('approval of before' as const), at: fc.nat(9) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant('change in the account' as const),
      name: fc.constantFrom(...names),
      // Back to what was there before it was created with an approval.
      deletes: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ is: 'refusals' as const }) },
  { weight: 1, arbitrary: fc.constant({ is: 'restart' as const }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('loss of state' as const), values }) },
  { weight: 1, arbitrary: fc.constant({ is: 'pause' as const }) },
  { weight: 1, arbitrary: fc.constant({ is: 'resume' as const }) },
);

/** An event, and whether the watch comes to rest before the next one. */
interface Happening {
  readonly event: Event;
  readonly rests: boolean;
}

const happening: fc.Arbitrary<Happening> = fc.record({ event, rests: fc.boolean() });

// With `max_deletes` 0, a deletion needs approval as everything else does. Drift is repaired without.
const settings = (healDrift: boolean) => ({
  applyOnChange: false,
  healDrift,
  policy: { maxDeletes: { count: 0 }, block: [] },
});

test('a watch applies what was approved as it was shown, and nothing else', async () => {
  await mustHold({
    on: fc.tuple(values, fc.boolean(), fc.array(happening, { minLength: 2, maxLength: 14 })),
    runs: sampleSize(25, 400),
    limitMs: 120_000,
    scenario: (given) => JSON.stringify(given),
    holds: async ([first, healDrift, happenings]) => {
      let watch = rig(filesOf(first), settings(healDrift));
      await watch.rests();
      const model = new Model(first, watch, healDrift);
      model.look(watch);
      for (const { event: one, rests } of happenings) {
        if (one.is === 'restart') watch = await restarted(watch, model);
        else if (one.is === 'loss of state') watch = await withoutState(watch, model, one.values);
        else await happen(one, watch, model);
        if (rests) await watch.rests();
        if (rests || one.is === 'restart') model.look(watch);
      }
      await watch.request(({ pause: _, ...others }) => others);
      await watch.rests();
      model.look(watch);
      model.refusals?.();
      // Each failure is tried again in ten minutes at the latest.
      await watch.pass(700_000);
      await watch.rests();
      model.look(watch);
      // And it is not deaf: what is pending now can be approved.
      if (watch.status().awaited !== undefined) await watch.approve();
      await watch.rests();
      await watch.rests();
      expect(recordedIn(watch)).toEqual(model.wanted);
      if (healDrift) expect(accountOf(watch)).toEqual(model.wanted);
      for (const each of model.processes) await each.stop();
    },
  });
}, 300_000);

async function restarted(watch: Rig, model: Model): Promise<Rig> {
  await watch.stop();
  const next = watch.another();
  model.processes.push(next);
  await next.rests();
  return next;
}

/** State is lost, and the manifests change, while no process runs: what differs then is approved, so that it is recorded again. */
async function withoutState(watch: Rig, model: Model, values: Values): Promise<Rig> {
  if (model.refusals !== undefined) return watch;
  const { role } = await watch.rests();
  model.look(watch);
  if (role === 'paused') return watch;
  watch.account.loseState();
  model.forget();
  await happen({ is: 'revision', values }, watch, model);
  const next = await restarted(watch, model);
  model.look(next);
  await happen({ is: 'approval' }, next, model);
  await next.rests();
  model.look(next);
  return next;
}

async function happen(one: Event, watch: Rig, model: Model): Promise<void> {
  const to = (next: Values | undefined): void => {
    if (next === undefined) return;
    watch.write(filesOf(next));
    model.revision(next);
  };
  if (one.is === 'revision') to(one.values);
  else if (one.is === 'revision of before') to(model.revisions.at(-1 - one.at));
  else if (one.is === 'revision, and back') {
    to(one.values);
    await watch.rests();
    model.look(watch);
    to(model.revisions.at(-2));
  } else if (one.is === 'approval') {
    const { awaited } = watch.status();
    if (awaited === undefined) return;
    model.approval(awaited.digest);
    await watch.approve(awaited.digest);
  } else if (one.is === 'approval of before') {
    const digest = model.digests[one.at];
    if (digest === undefined) return;
    // It counts if it is what is pending when it is read.
    model.approval(digest);
    await watch.approve(digest);
  } else if (one.is === 'change in the account') {
    if (watch.spec(`ReservedAddr/${one.name}`) === undefined) return;
    if (one.deletes) await watch.byHand('DELETE', `ReservedAddr/${one.name}`);
    else await watch.byHand('PATCH', `ReservedAddr/${one.name}`, { description: 'by hand' });
    model.seen = { ...model.seen, [one.name]: one.deletes ? undefined : 'by hand' };
  } else if (one.is === 'refusals') {
    model.refusals ??= watch.account.emulator.intercept(({ method, headers }, next) =>
      method === 'GET' || headers['authorization'] === 'Bearer somebody'
        ? next()
        : Promise.resolve({ status: 400, headers: {}, body: '{"msg": "not now"}' }),
    );
  } else if (one.is === 'pause')
    await watch.request((before) => ({
      ...before,
      pause: { until: watch.now() + 86_400_000, at: watch.now(), by: 'ada' },
    }));
  else if (one.is === 'resume') await watch.request(({ pause: _, ...others }) => others);
}

/** What a person may expect of the watch. */
class Model {
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

  /** Compares the account with what may have been applied since the last look. */
  look(watch: Rig): void {
    const { awaited, pending, role } = watch.status();
    const now = accountOf(watch);
    const given = this.#accepted().map((digest) => {
      const shown = this.#shown.get(digest);
      // The whole of it was pending, and nothing else.
      const isOwed = this.#since.some((wanted) => isDeepStrictEqual(shown, this.#pendingOf(wanted)));
      if (!isOwed || !this.#unread.includes(digest))
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
    expect(this.#shown.get(awaited.digest) ?? shown, 'one digest is for the same changes whenever it is shown').toEqual(
      shown,
    );
    this.#shown.set(awaited.digest, shown);
  }

  /** The approvals that a process has accepted since the last look. */
  #accepted(): readonly string[] {
    return this.processes.flatMap((one) => {
      const all = one.logged.flatMap(({ event: what, digest }) => (what === 'approved' ? [String(digest)] : []));
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

function filesOf(of: Values): ManifestFiles {
  const own = names.flatMap((name) => (of[name] === undefined ? [] : [address(name, of[name])]));
  // Manifests without any resource are not applied at all.
  return { 'a.yaml': own.join('') + address('stays', 'stays') };
}

/** What state has as applied last; of what it has no record, what is there. */
function recordedIn(watch: Rig): Values {
  const there = accountOf(watch);
  const of = (name: Name): string | undefined => {
    const entry = watch.account.state()?.entries[`ReservedAddr/${name}`];
    return entry === undefined ? there[name] : (entry.spec['description'] as string | undefined);
  };
  return { amqp: of('amqp'), mqtt: of('mqtt'), ssh: of('ssh') };
}

function accountOf(watch: Rig): Values {
  const { resources } = watch.account.emulator.snapshot();
  const of = (name: Name): string | undefined =>
    resources.find(({ spec }) => JSON.stringify(spec).includes(`ReservedAddr/${name}\\`))?.spec['description'] as
      | string
      | undefined;
  return { amqp: of('amqp'), mqtt: of('mqtt'), ssh: of('ssh') };
}
