import { describe, expect, test } from 'vitest';
import type { PendingChange, ResourceStatus, WatchFailure, WatchStatus } from '../../../src/model/watch-status.ts';
import { stackText } from '../../../src/cli/commands/watch/stack-text.ts';
import { fleetRows } from '../../../src/render/status/fleet/fleet-rows.ts';
import { statusJson } from '../../../src/render/status/status-json.ts';
import type { StatusJson } from '../../../src/render/status/status-json-schema.ts';
import { conditionTone } from '../../../src/render/status/page/condition-tone.ts';
import { statusPage } from '../../../src/render/status/page/status-page.ts';
import { questionsOf } from '../../../src/render/status/status-questions.ts';
import { verdictOf } from '../../../src/render/status/status-verdict.ts';
import { jsonText } from '../../../src/render/text/json-text.ts';
import { openNotifications } from '../../../src/watch/notify/notification.ts';
import { conditionsOf } from '../../../src/watch/status/conditions.ts';
import { noon } from '../../watch/company.ts';
import { metricsTextOf } from '../../watch/metrics-text.ts';
import { allWell } from '../../watch/statuses.ts';

const revision = { content: '5c1e7a90d2b4' };
const since = noon - 60_000;

const pendingFor = (reason: PendingChange['reason']): PendingChange => ({
  address: 'HTTPSEdge/shop',
  action: 'update',
  reason,
  message: '',
  hazards: [],
  details: '',
  fields: [],
  since,
});
const failure = (scope: string, code: string, status?: number): WatchFailure => ({
  scope,
  code,
  message: code,
  since,
  attempts: 1,
  ...(status === undefined ? {} : { status }),
});
const resource = (syncStatus: ResourceStatus['syncStatus']): ResourceStatus => ({
  address: 'HTTPSEdge/shop',
  kind: 'HTTPSEdge',
  syncStatus,
  dependsOn: [],
});

/** What one turn may have found, as a watch puts it together. */
const findings: Readonly<Record<string, Partial<WatchStatus>>> = {
  'all in sync': { resources: [resource('in-sync')] },
  'no resources': { resources: [] },
  'changes about to be applied': { resources: [resource('out-of-sync')] },
  ...Object.fromEntries(
    (['approval', 'protected', 'unresolved', 'dependency', 'invalid-manifest'] as const).map((reason) => [
      `a change that waits: ${reason}`,
      { resources: [resource('pending')], pending: [pendingFor(reason)] },
    ]),
  ),
  'reported drift': { resources: [resource('drifted')], pending: [pendingFor('manual')] },
  'a retry': {
    resources: [resource('failed')],
    pending: [pendingFor('retry')],
    failures: [failure('HTTPSEdge/shop', 'X')],
  },
  ...Object.fromEntries(
    [400, 403, 404, 409, 422].map((code) => [
      `a change that the service refuses with ${String(code)}`,
      {
        resources: [resource('failed')],
        pending: [pendingFor('refused')],
        failures: [failure('HTTPSEdge/shop', 'X', code)],
      },
    ]),
  ),
  'a refused change that is tried again now': {
    resources: [resource('applying')],
    failures: [failure('HTTPSEdge/shop', 'X', 422)],
  },
  ...Object.fromEntries(
    [429, 500, 503].map((code) => [
      `a change that the service may take later: ${String(code)}`,
      {
        resources: [resource('failed')],
        pending: [pendingFor('retry')],
        failures: [failure('HTTPSEdge/shop', 'X', code)],
      },
    ]),
  ),
  ...Object.fromEntries(
    [422, 503].map((code) => [
      `an apply that still runs, of which a change failed with ${String(code)}`,
      {
        resources: [resource('failed')],
        pending: [pendingFor(code === 422 ? 'refused' : 'retry')],
        failures: [failure('HTTPSEdge/shop', 'X', code)],
        applying: {
          startedAt: since,
          trigger: 'revision' as const,
          digest: '',
          approvals: [],
          changes: [
            { address: 'HTTPSEdge/shop', action: 'update' as const, progress: 'failed' as const },
            { address: 'HTTPSEdge/api', action: 'update' as const, progress: 'running' as const },
          ],
        },
      },
    ]),
  ),
  'a URL that is exposed': {
    resources: [resource('in-sync')],
    exposures: [{ address: 'HTTPSEdge/shop', message: 'is public now', urls: ['https://shop.example.com/'] }],
  },
};

