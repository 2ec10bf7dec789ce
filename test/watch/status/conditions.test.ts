import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/diagnostics/diagnostic.ts';
import type { PendingChange, ResourceStatus, WatchFailure } from '../../../src/model/status/watch-status.ts';
import { conditionsOf } from '../../../src/watch/status/conditions.ts';
import type { ConditionFacts } from '../../../src/watch/status/finding.ts';
import { hour, minute, noon, resource } from '../company.ts';
import { allWell } from '../statuses.ts';

const [shop, api, mqtt] = ['HTTPSEdge/shop', 'HTTPSEdge/api', 'ReservedAddr/mqtt'];
const three = (...statuses: readonly ResourceStatus['syncStatus'][]): readonly ResourceStatus[] =>
  [shop, api, mqtt].map((address, n) => resource(address, [], { syncStatus: statuses[n] ?? 'in-sync' }));
const pending = (address: string, reason: PendingChange['reason'], since = noon - minute): PendingChange => ({
  ...{ address, action: 'update', reason, message: '', hazards: [], details: '', fields: [], since },
});
const failure = (scope: string, status?: number): WatchFailure => ({
  ...{
    scope,
    code: 'CHANGE_FAILED',
    message: 'it failed',
    since: noon - hour,
    attempts: 2,
    nextAttempt: noon + minute,
  },
  ...(status === undefined ? {} : { status }),
});
const error: Diagnostic = { code: 'UNKNOWN_FIELD', severity: 'error', message: 'unknown field `x`' };

/** The condition Ready of a stack of three resources that is well but for these facts: what it is, and since when. */
function ready(facts: Partial<ConditionFacts>): readonly [string, string, string, number] {
  const { lastRefresh = noon - minute } = allWell;
  const found = conditionsOf({ ...allWell, resources: three(), lastRefresh, ...facts }, [])[0];
  return [found?.status ?? '', found?.reason ?? '', found?.message ?? '', found?.since ?? 0];
}

describe('a stack is ready', () => {
  test.each<[string, Partial<ConditionFacts>, readonly [string, string, string, number]]>([
    ['in sync', {}, ['True', 'InSync', '3 resources in sync', noon]],
    [
      'no process that stands by knows',
      { role: 'standby' },
      ['Unknown', 'Standby', 'another process is the leader', noon],
    ],
    [
      'not, with errors in manifests',
      { diagnostics: [error], failures: [failure('account')] },
      [
        'False',
        'InvalidManifests',
        'manifests have errors; every resource that an error may concern keeps its last valid version',
        noon,
      ],
    ],
    [
      'not, with errors in manifests of which it is known what stays as it was',
      {
        diagnostics: [error],
        kept: { files: ['a.yaml'], isAll: false, addresses: ['ReservedAddr/a', 'ReservedAddr/b'] },
      },
      [
        'False',
        'InvalidManifests',
        'manifests have errors (a.yaml); nothing is deleted, and ReservedAddr/a and ReservedAddr/b keep their last valid version',
        noon,
      ],
    ],
    [
      'not, with errors in a file whose name would act on a terminal',
      { diagnostics: [error], kept: { files: ['\u001b[2J.yaml'], isAll: false, addresses: [] } },
      ['False', 'InvalidManifests', String.raw`manifests have errors (\u{1b}[2J.yaml); nothing is deleted`, noon],
    ],
    [
      'not, with an error that may concern anything',
      { diagnostics: [error], kept: { files: ['a.yaml'], isAll: true, addresses: ['ReservedAddr/a'] } },
      [
        'False',
        'InvalidManifests',
        'manifests have errors (a.yaml); an error may concern any resource, so all keep their last valid version and nothing new is applied',
        noon,
      ],
    ],
    [
      'although manifests have warnings',
      { diagnostics: [{ ...error, severity: 'warning' }] },
      ['True', 'InSync', '3 resources in sync', noon],
    ],
    [
      'not, while something is tried again',
      { failures: [failure('account')] },
      ['False', 'ReconciliationFailed', 'account: it failed', noon - hour],
    ],
    [
      'not, while something is tried again, whatever is blocked beside it',
      { failures: [failure('account')], resources: three('blocked'), pending: [pending(shop, 'protected')] },
      ['False', 'ReconciliationFailed', 'account: it failed', noon - hour],
    ],
    [
      'not, once the service has refused a change',
      { failures: [failure(shop, 422)], resources: three('failed'), pending: [pending(shop, 'refused')] },
      ['False', 'ChangeRefused', `${shop}: it failed`, noon - hour],
    ],
    [
      'perhaps, before the account was read',
      { lastRefresh: undefined as never },
      ['Unknown', 'NotRefreshed', 'the account has not been read yet', noon],
    ],
    [
      'perhaps, with a revision that was not compared',
      { revision: { content: 'another' } },
      ['Unknown', 'NewRevision', 'the new revision has not been compared with the account yet', noon],
    ],
    [
      'not, where something requires approval',
      {
        resources: three('requires-approval', 'requires-manual-apply'),
        pending: [pending(shop, 'approval', noon - hour), pending(api, 'manual'), pending(mqtt, 'protected')],
      },
      ['False', 'WaitingForApproval', '1 change requires approval; out of sync: 3 of 3 resources', noon - hour],
    ],
    [
      'not, where something is protected',
      { resources: three('blocked', 'out-of-sync'), pending: [pending(shop, 'protected'), pending(api, 'manual')] },
      ['False', 'Protected', '1 change blocked by deletion protection; out of sync: 2 of 3 resources', noon - minute],
    ],
    [
      'not, where something requires a manual apply',
      { resources: three('requires-manual-apply'), pending: [pending(shop, 'manual')] },
      [
        'False',
        'WaitingForManualApply',
        '1 change requires a manual apply; out of sync: 1 of 3 resources',
        noon - minute,
      ],
    ],
    [
      'not, while changes are about to be applied',
      { resources: three('out-of-sync', 'in-sync', 'out-of-sync') },
      ['False', 'OutOfSync', 'out of sync: 2 of 3 resources', noon],
    ],
    [
      'not, while a change is pending that concerns no resource',
      { pending: [pending('HTTPSEdge/new', 'dependency', noon - hour)] },
      ['False', 'OutOfSync', 'out of sync: 1 of 3 resources', noon - hour],
    ],
  ])('%s', (_, facts, expected) => {
    expect(ready(facts)).toEqual(expected);
  });
});

test('a condition keeps its time while its status is the same, whatever the reason; one that changes begins with its cause', () => {
  const facts = { ...allWell, resources: three('requires-manual-apply'), pending: [pending(shop, 'manual')] };
  const first = conditionsOf(facts, []);
  const types = first.map(({ type }) => type);
  expect(types).toEqual(['Ready', 'Reconciling', 'Stalled']);
  const later = { ...facts, now: noon + hour };
  const again = conditionsOf({ ...later, pending: [pending(shop, 'approval', noon)] }, first);
  expect(again[0]).toMatchObject({ status: 'False', reason: 'WaitingForApproval', since: noon - minute });
  const well = conditionsOf({ ...later, resources: three(), pending: [] }, again);
  expect(well[0]).toMatchObject({ status: 'True', since: noon + hour });
  expect(well[2]).toMatchObject({ status: 'False', since: first[2]?.since });
  const ahead = conditionsOf({ ...facts, pending: [pending(shop, 'manual', noon + hour)] }, []);
  expect(ahead[0]).toMatchObject({ status: 'False', since: noon });
});
