/*
 * The parts of a plan, over accounts with drift, what was applied last, bases and changes of them: applied one after another
 * they lead to what the whole plan leads to, and each is the plan of an account in which those before it were applied.
 *
 * A share runs with every `npm test`; `npm run test:base` tries 500 of each profile.
 */
import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { pointerOf } from '../../src/derive/pointer.ts';
import { hasErrors } from '../../src/diagnostics/diagnostic.ts';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import { kinds } from '../../src/kinds/index.ts';
import { isEmptyPlan, type Change, type Plan } from '../../src/model/plan/plan.ts';
import type { Account } from '../../src/model/actual.ts';
import type { DesiredStack } from '../../src/model/resource.ts';
import type { PlanInput } from '../../src/plan/input.ts';
import type { CommittedStack } from '../../src/stack/plan/load-commit.ts';
import { splitPlan } from '../../src/stack/plan/split-plan.ts';
import { anyDrift, drift, type Drift } from '../generators/actor.ts';
import type { Item } from '../generators/item.ts';
import { accountForm, type AccountForm } from '../support/account-form.ts';
import { harness, printed, type Harness } from '../support/harness.ts';
import { mustHold } from '../support/law.ts';
import { loadText } from '../support/load-text.ts';
import { sampleSize } from '../support/samples.ts';
import { asScenario, edited, files, profiles, type EditedStack } from '../laws/cases.ts';

interface Triple {
  /** What was applied, before the drift; then the base. */
  readonly stacks: EditedStack;
  /** What the change makes of it: something else, what was there before, or nothing new. */
  readonly head: (stacks: EditedStack) => readonly Item[];
  readonly deeds: readonly Drift[];
  readonly lost: boolean;
}

const accounts = Number(process.env['BASE_ACCOUNTS'] ?? sampleSize(6, 12));
const limitMs = 3_600_000;

// What a service sets to the current time is the same in every account.
const time = (): number => Date.UTC(2026, 2, 1);
const clock = (): Date => new Date(time());

test.each(profiles)(
  'under %s: this change after what was pending is the whole plan, and the plan where the base was applied',
  async (profile) => {
    const reported = { parts: 0, drift: 0, inseparable: 0 };
    await mustHold<Triple>({
      on: fc.record({ stacks: edited(profile), head: anyHead(profile), deeds: anyDrift, lost: fc.boolean() }),
      runs: accounts,
      limitMs,
      scenario: ({ stacks, head }) => asScenario(profile, stacks.before, stacks.after, head(stacks)),
      holds: async ({ stacks, head, deeds, lost }) => {
        const load = async (items: readonly Item[]) => loadText(files(items), { kinds, profile });
        const [last, base, wanted] = await Promise.all([load(stacks.before), load(stacks.after), load(head(stacks))]);
        const emulator = createEmulator({ seed: 1, profile, clock });
        const real = harness({ profile, emulator, time });
        await real.apply((await real.plan(files(stacks.before))).plan);
        await drift(emulator, kinds, deeds);
        if (lost) real.loseState();

        const { plan: whole, input } = await real.plan(wanted);
        if (hasErrors(whole.diagnostics)) return;
        const scopeOf = (desired: typeof wanted) => ({
          wanted: new Set(desired.resources.map(({ kind }) => kind)),
          addresses: desired.resources.map(({ address }) => address),
        });
        const parts = await splitPlan({
          input,
          scope: scopeOf(wanted),
          loaded: { base: { ref: 'main', commit: '0'.repeat(40), ahead: 0 }, ...committed(base, input) },
          applied: { commit: '1'.repeat(40), ...committed(last, input) },
          flags: {},
        });

        // The same account again, in which the base is applied and then this change.
        const another = (): Harness => {
          const state = real.state();
          return harness({
            profile,
            time,
            emulator: copyOf(emulator, profile),
            ...(state === undefined ? {} : { state }),
          });
        };
        const other = another();
        const ofBase = await other.plan(base);
        const applied = hasErrors(ofBase.plan.diagnostics) ? undefined : await other.apply(ofBase.plan);
        const isApplied =
          applied?.changes.every(({ ending }) => ending === 'done') === true &&
          isEmptyPlan((await other.plan(base)).plan);
        reported[isApplied ? 'parts' : 'inseparable'] += 1;
        if (!('pending' in parts)) {
          if (isApplied) throw new Error(`not shown in parts, but the base converges: ${parts.inseparable}`);
          return;
        }
        expect(isApplied).toBe(true);
        expect(formsOf(parts.pending)).toEqual(formsOf(changing(ofBase.plan)));
        const change = await other.plan(wanted);
        expect(formsOf(parts.thisChange)).toEqual(
          formsOf(changing(change.plan), newIds(change.account, ofBase.account)),
        );

        // Once more, with what was applied last in between.
        const third = another();
        const { applied: pending } = parts;
        if (!('unknown' in pending)) {
          reported.drift += 1;
          const before = await third.plan(last);
          expect(formsOf(pending.drift)).toEqual(formsOf(changing(before.plan)));
          await third.apply(before.plan);
          const next = await third.plan(base);
          expect(formsOf(pending.notApplied)).toEqual(
            formsOf(changing(next.plan), newIds(next.account, before.account)),
          );
          await third.apply(next.plan);
          await third.apply((await third.plan(wanted)).plan);
        }

        await other.apply(change.plan);
        await real.apply(whole);
        const one = await real.plan(wanted);
        if (!isEmptyPlan(one.plan)) return;
        for (const inParts of 'unknown' in pending ? [other] : [other, third]) {
          const all = await inParts.plan(wanted);
          if (!isEmptyPlan(all.plan)) throw new Error(`left to do:\n${printed(all.plan)}`);
          const held = [...one.plan.changes, ...all.plan.changes];
          expect(await formOf(inParts, all.account, held)).toEqual(await formOf(real, one.account, held));
        }
      },
    });
    // A single case that is tried again may be of either sort.
    if (reported.parts + reported.inseparable > 1) expect(reported.parts).toBeGreaterThan(accounts / 2);
    if (reported.parts > 1) expect(reported.drift).toBeGreaterThan(reported.parts / 2);
  },
  limitMs,
);

