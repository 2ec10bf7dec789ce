import { expect, test } from 'vitest';
import type { Change } from '../../../src/model/plan/plan.ts';
import {
  changeCause,
  decideSync,
  driftedPointers,
  isLiftedByApproval,
  type SyncContext,
} from '../../../src/watch/decide/sync-policy.ts';
import { everything } from '../../support/selection.ts';

const given: SyncContext = {
  ...{ syncSettings: everything, wasInSync: () => false, hasChanged: () => true, isInConflict: () => false },
  isApproved: () => false,
};

/** What is decided about a deletion that is blocked. */
function decided(code: NonNullable<Change['blocked']>['code']): object {
  const change = { address: 'ReservedAddr/a', kind: 'ReservedAddr', action: 'delete', fields: [] };
  return decideSync({ ...change, blocked: { code, message: 'why it is blocked' } } as unknown as Change, given);
}

test.each([
  ['PROTECTED', 'protected', '`lifecycle.protect` is set'],
  ['CONTAINS_PROTECTED', 'protected', 'why it is blocked'],
  ['CONTAINS_UNMANAGED', 'contains-unmanaged', 'why it is blocked'],
  ['OPERATOR_POLICY', 'operator-policy', 'why it is blocked'],
  ['OUTPUT_NOT_KNOWN', 'other-stack', 'why it is blocked'],
  ['UNRESOLVED_CREATION', 'unresolved', 'why it is blocked'],
] as const)('no approval lifts %s: the change waits for something else', (code, reason, message) => {
  expect(decided(code)).toEqual({ isAllowed: false, reason, message });
  expect(isLiftedByApproval({ code, message })).toBe(false);
});

test.each(['POLICY', 'MAX_DELETES'] as const)('an approval lifts %s, which is decided with the plan', (code) => {
  expect(decided(code)).toEqual({ isAllowed: true, without: new Map() });
  expect(isLiftedByApproval({ code, message: '' })).toBe(true);
});

test.each([
  ['unknown', 'state does not record what was applied last; watch.heal_drift is off for this kind'],
  ['drifted', 'drifted; watch.heal_drift is off for this kind'],
] as const)('a difference that is %s waits with its own reason', (reason, message) => {
  const fields = [{ path: ['description'], before: 'a', after: 'b', reason }];
  const change = { address: 'ReservedAddr/a', kind: 'ReservedAddr', action: 'update', fields } as unknown as Change;
  const syncSettings = { ...everything, healDrift: false };
  expect(decideSync(change, { ...given, syncSettings, hasChanged: () => false })).toMatchObject({ message });
});

test('an update without a field is of the revision, unless others have changed the ownership marker', () => {
  const change = { address: 'ReservedAddr/a', kind: 'ReservedAddr', action: 'update', fields: [] } as unknown as Change;
  expect([changeCause(change, given), driftedPointers(change, given)]).toEqual(['revision', []]);
  const marked: Change = { ...change, markerDrifted: true };
  expect([changeCause(marked, given), driftedPointers(marked, given)]).toEqual(['drift', ['/metadata']]);
});
