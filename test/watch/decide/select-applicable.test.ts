/*
 * Whatever waits, what is left is a plan of its own that can be carried out whole, opens nothing meanwhile, does nothing
 * that nobody lets it do, and leaves nothing to be done but what waits.
 *
 * Broken on purpose, and found here: what is needed by something that waits is not held; changes that the policy refuses
 * go on; fields that are to be left are written; what failed is tried at once; only one round of leaving out; changes cut
 * out of the full plan in place of a plan of their own.
 */
import { createHash } from 'node:crypto';
import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import { hasErrors } from '../../../src/diagnostics/diagnostic.ts';
import { hazardCodes, isEmptyPlan, type Plan } from '../../../src/model/plan/plan.ts';
import type { Address } from '../../../src/model/address.ts';
import type { State } from '../../../src/model/state.ts';
import { comparable } from '../../../src/plan/saved/comparable.ts';
import type { Policy } from '../../../src/model/stack.ts';
import { atOnce } from '../../../src/model/sliced.ts';
import {
  selectApplicable,
  type ApplicableChanges,
  type SelectionInput,
} from '../../../src/watch/decide/select-applicable.ts';
import type { SyncSettings } from '../../../src/watch/decide/sync-policy.ts';
import { anyDrift, drift, type Drift } from '../../generators/actor.ts';
import { asScenario, edited, files, type EditedStack } from '../../laws/cases.ts';
import { gapsIn } from '../../support/front-door.ts';
import { digest, harness, printed, type Harness } from '../../support/harness.ts';
import { mustHold } from '../../support/law.ts';
import { readAfterEachWrite } from '../../support/write-readings.ts';
import { sampleSize } from '../../support/samples.ts';
import { everything } from '../../support/selection.ts';

interface Case {
  readonly stacks: EditedStack;
  readonly syncSettings: SyncSettings;
  readonly policy: Policy;
  readonly drifts: readonly Drift[];
  /** Of the addresses, one in so many has failed a moment ago; 0: none. */
  readonly failing: number;
  readonly seed: number;
}

const anyCase: Arbitrary<Case> = fc.record({
  stacks: edited('completed', { maxEdits: 4 }),
  syncSettings: fc.record({
    applyOnChange: fc.boolean(),
    healDrift: fc.boolean(),
    prune: fc.boolean(),
    renew: fc.boolean(),
    kinds: fc.dictionary(fc.constantFrom(...kinds.all.map(({ name }) => name)), fc.constantFrom('report', 'heal'), {
      maxKeys: 2,
    }),
  }),
  policy: fc.record({
    maxDeletes: fc.record({ count: fc.nat(3) }),
    block: fc.subarray([...hazardCodes]),
  }),
  drifts: anyDrift,
  failing: fc.constantFrom(0, 0, 3, 6),
  seed: fc.nat(),
});

test('what may be done can be done whole, opens no door meanwhile, and leaves only what waits', async () => {
  await mustHold({
    on: anyCase,
    runs: sampleSize(24, 60),
    scenario: ({ stacks }) => asScenario('completed', stacks.before, stacks.after),
    holds: async (given) => {
      const walk = harness({ policy: given.policy });
      await walk.converge(files(given.stacks.before));
      await drift(walk.emulator, kinds, given.drifts);
      await mustDoWhatItMay(walk, given);
    },
  });
});

test('with everything allowed it is the plan that apply would carry out', async () => {
  await mustHold({
    on: edited('completed', { maxEdits: 4 }),
    runs: sampleSize(12, 40),
    scenario: ({ before, after }) => asScenario('completed', before, after),
    holds: async ({ before, after }) => {
      const walk = harness();
      await walk.converge(files(before));
      const { plan, found } = await targeted(walk, after, everything, () => false);
      expect(comparable(found.plan, digest)).toEqual(comparable(plan, digest));
      expect(found.pending).toEqual([]);
    },
  });
});

