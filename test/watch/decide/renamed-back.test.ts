import { expect, test } from 'vitest';
import { planStack } from '../../../src/plan/plan.ts';
import { renamedBack } from '../../../src/watch/decide/renamed-back.ts';
import { inputOf, type Specs } from '../../plan/support.ts';

/** What waits of the creation of an address that `ReservedAddr/new` had before, while manifests have errors. */
function waiting(ours: Specs, wanted: Specs = {}): string[] {
  const input = inputOf({
    wanted: { 'ReservedAddr/old': { region: 'eu' }, ...wanted },
    ours,
    state: { 'ReservedAddr/new': { formerAddresses: ['ReservedAddr/old'] } },
    whole: false,
  });
  return [...renamedBack(planStack(input), input).keys()];
}

test('a resource is not created while the one that had its address before has no valid manifest', () => {
  expect(waiting({ 'ReservedAddr/new': { region: 'eu' } })).toEqual(['ReservedAddr/old']);
});

test('a resource is created where the one that had its address before is gone', () => {
  expect(waiting({})).toEqual([]);
});

test('a resource is created beside the one that had its address before, once that has a valid manifest', () => {
  const renamed = { 'ReservedAddr/new': { region: 'eu' } };
  expect(waiting(renamed, renamed)).toEqual([]);
});
