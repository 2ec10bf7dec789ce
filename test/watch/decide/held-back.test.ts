import { expect, test } from 'vitest';
import type { Change } from '../../../src/model/plan/plan.ts';
import { atOnce } from '../../../src/model/sliced.ts';
import { selectApplicable, type SelectionInput } from '../../../src/watch/decide/select-applicable.ts';
import { decideSync } from '../../../src/watch/decide/sync-policy.ts';
import { harness } from '../../support/harness.ts';
import { afterChange, everything } from '../../support/selection.ts';

const subscription = (description: string) => `apiVersion: sluice/v1
kind: EventSubscription
metadata: {name: a}
spec: {description: ${description}, sources: [{type: a.v0}]}
`;

/** What is held back of a change of the description, and why it changes. */
async function held(over: (given: SelectionInput) => Partial<SelectionInput>) {
  const walk = harness();
  await walk.converge({ 'a.yaml': subscription('one') });
  const { plan, input } = await walk.plan({ 'a.yaml': subscription('two') });
  const given = afterChange();
  const { pending } = atOnce(selectApplicable(plan, input, { ...given, ...over(given) }));
  return pending.map(({ reason, cause }) => ({ reason, cause }));
}

const failure = { message: 'refused', code: 'API_ERROR', since: 0, attempts: 1, nextAttempt: 60_000 };

test('what failed reports why it changes', async () => {
  const failureOf = () => failure as unknown as ReturnType<SelectionInput['failureOf']>;
  expect(await held(() => ({ failureOf }))).toEqual([{ reason: 'retry', cause: 'revision' }]);
});

test('what its settings hold back reports why it changes', async () => {
  const syncSettings = { ...everything, applyOnChange: false };
  expect(await held(() => ({ syncSettings }))).toEqual([{ reason: 'approval', cause: 'revision' }]);
});

test('a resource whose rename is held back is not deleted at its former address', async () => {
  const walk = harness();
  await walk.converge({ 'a.yaml': subscription('one') });
  const renamed = subscription('two').replace('{name: a}', '{name: b}\nlifecycle: {moved_from: [EventSubscription/a]}');
  const { plan, input } = await walk.plan({ 'a.yaml': renamed });
  const syncSettings = { ...everything, applyOnChange: false };
  const found = atOnce(selectApplicable(plan, input, { ...afterChange(), syncSettings }));
  expect(found.pending).toMatchObject([{ address: 'EventSubscription/b', reason: 'approval' }]);
  expect(found.plan.steps).toEqual([]);
});

test.each(['duplicate', 'deposed'] as const)(
  'the deletion of one that is %s needs no approval of changes',
  (cleanup) => {
    const change = { address: 'ReservedAddr/a', kind: 'ReservedAddr', action: 'delete', fields: [], cleanup };
    const given = {
      ...{ syncSettings: { ...everything, applyOnChange: false }, wasInSync: () => false },
      ...{ hasChanged: () => true, isInConflict: () => false, isApproved: () => false },
    };
    expect(decideSync(change as unknown as Change, given)).toEqual({ isAllowed: true, without: new Map() });
    expect(decideSync({ ...change, cleanup: undefined, action: 'forget' } as unknown as Change, given)).toMatchObject({
      isAllowed: false,
      reason: 'approval',
    });
  },
);
