import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/diagnostics/diagnostic.ts';
import type { PendingChange, ResourceStatus, WatchFailure } from '../../../src/model/status/watch-status.ts';
import type { ConditionFacts } from '../../../src/watch/status/finding.ts';
import { blockerIn, manualReason, progressFindings } from '../../../src/watch/status/progress-conditions.ts';
import { hour, minute, noon } from '../company.ts';
import { allWell } from '../statuses.ts';

const { nextRefresh: _, ...well } = allWell;
const [shop, api] = ['HTTPSEdge/shop', 'HTTPSEdge/api'];
const failure = (scope: string, status: number): WatchFailure => ({
  scope,
  code: 'CHANGE_FAILED',
  message: `the service answered ${String(status)}`,
  since: noon,
  attempts: 1,
  status,
});
const resource = (syncStatus: ResourceStatus['syncStatus'], address = shop): ResourceStatus => ({
  address,
  kind: 'HTTPSEdge',
  syncStatus,
  dependsOn: [],
});

/** Whether a stack is reconciling and stalled, of which the service refuses one change and did not answer about another. */
function conditionsWith(facts: Partial<ConditionFacts>): readonly string[] {
  const failures = [failure(shop, 422), failure(api, 503)];
  const { Reconciling, Stalled } = progressFindings({ ...well, nextRefresh: noon + 1, failures, ...facts });
  return [Reconciling.status, Stalled.status];
}

const applying = (
  address: string,
  progress: 'running' | 'to-do' | 'done' | 'failed',
): NonNullable<ConditionFacts['applying']> => ({
  ...{ startedAt: noon, trigger: 'retry', digest: '', approvals: [] },
  changes: [{ address, action: 'update', progress }],
});

describe('beside a refused change, a stack gets further', () => {
  test.each(['running', 'to-do'] as const)('while a change that failed for now is %s again', (progress) => {
    expect(conditionsWith({ applying: applying(api, progress) })).toEqual(['True', 'False']);
  });

  test('while a change that failed for now is about to be applied', () => {
    const resources = [resource('failed'), resource('out-of-sync', api)];
    expect(conditionsWith({ resources })).toEqual(['True', 'False']);
  });

  test.each(['done', 'failed'] as const)('no longer once that change is %s', (progress) => {
    expect(conditionsWith({ applying: applying(api, progress) })).toEqual(['False', 'True']);
  });

  test('not by the refused change itself', () => {
    expect(conditionsWith({ applying: applying(shop, 'running') })).toEqual(['False', 'True']);
    expect(conditionsWith({ resources: [resource('out-of-sync')] })).toEqual(['False', 'True']);
  });
});

test.each<[string, readonly ResourceStatus['syncStatus'][], string]>([
  ['drift alone', ['drifted'], 'Drifted'],
  ['drift beside what is in sync', ['in-sync', 'drifted'], 'Drifted'],
  ['changes of the manifests', ['in-sync', 'requires-manual-apply'], 'WaitingForManualApply'],
  ['both', ['drifted', 'requires-manual-apply'], 'WaitingForManualApply'],
])('a stack that waits for a manual apply because of %s', (_why, statuses, reason) => {
  expect(manualReason({ resources: statuses.map((one) => resource(one)) })).toBe(reason);
});

const pending = (reason: PendingChange['reason'], since = noon): PendingChange => ({
  ...{ address: shop, action: 'update', reason, message: '', hazards: [], details: '', fields: [], since },
});
const error: Diagnostic = { code: 'UNKNOWN_FIELD', severity: 'error', message: 'unknown field `x`' };
const conflict = { address: shop, pointer: '/description', desired: 'a', actual: 'b', count: 3, since: noon - hour };
const revoked: WatchFailure = {
  ...{ scope: 'account', code: 'ACCESS_DENIED', message: 'the key was revoked', since: noon - hour, attempts: 1 },
};
const refusal = { ...failure(shop, 422), since: noon - hour };

/** Reason and message of the conditions Reconciling and Stalled of a leader that waits for its next refresh, but for these facts. */
function reported(facts: Partial<ConditionFacts>): readonly (readonly [string, string])[] {
  const { Reconciling, Stalled } = progressFindings({ ...well, nextRefresh: noon + 1, ...facts });
  return [Reconciling, Stalled].map(({ status, reason, message }) => [`${status} ${reason}`, message] as const);
}

