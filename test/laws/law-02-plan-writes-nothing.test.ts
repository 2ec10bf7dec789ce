/*
 * Law 2, Plan writes nothing: its transport refuses anything but GET.
 *
 * Broken on purpose in a copy, and found here: a POST before each list in refresh/refresh.ts; `readOnly` letting POST, PATCH and PUT through.
 */
import { expect, test } from 'vitest';
import fc from 'fast-check';
import { readOnly } from '../../src/api/while-allowed.ts';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { kinds } from '../../src/kinds/index.ts';
import { anyDrift, drift } from '../generators/actor.ts';
import { harness } from '../support/harness.ts';
import { mustHold } from '../support/law.ts';
import { sampleSize } from '../support/samples.ts';
import { asScenario, edited, files, profiles } from './cases.ts';

test.each(profiles)('law 2, under %s: a plan only reads, whatever it finds and remembers', async (profile) => {
  await mustHold({
    on: fc.record({ stacks: edited(profile), deeds: anyDrift, lost: fc.boolean() }),
    runs: sampleSize(10, 25),
    scenario: ({ stacks }) => asScenario(profile, stacks.before, stacks.after),
    holds: async ({ stacks, deeds, lost }) => {
      const { emulator, converge, plan } = harness({ profile });
      await converge(files(stacks.before));
      await drift(emulator, kinds, deeds);
      const account = emulator.snapshot();
      const requests = emulator.log.length;
      await plan(files(stacks.after), { withoutState: lost });
      expect(emulator.snapshot()).toEqual(account);
      const methods = emulator.log.slice(requests).map(({ method }) => method);
      expect(methods.filter((method) => method !== 'GET')).toEqual([]);
    },
  });
});

test.each(['POST', 'PATCH', 'PUT', 'DELETE'] as const)(
  'law 2: the transport of a plan refuses a %s',
  async (method) => {
    const emulator = createEmulator();
    const transport = emulator.dispatcher().compose(readOnly);
    const sent = async () =>
      transport.request({ origin: 'http://127.0.0.1', path: '/edges/https', method, body: '{}' });
    await expect(sent()).rejects.toThrow('this command is read-only');
    expect(emulator.log).toEqual([]);
  },
);