const troubles: Readonly<Record<string, Partial<WatchStatus>>> = {
  'no failure': {},
  'a revoked key': { failures: [failure('account', 'ACCESS_DENIED')], resources: [resource('unknown')] },
  'a stalled API': { failures: [failure('account', 'API_UNREACHABLE')], resources: [resource('unknown')] },
  'unreadable manifests': { failures: [failure('manifests', 'SOURCE_UNREADABLE')] },
};

const roles: Readonly<Record<string, Partial<WatchStatus>>> = {
  leader: { role: 'leader' },
  standby: { role: 'standby', leader: 'other' },
  paused: { role: 'paused', pause: { until: noon + 60_000 } },
};

const compared: Readonly<Record<string, Partial<WatchStatus>>> = {
  'compared with the account': { revision, observed: revision, lastRefresh: noon },
  'read, but not compared yet': { revision, observed: { content: 'older' }, lastRefresh: noon },
  'nothing read yet': { resources: [] },
};

const { lastGood: _, revision: _revision, lastRefresh: _refresh, lastSuccess: _success, ...plain } = allWell;

const all = Object.entries(roles).flatMap(([role, a]) =>
  Object.entries(findings).flatMap(([finding, b]) =>
    Object.entries(troubles).flatMap(([trouble, c]) =>
      Object.entries(compared).map(([read, d]): readonly [string, WatchStatus] => {
        const failures = [...(b.failures ?? []), ...(c.failures ?? [])];
        const facts = { ...plain, ...a, ...b, ...c, ...d, failures };
        return [`${role}, ${finding}, ${trouble}, ${read}`, { ...facts, conditions: conditionsOf(facts, []) }];
      }),
    ),
  ),
);

const fleetConditionOf = (status: WatchStatus): string | undefined =>
  fleetRows({ stacks: [{ path: '.', status }] })[0]?.condition;

const conditionIn = ({ conditions }: WatchStatus, type: string): string | undefined =>
  conditions.find((one) => one.type === type)?.status;

