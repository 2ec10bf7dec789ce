/*
 * A plan from a snapshot is the plan from the account, but for what cannot be compared without secrets: the same
 * changes, requests, hazards and diagnostics, with resources of others in the account, drift, and with state or without.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clientOf } from '../support/client-of.ts';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { kinds } from '../../src/kinds/index.ts';
import { planFromSnapshot } from '../../src/plan/parts/plan-from-snapshot.ts';
import { planWithEndpoints } from '../../src/plan/plan-with-endpoints.ts';
import { refresh, type RefreshOptions } from '../../src/refresh/refresh.ts';
import { serviceSource } from '../../src/refresh/service-source.ts';
import { makeSnapshot } from '../../src/stack/snapshot/make-snapshot.ts';
import { withoutSecrets } from '../../src/stack/snapshot/open-snapshot.ts';
import { parseSnapshot } from '../../src/stack/snapshot/snapshot-text.ts';
import { snapshotSource } from '../../src/stack/snapshot/snapshot-source.ts';
import { addressOf } from '../../src/model/address.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { anyDrift, anyForeignStack, drift } from '../generators/actor.ts';
import { asScenario, edited, files, inProfile, profiles } from '../laws/cases.ts';
import { digest, harness } from '../support/harness.ts';
import { mustHold } from '../support/law.ts';
import { essencesOf } from '../support/plan-essence.ts';
import { sampleSize } from '../support/samples.ts';

const takenAt = '2026-03-02T12:00:00.000Z';

test.each(profiles)(
  'under %s: a plan from a snapshot is the plan from the account',
  async (profile) => {
    await mustHold({
      on: fc.record({
        stacks: edited(profile),
        foreign: anyForeignStack(kinds),
        deeds: anyDrift,
        lost: fc.boolean(),
        secrets: fc.constantFrom('clear' as const, 'empty' as const, 'masked' as const),
      }),
      runs: sampleSize(5, 12),
      scenario: ({ stacks }) => asScenario(profile, stacks.before, stacks.after),
      holds: async ({ stacks, foreign, deeds, lost, secrets }) => {
        const emulator = createEmulator({ seed: 1, profile, secrets });
        const others = harness({ profile, emulator, stack: { name: 'others', id: '00000001' } });
        await others.apply((await others.plan(files(inProfile(profile, foreign)))).plan);
        const real = harness({ profile, emulator });
        const first = await real.plan(files(stacks.before));
        await real.apply(first.plan);
        await drift(emulator, kinds, deeds);
        if (lost) real.loseState();
        const { plan, input, desired } = await real.plan(files(stacks.after));

        const client = clientOf(emulator.dispatcher());
        const { stack } = input;
        const state =
          input.state === undefined ? undefined : { ...input.state, serial: 1, salt: 'a salt of the tests' };
        const common = { kinds, stack, isLocal: true } as const;
        const whole = await refresh({
          ...common,
          source: serviceSource(client, kinds),
          state,
          wanted: new Set(kinds.all.map(({ name }) => name)),
          addresses: [
            ...first.desired.resources.map(({ address }) => address),
            ...kinds.all.map(({ name }) => addressOf(name, '?')),
          ],
        } satisfies RefreshOptions);
        const endpoints = whole.served ?? (await serviceSource(client, kinds).endpoints());
        const { text } = makeSnapshot({
          ...{ stack, takenAt, endpoints, state, digest, desired: first.desired },
          service: 'http://127.0.0.1',
          revision: undefined,
          account: whole,
        });

        const snapshot = parseSnapshot(text, 'snapshot.json');
        const hidden = withoutSecrets(desired);
        const source = snapshotSource(snapshot, hidden);
        const remembered = snapshot.file.state;
        const account = await refresh({
          ...common,
          source,
          state: remembered,
          wanted: new Set(desired.resources.map(({ kind }) => kind)),
          addresses: desired.resources.map(({ address }) => address),
        });
        const from = planFromSnapshot(
          (await planWithEndpoints({ ...input, desired: hidden, account, state: remembered }, source.endpoints)).plan,
          { takenAt },
        );
        const [ours, theirs] = essencesOf(from, plan);
        expect(ours).toEqual(theirs);
        expect(foundIn(from, from, plan)).toEqual(foundIn(plan, from, plan));
      },
    });
  },
  120_000,
);

/** Hazards and diagnostics of resources whose values can all be compared. */
function foundIn({ hazards, diagnostics }: Plan, ...plans: readonly Plan[]): readonly string[] {
  const unsure = new Set(
    plans.flatMap(({ changes }) =>
      changes.filter(({ unverified }) => unverified.length > 0).map(({ address }) => address),
    ),
  );
  const all = [...hazards, ...diagnostics].filter(({ address }) => address === undefined || !unsure.has(address));
  return (
    all
      .map(({ code, address = '', message }) => `${code} ${address}: ${withoutForeignIds(message)}`)
      // Resources may look alike that differ in a secret.
      .filter((line) => !/^(UNVERIFIED_SECRET|POSSIBLE_RENAME) /.test(line))
      .sort()
  );
}

/** A snapshot has no id of a resource of others. */
function withoutForeignIds(message: string): string {
  return message.replaceAll(/\(the snapshot does not record the id\)|\b[a-z]+_[A-Za-z0-9]{20,}/g, 'ID');
}
