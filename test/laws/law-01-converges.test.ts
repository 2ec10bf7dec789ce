/*
 * Law 1, Converges: after a successful apply the plan is empty, and the service holds the same as one built fresh from
 * the last manifests.
 *
 * Broken on purpose in a copy, and found here: no DELETE planned for a module that is left out (left to do); state not forgetting a route that went
 * with an edge made anew (under `documented`, left to forget).
 */
import { expect, test } from 'vitest';
import { kinds } from '../../src/kinds/index.ts';
import type { Account } from '../../src/model/actual.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { accountForm, type AccountForm } from '../support/account-form.ts';
import { harness, type Harness } from '../support/harness.ts';
import { mustHold } from '../support/law.ts';
import { sampleSize } from '../support/samples.ts';
import { asScenario, edited, files, profiles } from './cases.ts';

test.each(profiles)('law 1, under %s: what edits lead to is what a fresh account becomes', async (profile) => {
  await mustHold({
    on: edited(profile),
    runs: sampleSize(16, 40),
    scenario: ({ before, after }) => asScenario(profile, before, after),
    holds: async ({ before, after }) => {
      const lived = harness({ profile });
      await lived.converge(files(before));
      const { again, account } = await lived.converge(files(after));
      const fresh = harness({ profile, service: { seed: 2 } });
      const anew = await fresh.converge(files(after));
      expect(await formOf(lived, account, again)).toEqual(await formOf(fresh, anew.account, again));
    },
  });
});

/** What is there, but for fields that the plan shows are held. Where metadata cannot be updated, markers are only kept in state. */
function formOf({ emulator, profile }: Harness, account: Account, plan: Plan): Promise<AccountForm> {
  return accountForm(emulator, {
    kinds,
    markers: profile === 'completed',
    addresses: new Map([...account.ours].map(([address, { id }]) => [id, address])),
    held: new Map(plan.changes.map(({ address, unmanagedFields }) => [address, Object.keys(unmanagedFields)])),
  });
}
