/*
 * Laws 1 and 9 on services that are not the emulator as it is: whatever a service makes of the texts it is sent, what was
 * applied needs no change, is read once and written never; and a text that is only written in another way is no change.
 *
 * Broken on purpose in a copy, and found here: certificates compared as text.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizations, type Normalization } from '../../src/emulator/forms/normalizations.ts';
import { kinds } from '../../src/kinds/index.ts';
import { respelled } from '../generators/spellings.ts';
import { harness, printed } from '../support/harness.ts';
import { mustHold } from '../support/law.ts';
import { sampleSize } from '../support/samples.ts';
import { asScenario, edited, files, profiles } from './cases.ts';

const ways = Object.keys(normalizations) as Normalization[];
const each = ways.map((way) => [way]);

test.each(profiles)('under %s, each way in which services rewrite texts', async (profile) => {
  for (const normalize of each) await settles(profile, fc.constant(normalize), 1);
});

test.each(profiles)('under %s, services that rewrite in several ways at once', async (profile) => {
  await settles(profile, fc.shuffledSubarray(ways, { minLength: 2 }), sampleSize(3, 6));
});

test.each(profiles)('under %s, a service that shows what it was sent', async (profile) => {
  await settles(profile, fc.constant([]), 3);
});

async function settles(
  profile: (typeof profiles)[number],
  normalizing: fc.Arbitrary<readonly Normalization[]>,
  runs: number,
): Promise<void> {
  const way = fc.nat(59);
  await mustHold({
    on: fc.tuple(edited(profile), normalizing, way, way),
    runs,
    scenario: ([{ before, after }, normalize]) => `${normalize.join(' ')}\n\n${asScenario(profile, before, after)}`,
    holds: async ([{ before, after }, normalize, one, other]) => {
      const walk = harness({ profile, service: { normalize } });
      await walk.converge(files(respelled(before, one, kinds)));
      await walk.converge(files(respelled(after, one, kinds)));
      const { plan } = await walk.plan(files(respelled(after, other, kinds)));
      expect(plan.steps, `${normalize.join(' ')}: ${printed(plan, kinds, true)}`).toEqual([]);
      const { plan: unremembered } = await walk.plan(files(respelled(after, one, kinds)), { withoutState: true });
      if (profile === 'completed')
        expect(unremembered.steps, `${normalize.join(' ')}: ${printed(unremembered, kinds, true)}`).toEqual([]);
    },
  });
}
