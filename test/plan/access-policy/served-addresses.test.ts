import { expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import { servedAddresses, servedAddressesAfter } from '../../../src/plan/access-policy/served-addresses.ts';
import { inputOf, planOf, type Specs } from '../support.ts';

const ours: Specs = { 'AgentIngress/office': { domain: 'office.example.com' }, 'HTTPSEdge/shop': {} };

test('resources by whose address clients arrive are listed with who can reach them, and edges are not', () => {
  expect(servedAddresses(inputOf({ ours, wanted: ours }).account.ours, kinds)).toEqual([
    { at: 'office.example.com', resource: 'AgentIngress/office', who: 'agents that connect through the domain' },
  ]);
});

test('once changes are done, what is deleted is gone, and what the service assigns is known at the next refresh', () => {
  const { account } = inputOf({ ours, wanted: ours });
  const { changes } = planOf({ ours, wanted: { 'HTTPSEdge/shop': {}, 'ReservedAddr/mqtt': {} } });
  expect(servedAddressesAfter(servedAddresses(account.ours, kinds), changes, kinds)).toEqual([
    { resource: 'ReservedAddr/mqtt', who: 'anyone, unless the endpoint configuration of the address restricts access' },
  ]);
});