describe(`page and conditions agree in ${String(all.length)} combinations`, () => {
  const those = (holds: (status: WatchStatus) => boolean): readonly string[] =>
    all.flatMap(([name, status]) => (holds(status) ? [name] : []));

  test('the page is green if and only if Ready is True and nobody is asked', () => {
    const isCalm = (status: WatchStatus): boolean => status.role === 'leader' && questionsOf(status).length === 0;
    expect(
      those((one) => (verdictOf(one).tone === 'well') !== (conditionIn(one, 'Ready') === 'True' && isCalm(one))),
    ).toEqual([]);
  });

  test('Ready is Unknown until what was read has been compared, unless something failed', () => {
    const isKnown = ({ revision: read, observed, lastRefresh, failures, role }: WatchStatus): boolean =>
      role !== 'standby' && (failures.length > 0 || (lastRefresh !== undefined && read?.content === observed?.content));
    expect(those((one) => (conditionIn(one, 'Ready') === 'Unknown') === isKnown(one))).toEqual([]);
  });

  test('what only a person can mend is Stalled, and on the page as an action', () => {
    const isStuck = ({ failures }: WatchStatus): boolean =>
      failures.some(({ code, status = 500 }) => code === 'ACCESS_DENIED' || [400, 403, 404, 409, 422].includes(status));
    expect(those((one) => isStuck(one) && conditionIn(one, 'Stalled') !== 'True')).toEqual([]);
    expect(those((one) => isStuck(one) && questionsOf(one).length === 0)).toEqual([]);
    expect(those((one) => isStuck(one) && statusJson(one).action_required.length === 0)).toEqual([]);
    expect(those((one) => isStuck(one) && fleetConditionOf(one) === 'in-sync')).toEqual([]);
  });

  test('a refused change is an action everywhere, and one that may pass later nowhere', () => {
    const isOfReason =
      (reason: PendingChange['reason']) =>
      ({ pending }: WatchStatus): boolean =>
        pending.some((one) => one.reason === reason);
    const isNotified = (one: WatchStatus): boolean =>
      openNotifications(one).some(
        ({ event, items }) => event === 'pending' && items.some(({ scope }) => scope === 'HTTPSEdge/shop'),
      );
    const isMeasured = (one: WatchStatus): boolean =>
      metricsTextOf(one).includes('sluice_pending_changes{stack="company",reason="refused"} 1');
    const isQuestion = (one: WatchStatus): boolean =>
      questionsOf(one).some(({ text }) => text === '1 change refused by the service');
    const isPrinted = (one: WatchStatus): boolean =>
      stackText(JSON.parse(jsonText(statusJson(one))) as StatusJson).includes(
        'action required: 1 change refused by the service',
      );
    const isOnPage = (one: WatchStatus): boolean => statusPage(one).html.includes('id="w-refused-');
    const isStalled = (one: WatchStatus): boolean => conditionIn(one, 'Stalled') === 'True';
    const [refused, retried] = [isOfReason('refused'), isOfReason('retry')];
    for (const isSaid of [isNotified, isMeasured, isQuestion, isPrinted, isOnPage, isStalled])
      expect(those((one) => refused(one) && !isSaid(one))).toEqual([]);
    for (const isSaid of [isNotified, isMeasured, isQuestion, isPrinted, isOnPage])
      expect(those((one) => retried(one) && isSaid(one))).toEqual([]);
  });

  test('nothing is Stalled that only waits for an approval, or is paused', () => {
    const waits = ({ pending, failures, diagnostics }: WatchStatus): boolean =>
      failures.length + diagnostics.length === 0 && pending.every(({ reason }) => reason === 'approval');
    expect(those((one) => waits(one) && conditionIn(one, 'Stalled') !== 'False')).toEqual([]);
    expect(those((one) => one.conditions.some((each) => waits(one) && conditionTone(each) === 'bad'))).toEqual([]);
  });

  test('Stalled says that nothing blocks reconciliation only where nothing failed, waits for approval or is paused', () => {
    const isClaimed = ({ conditions }: WatchStatus): boolean =>
      conditions.some(({ message }) => message === 'nothing blocks reconciliation');
    const isHeld = ({ failures, pending, pause }: WatchStatus): boolean =>
      failures.length > 0 || pause !== undefined || pending.some(({ reason }) => reason === 'approval');
    expect(those((one) => isClaimed(one) && isHeld(one))).toEqual([]);
    expect(those(isClaimed)).not.toEqual([]);
  });

  test('a failed change of a running apply is not done, and is an action or retried, wherever it is read', () => {
    const fails = ({ applying, role }: WatchStatus): boolean => applying !== undefined && role === 'leader';
    const isSaid = (one: WatchStatus): boolean => {
      const { activity, action_required, applying } = statusJson(one);
      const page = statusPage(one)
        .html.replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ');
      return (
        activity.summary === 'Applying: 0 done, 1 failed, of 2' &&
        applying?.done === 0 &&
        metricsTextOf(one).includes('sluice_applying_changes_failed{stack="company"} 1') &&
        stackText(JSON.parse(jsonText(statusJson(one))) as StatusJson).includes('0 done, 1 failed, of 2') &&
        page.includes('0 done, 1 failed, of 2') &&
        (action_required.length > 0 || page.includes('None. sluice '))
      );
    };
    expect(those((one) => fails(one) && !isSaid(one))).toEqual([]);
  });

  test('no resource counts as in sync while the account cannot be read', () => {
    const failed = ({ failures }: WatchStatus): boolean => failures.some(({ scope }) => scope === 'account');
    expect(those((one) => failed(one) && one.role !== 'standby' && verdictOf(one).tone !== 'bad')).toEqual([]);
  });
});
