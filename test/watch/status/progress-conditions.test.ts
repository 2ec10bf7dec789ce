import { describe, expect, test } from 'vitest';
import type { ResourceStatus, WatchFailure } from '../../../src/model/watch-status.ts';
import type { ConditionFacts } from '../../../src/watch/status/finding.ts';
import { manualReason, progressFindings } from '../../../src/watch/status/progress-conditions.ts';
import { noon } from '../company.ts';
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