async function mustDoWhatItMay(walk: Harness, given: Case): Promise<void> {
  const { stacks, syncSettings, seed } = given;
  const hasFailed = (address: Address): boolean => given.failing > 0 && numberOf(address, seed) % given.failing === 0;
  const { found, state } = await targeted(walk, stacks.after, syncSettings, hasFailed);
  const reported = `${printed(found.plan, kinds, true)}\n${JSON.stringify(found.pending, null, 1)}`;
  expect(hasErrors(found.plan.diagnostics), reported).toBe(false);
  expect(found.plan.changes.filter(({ blocked }) => blocked !== undefined)).toEqual([]);
  expect(notAllowed(found.plan, state, given, hasFailed), reported).toEqual([]);
  const held = new Set(found.pending.filter(({ address }) => isIn(found.plan, address)).map(({ address }) => address));
  const watch = readAfterEachWrite(walk.emulator, seed);
  const { changes } = await walk.apply(found.plan);
  watch.stop();
  expect(
    changes.filter(({ ending }) => ending !== 'done'),
    reported,
  ).toEqual([]);
  expect(gapsIn(watch.readings), `${reported}\n${watch.writes.join('\n')}`).toEqual([]);
  const { found: again } = await targeted(walk, stacks.after, syncSettings, hasFailed);
  expect(isEmptyPlan(again.plan), `${reported}\nthen\n${printed(again.plan, kinds, true)}`).toBe(true);
  expect(addressesOf(again).filter((address) => !held.has(address))).toEqual(
    addressesOf(found).filter((address) => !held.has(address)),
  );
}

/** What a plan does although a switch, the policy or a failure is against it. */
function notAllowed(
  { changes, hazards }: Plan,
  state: State | undefined,
  { syncSettings, policy }: Case,
  hasFailed: (address: Address) => boolean,
): string[] {
  const going = changes.filter(({ action }) => action !== 'none');
  const ending = going.filter(({ action }) => action === 'delete' || action.startsWith('replace'));
  const most = 'count' in policy.maxDeletes ? policy.maxDeletes.count : 0;
  return [
    ...going.flatMap((change) => {
      const { address, action, kind } = change;
      const heals = (syncSettings.kinds[kind] ?? (syncSettings.healDrift ? 'heal' : 'report')) === 'heal';
      const wasThere = action === 'create' && state?.entries[address] !== undefined;
      const reasons = new Set(change.fields.map(({ reason }) => reason));
      const isOwn =
        action === 'create' ? !wasThere : reasons.has('changed') || reasons.has('both') || reasons.has('unknown');
      return [
        ...(action === 'delete' && !syncSettings.prune ? [`${address} is deleted`] : []),
        ...((wasThere || reasons.has('drifted') || reasons.has('unknown')) && !heals ? [`${address} is put back`] : []),
        ...(isOwn && !syncSettings.applyOnChange ? [`${address} is changed`] : []),
        ...(hasFailed(address) ? [`${address} is tried again at once`] : []),
      ];
    }),
    ...hazards
      .filter(({ code, temporary }) => policy.block.includes(code) || temporary === true)
      .map(({ code, address }) => `${address}: ${code}`),
    ...(ending.length > most ? [`${ending.length} lives are ended, more than ${most}`] : []),
  ];
}

async function targeted(
  walk: Harness,
  items: EditedStack['after'],
  syncSettings: SyncSettings,
  hasFailed: (address: Address) => boolean,
): Promise<{ readonly plan: Plan; readonly found: ApplicableChanges; readonly state: State | undefined }> {
  const { plan, input } = await walk.plan(files(items), { allow: [] });
  const given: SelectionInput = {
    syncSettings,
    wasInSync: () => false,
    hasChanged: () => false,
    isInConflict: () => false,
    failureOf: (address) =>
      hasFailed(address) ? { scope: address, code: 'INVALID', message: 'refused', since: 0, attempts: 1 } : undefined,
    digest,
    approved: new Map(),
  };
  return { plan, found: atOnce(selectApplicable(plan, input, given)), state: input.state };
}

function numberOf(address: Address, seed: number): number {
  return createHash('sha256').update(`${address} ${seed}`).digest().readUInt32BE();
}

function isIn(plan: Plan, address: string): boolean {
  return plan.changes.some((change) => change.address === address && change.action !== 'none');
}

function addressesOf({ pending }: ApplicableChanges): string[] {
  return pending.map(({ address }) => address);
}
