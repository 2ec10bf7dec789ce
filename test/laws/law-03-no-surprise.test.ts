/*
 * Law 3, No surprise: apply makes the writes the plan listed, and no other.
 *
 * Broken on purpose in a copy, and found here: every PATCH sent twice by apply.
 */
import { expect, test } from 'vitest';
import { pathText } from '../../src/derive/wire/operations.ts';
import { bodyOf } from '../../src/derive/wire/to-wire.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { harness, type Harness } from '../support/harness.ts';
import { mustHold } from '../support/law.ts';
import { sampleSize } from '../support/samples.ts';
import { asScenario, edited, files, profiles } from './cases.ts';

test.each(profiles)('law 3, under %s: what goes out is what the plan listed, byte for byte', async (profile) => {
  await mustHold({
    on: edited(profile),
    runs: sampleSize(10, 25),
    scenario: ({ before, after }) => asScenario(profile, before, after),
    holds: async ({ before, after }) => {
      const walk = harness({ profile });
      await mustSendWhatWasListed(walk, files(before));
      await mustSendWhatWasListed(walk, files(after));
    },
  });
});

async function mustSendWhatWasListed(
  { emulator, plan: makePlan, apply }: Harness,
  wanted: Readonly<Record<string, string>>,
): Promise<void> {
  const { plan } = await makePlan(wanted);
  const already = emulator.log.length;
  const { changes } = await apply(plan, { drawNonce: () => 'c0ffeec0ffee' });
  const ids = new Map([...plan.changes, ...changes].map(({ address, id }) => [address, id ?? '']));
  const sent = emulator.log
    .slice(already)
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body = '' }) => `${method} ${path} ${body}`);
  expect(sent.sort()).toEqual(listed(plan, (address) => ids.get(address) ?? '').sort());
}

function listed({ steps }: Plan, idOf: (address: string) => string): string[] {
  return steps.map(({ request }) => {
    const body = bodyOf(request, { idOf, nonce: 'c0ffeec0ffee', endOf: String });
    return `${request.method} ${pathText(request.path, idOf)} ${body === undefined ? '' : JSON.stringify(body)}`;
  });
}