/** A stack as a commit has it. */
function committed(desired: DesiredStack, { stack }: Pick<PlanInput, 'stack'>): CommittedStack {
  const described = desired.resources.map(({ address }) => address);
  return { wanted: { desired, described, removedTargets: [] }, stack };
}

function anyHead(profile: (typeof profiles)[number]): Arbitrary<Triple['head']> {
  return fc.oneof(
    {
      weight: 3,
      arbitrary: edited(profile).map(
        ({ after }) =>
          () =>
            after,
      ),
    },
    { weight: 2, arbitrary: fc.constant(({ before }: EditedStack) => before) },
    { weight: 1, arbitrary: fc.constant(({ after }: EditedStack) => after) },
  );
}

/** The same account behind another service. */
function copyOf(emulator: Emulator, profile: (typeof profiles)[number]): Emulator {
  const copy = createEmulator({ seed: 1, profile, clock });
  copy.restore(emulator.snapshot());
  return copy;
}

function changing({ changes }: Plan): readonly Change[] {
  return changes.filter(({ action }) => action !== 'none');
}

/** Addresses by the ids that one account has and another has not. */
function newIds(account: Account, before: Account): ReadonlyMap<string, string> {
  const known = new Set([...before.ours.values()].map(({ id }) => id));
  return new Map([...account.ours].flatMap(([address, { id }]) => (known.has(id) ? [] : [[id, address]])));
}

/** What changes do; ids of what was created meanwhile as addresses, and then lists in one order. */
function formsOf(changes: readonly Change[], created: ReadonlyMap<string, string> = new Map()): readonly string[] {
  const named = (_: string, value: unknown): unknown =>
    typeof value === 'string' && created.has(value) ? { ref: created.get(value) } : value;
  const sorted = (_: string, value: unknown): unknown =>
    Array.isArray(value)
      ? [...(value as unknown[])].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      : value;
  return changes.map(({ address, action, id, fields, blocked }) => {
    const form = {
      address,
      action,
      id: id !== undefined && created.has(id) ? undefined : id,
      blocked: blocked?.code,
      fields: fields.map(({ path, before, after }) => ({ path: pointerOf(path), before, after })),
    };
    return JSON.stringify(JSON.parse(JSON.stringify(form, named)), sorted);
  });
}

/** What is ours; what was lost with the state may refer to what was deleted and created again. */
async function formOf(
  { emulator, profile }: Harness,
  { ours }: Account,
  changes: readonly Change[],
): Promise<AccountForm> {
  const held = new Map<string, readonly string[]>();
  for (const { address, unmanagedFields } of changes)
    held.set(address, [...(held.get(address) ?? []), ...Object.keys(unmanagedFields)]);
  const addresses = new Map([...ours].map(([address, { id }]) => [id, address]));
  const form = await accountForm(emulator, { kinds, markers: profile === 'completed', addresses, held });
  return Object.fromEntries(Object.entries(form).filter(([address]) => !address.startsWith('unknown ')));
}
