/*
 * Law 3 for a watch whose changes need approval: whatever happens to manifests, account and process meanwhile, it applies
 * only what a person approved, and only as it was shown to that person; and what was approved as it is pending is applied.
 *
 * Broken on purpose in a copy, and found here: an approval that counts whenever its digest is pending again, and one whose
 * changes stay approved after another revision; a difference without a record that counts as drift after a restart; a commit
 * that counts twice, although the same was approved since it was made, or not at all where it was approved before.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ManifestFiles } from '../support/load-text.ts';
import { mustHold } from '../support/law.ts';
import { sampleSize } from '../support/samples.ts';
import { address } from '../watch/company-files.ts';
import { resumeRig } from '../watch/resume-rig.ts';
import { rig, type Rig } from '../watch/rig.ts';
import { accountOf, Model, names, recordedIn, type Name, type Values } from './approvals-model.ts';

// Few, so that a revision often says again what one before it said.
const value = fc.constantFrom(undefined, 'one', 'one', 'two');
const values: fc.Arbitrary<Values> = fc.record({ amqp: value, mqtt: value, ssh: value });

type Event =
  | { readonly is: 'revision'; readonly values: Values }
  | { readonly is: 'revision of before'; readonly at: number }
  | { readonly is: 'revision, and back'; readonly values: Values }
  | { readonly is: 'approval' }
  | { readonly is: 'approval of before'; readonly at: number }
  | { readonly is: 'signed commit'; readonly at: number }
  | { readonly is: 'signed commit of before'; readonly name: Name; readonly isOvertaken: boolean }
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
  { weight: 1, arbitrary: fc.record({ is: fc.constant('signed commit' as const), at: fc.nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant('signed commit of before' as const),
      name: fc.constantFrom(...names),
      isOvertaken: fc.boolean(),
    }),
  },
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
      await resumeRig(watch);
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

async function settled(watch: Rig, model: Model): Promise<void> {
  await watch.rests();
  model.look(watch);
}

/** A revision is approved and undone; then a commit arrives that approves it, and it returns, twice. */
async function signed(
  { name, isOvertaken }: { readonly name: Name; readonly isOvertaken: boolean },
  watch: Rig,
  model: Model,
): Promise<void> {
  const before = model.wanted;
  // A new or another description: the digest of a deletion would be another one each time.
  const values = { ...before, [name]: 'three' };
  const becomes = async (next: Values): Promise<void> => {
    await happen({ is: 'revision', values: next }, watch, model);
    await settled(watch, model);
  };
  const approved = async (): Promise<void> => {
    await happen({ is: 'approval' }, watch, model);
    await settled(watch, model);
  };
  await settled(watch, model);
  if (watch.status().role === 'paused' || model.refusals !== undefined) return;
  await approved();
  await becomes(values);
  const [at, digest] = [watch.now(), watch.status().awaited?.digest];
  if (digest === undefined) return;
  await approved();
  await becomes(before);
  await approved();
  // One that was made while the same could be approved is about what is done already.
  watch.commits(isOvertaken ? model.overtaken(digest, at - 1) : model.commit(digest, watch.now()));
  await settled(watch, model);
  for (let times = 0; times < 2; times++) {
    await becomes(values);
    await approved();
    await becomes(before);
    await approved();
  }
}

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
  } else if (one.is === 'signed commit') {
    await settled(watch, model);
    const digest = model.digests.at(-1 - one.at);
    if (digest === undefined) return;
    watch.commits(model.commit(digest, watch.now()));
    await settled(watch, model);
  } else if (one.is === 'signed commit of before') {
    await signed(one, watch, model);
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
  else if (one.is === 'resume') await resumeRig(watch);
}

function filesOf(of: Values): ManifestFiles {
  const own = names.flatMap((name) => (of[name] === undefined ? [] : [address(name, of[name])]));
  // Manifests without any resource are not applied at all.
  return { 'a.yaml': own.join('') + address('stays', 'stays') };
}