describe('a stack of which nothing is blocked', () => {
  const notStalled = (message: string) => ['False NotStalled', message] as const;
  const calm = notStalled('nothing blocks reconciliation');

  test.each<[string, Partial<ConditionFacts>, readonly (readonly [string, string])[]]>([
    ['waits', {}, [['False Idle', 'waiting for new manifests or the next refresh'], calm]],
    [
      'is left to its leader by a process on standby',
      { role: 'standby', isQueued: true },
      ['Standby', 'NotStalled'].map(
        (reason) => [`False ${reason}`, 'the leader reconciles the stack; this process waits'] as const,
      ),
    ],
    [
      'is paused',
      { role: 'paused', pause: { until: noon + hour }, resources: [resource('out-of-sync')] },
      [
        ['False Paused', 'no changes are applied until the pause ends'],
        notStalled('the watch is paused, which is not a failure'),
      ],
    ],
    ['waits for its turn', { isQueued: true }, [['True Queued', 'other stacks of the fleet reconcile first'], calm]],
    [
      'is read',
      { nextRefresh: undefined as never },
      [['True Refreshing', 'reading the manifests and the account'], calm],
    ],
    ['is not read by a process that stops', { role: 'stopping', nextRefresh: undefined as never }, [idle(), calm]],
    [
      'changes soon',
      { resources: [resource('out-of-sync')] },
      [['True Progressing', 'changes are about to be applied'], calm],
    ],
    [
      'is changed',
      { applying: applying(api, 'running') },
      [['True Applying', expect.stringMatching(/^changes: /) as string], calm],
    ],
    [
      'tries again what failed',
      { failures: [failure(api, 503)] },
      [['False WaitingForRetry', 'the next attempt is scheduled'], notStalled('sluice retries the failed changes')],
    ],
    [
      'waits for an approval',
      { pending: [pending('approval'), pending('manual')] },
      [
        ['False WaitingForApproval', '1 change requires approval'],
        notStalled('changes wait for approval, which is not a failure'),
      ],
    ],
    [
      'waits for a manual apply',
      { pending: [pending('manual')], resources: [resource('requires-manual-apply')] },
      [['False WaitingForManualApply', '1 change requires a manual apply'], calm],
    ],
  ])('%s', (_, facts, expected) => {
    expect(reported(facts)).toEqual(expected);
  });

  function idle(): readonly [string, string] {
    return ['False Idle', 'waiting for new manifests or the next refresh'];
  }
});

describe('what blocks a stack', () => {
  test.each<[string, Partial<ConditionFacts>, string, string, number | undefined]>([
    ['errors in manifests', { diagnostics: [error] }, 'InvalidManifests', 'the manifests have errors', undefined],
    [
      'creations whose outcome is unknown, before conflicts',
      { pending: [pending('unresolved', noon - minute)], driftConflicts: [conflict] },
      'UnresolvedCreation',
      '1 unresolved creation',
      noon - minute,
    ],
    [
      'conflicts, before what is protected',
      { pending: [pending('protected')], driftConflicts: [conflict, { ...conflict, since: noon }] },
      'DriftConflict',
      '2 drift conflicts: another client keeps reverting what sluice repairs',
      noon - hour,
    ],
    ['protection', { pending: [pending('protected')] }, 'Protected', '1 change blocked by deletion protection', noon],
    [
      'the operator',
      { pending: [pending('operator-policy')] },
      'OperatorPolicy',
      '1 change blocked by the operator policy',
      noon,
    ],
    [
      'what nobody manages',
      { pending: [pending('contains-unmanaged')] },
      'ContainsUnmanaged',
      '1 change blocked by unmanaged resources inside the resource',
      noon,
    ],
    ['a refusal', { failures: [refusal] }, 'ChangeRefused', `${shop}: the service answered 422`, noon - hour],
    ['a key that is revoked', { failures: [revoked] }, 'ActionRequired', 'account: the key was revoked', noon - hour],
  ])('%s', (_, facts, reason, message, began) => {
    const blocker = blockerIn({ ...well, ...facts });
    expect(blocker).toMatchObject({ status: 'True', reason, message: expect.stringContaining(message) as string });
    expect(blocker?.began).toBe(began);
  });

  test('is reported in both conditions where nothing gets further', () => {
    const conditions = reported({ failures: [refusal], resources: [resource('failed')] });
    expect(conditions).toEqual([
      ['False ChangeRefused', 'no progress until the problem in the condition Stalled is resolved'],
      ['True ChangeRefused', `${shop}: the service answered 422`],
    ]);
    expect(reported({ failures: [refusal], applying: applying(shop, 'running') })[0]?.[1]).toBe(
      'sluice retries only the failed changes; each retry fails until the cause is corrected',
    );
    expect(reported({ role: 'paused', failures: [refusal] })[0]?.[0]).toBe('False Paused');
  });

  test('is no stall while others get further, or would after an approval', () => {
    const facts = { pending: [pending('protected'), pending('approval')] };
    expect(reported(facts)[1]).toEqual([
      'False WaitingForApproval',
      'other changes continue after approval; blocked: 1 change blocked by deletion protection',
    ]);
    expect(reported({ ...facts, failures: [failure(api, 503)] })[1]?.[0]).toBe('True Protected');
    expect(reported({ ...facts, diagnostics: [error] })[1]?.[0]).toBe('True InvalidManifests');
    expect(reported({ ...facts, resources: [resource('out-of-sync', api)] })[1]).toEqual([
      'False Progressing',
      'other changes continue; blocked: 1 change blocked by deletion protection',
    ]);
  });

  test('is no stall while a revision is compared that nothing has failed in yet', () => {
    const facts = { pending: [pending('protected')], revision: { content: 'another' }, isQueued: true };
    expect(reported(facts)[1]?.[0]).toBe('False Progressing');
    expect(reported({ ...facts, diagnostics: [error] })[1]?.[0]).toBe('True InvalidManifests');
    expect(reported({ ...facts, failures: [failure('account', 503)] })[1]?.[0]).toBe('True Protected');
    expect(reported({ ...facts, failures: [{ ...failure('account', 503), attempts: 0 }] })[1]?.[0]).toBe(
      'False Progressing',
    );
    expect(reported({ ...facts, revision: well.observed! })[1]?.[0]).toBe('True Protected');
  });
});
