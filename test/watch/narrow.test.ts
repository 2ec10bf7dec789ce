/*
 * Whatever waits, what is left is a plan of its own that can be carried out whole, opens nothing meanwhile, and leaves
 * nothing to be done but what waits.
 */
import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { kinds } from '../../src/kinds/index.ts';
import { hasErrors } from '../../src/diagnostics/diagnostic.ts';
import { hazardCodes, isEmptyPlan, type Plan } from '../../src/model/plan.ts';
import { comparable } from '../../src/plan/comparable.ts';
import type { Policy } from '../../src/model/stack.ts';
import { narrow, type Narrowed, type Narrowing } from '../../src/watch/narrow.ts';
import type { Switches } from '../../src/watch/switches.ts';
import { anyDrift, drift, type Drift } from '../generators/actor.ts';
import { asScenario, edited, files, type EditedStack } from '../laws/cases.ts';
import { gapsIn } from '../support/front-door.ts';
import { digest, harness, printed, type Harness } from '../support/harness.ts';
import { mustHold } from '../support/law.ts';
import { readAfterEachWrite } from '../support/write-readings.ts';

const everything: Switches = { applyOnChange: true, healDrift: true, prune: true, renew: true, kinds: {} };

interface Case {
  readonly stacks: EditedStack;
  readonly switches: Switches;
  readonly policy: Policy;
  readonly drifts: readonly Drift[];
  readonly seed: number;
}

const anyCase: Arbitrary<Case> = fc.record({
  stacks: edited('completed', { maxEdits: 4 }),
  switches: fc.record({
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
  seed: fc.nat(),
});

test('what may be done can be done whole, opens no door meanwhile, and leaves only what waits', async () => {
  await mustHold({
    on: anyCase,
    runs: 60,
    scenario: ({ stacks }) => asScenario('completed', stacks.before, stacks.after),
    holds: async (given) => {
      const walk = harness({ policy: given.policy });
      await mustDoWhatItMay(walk, { ...given, stacks: { before: [], after: given.stacks.before }, drifts: [] });
      await drift(walk.emulator, kinds, given.drifts);
      await mustDoWhatItMay(walk, given);
    },
  });
});

test('with everything allowed it is the plan that apply would carry out', async () => {
  await mustHold({
    on: edited('completed', { maxEdits: 4 }),
    runs: 40,
    scenario: ({ before, after }) => asScenario('completed', before, after),
    holds: async ({ before, after }) => {
      const walk = harness();
      await walk.converge(files(before));
      const { plan, found } = await narrowed(walk, after, everything);
      expect(comparable(found.plan, digest)).toEqual(comparable(plan, digest));
      expect(found.waiting).toEqual([]);
    },
  });
});

async function mustDoWhatItMay(walk: Harness, { stacks, switches, seed }: Case): Promise<void> {
  const { found } = await narrowed(walk, stacks.after, switches);
  const told = `${printed(found.plan, kinds, true)}\n${JSON.stringify(found.waiting, null, 1)}`;
  expect(hasErrors(found.plan.diagnostics), told).toBe(false);
  expect(found.plan.changes.filter(({ blocked }) => blocked !== undefined)).toEqual([]);
  const held = new Set(found.waiting.filter(({ address }) => isIn(found.plan, address)).map(({ address }) => address));
  const watch = readAfterEachWrite(walk.emulator, seed);
  const { changes } = await walk.apply(found.plan);
  watch.stop();
  expect(
    changes.filter(({ ending }) => ending !== 'done'),
    told,
  ).toEqual([]);
  if (!found.plan.hazards.some(({ momentary }) => momentary === true))
    expect(gapsIn(watch.readings), `${told}\n${watch.writes.join('\n')}`).toEqual([]);
  const { found: again } = await narrowed(walk, stacks.after, switches);
  expect(isEmptyPlan(again.plan), `${told}\nthen\n${printed(again.plan, kinds, true)}`).toBe(true);
  expect(addressesOf(again).filter((address) => !held.has(address))).toEqual(
    addressesOf(found).filter((address) => !held.has(address)),
  );
}

async function narrowed(
  walk: Harness,
  items: EditedStack['after'],
  switches: Switches,
): Promise<{ readonly plan: Plan; readonly found: Narrowed }> {
  const { plan, input } = await walk.plan(files(items), { allow: [] });
  const given: Narrowing = {
    switches,
    state: input.state,
    isTouched: () => false,
    isFought: () => false,
    retryAt: () => undefined,
    digest,
    approved: new Map(),
  };
  return { plan, found: narrow(input, given) };
}

function isIn(plan: Plan, address: string): boolean {
  return plan.changes.some((change) => change.address === address && change.action !== 'none');
}

function addressesOf({ waiting }: Narrowed): string[] {
  return waiting.map(({ address }) => address);
}
