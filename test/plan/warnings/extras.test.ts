import { describe, expect, test } from 'vitest';
import { blocked, changes, inputOf, requests, type Given } from '../support.ts';
import { planStack } from '../../../src/plan/plan.ts';

const address = 'ReservedAddr/db';
const given: Given = {
  wanted: { [address]: {} },
  ours: { [address]: {} },
  lifecycle: { [address]: { protect: true } },
  policy: { maxDeletes: { count: 0 }, block: [] },
};

/** The account above, in which a creation whose response was lost has left a second resource. */
function withExtra(more: Given = given) {
  const input = inputOf(more);
  const duplicate = input.account.ours.get(address);
  if (duplicate === undefined) throw new Error('there is nothing to be made twice');
  return {
    ...input,
    account: { ...input.account, duplicates: [{ address, actual: { ...duplicate, id: 'ra_twin' } }] },
  };
}

describe('what was made twice by a creation whose response was lost', () => {
  test('is deleted, and the other one stays', () => {
    const plan = planStack(withExtra());
    expect(changes(plan)).toEqual(['- ReservedAddr/db (duplicate ra_twin)']);
    expect(requests(plan)).toEqual(['DELETE /reserved_addrs/ra_twin']);
  });

  test('counts for no limit, and no protection keeps it', () => {
    expect(blocked(planStack(withExtra()))).toEqual([]);
  });

  test('stays in a targeted plan', () => {
    expect(changes(planStack(withExtra({ ...given, whole: false })))).toEqual([]);
  });
});
