import { expect, test } from 'vitest';
import { inputOf, type Given } from './support.ts';
import { planStack } from '../../src/plan/plan.ts';
import type { Account } from '../../src/model/actual.ts';
import type { Plan } from '../../src/model/plan/plan.ts';

const address = 'ReservedAddr/mqtt';
const spec = { region: 'eu' };

/** The plan where an earlier run may have created the address, and the account does not show it. */
function planAfterLostCreation(
  given: Given,
  found: Partial<Account> = {},
): Pick<Plan, 'unresolved' | 'resolvedCreations'> {
  const input = inputOf(given);
  const intent = { kind: 'ReservedAddr', nonces: ['n1'] };
  const state = { ...(input.state ?? expect.unreachable('there is a state')), intents: { [address]: intent } };
  const { unresolved, resolvedCreations } = planStack({ ...input, account: { ...input.account, ...found }, state });
  return { unresolved, resolvedCreations };
}

test('a creation that the account does not show, and no manifest asks for, was not carried out', () => {
  expect(planAfterLostCreation({})).toEqual({ unresolved: [], resolvedCreations: [address] });
});

test('it stays open where only some manifests were read: one of the others may ask for it', () => {
  expect(planAfterLostCreation({ whole: false })).toEqual({ unresolved: [], resolvedCreations: [] });
});

test.each<[string, Given]>([
  ['reads only some manifests', { whole: false }],
  ['leaves the resource as it is', { input: { leave: new Set([address]) } }],
])('it stays open where the resource is there, and the run %s: nothing else may know of it', (_, given) => {
  const there = { ours: { [address]: spec }, markers: { [address]: { n: 'n1' } }, state: 'lost' } as const;
  const input = { ...inputOf({ ...there, ...given }), state: inputOf({}).state };
  const intent = { kind: 'ReservedAddr', nonces: ['n1'] };
  const state = { ...(input.state ?? expect.unreachable('there is a state')), intents: { [address]: intent } };
  expect(planStack({ ...input, state })).toMatchObject({ unresolved: [], resolvedCreations: [] });
});

test('it stays open where this plan creates the resource, whose run closes it', () => {
  expect(planAfterLostCreation({ wanted: { [address]: spec } })).toEqual({ unresolved: [], resolvedCreations: [] });
});

test('it was not carried out where the resource is there from another creation', () => {
  const there = { wanted: { [address]: spec }, ours: { [address]: spec } };
  expect(planAfterLostCreation(there)).toEqual({ unresolved: [], resolvedCreations: [address] });
});

test.each(['duplicates', 'deposed'] as const)(
  'it was carried out if its nonce is among the %s, also where not every page was read',
  (among) => {
    const marker = { s: 'prod/7f3a9c21', a: address, p: '', n: 'n1' };
    const made = { address, actual: { kind: 'ReservedAddr', id: 'ra_1', spec, computed: {}, marker } };
    expect(planAfterLostCreation({}, { complete: new Set(), [among]: [made] })).toEqual({
      unresolved: [],
      resolvedCreations: [address],
    });
  },
);
