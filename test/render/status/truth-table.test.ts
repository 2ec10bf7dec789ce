import { describe, expect, test } from 'vitest';
import {
  pendingReasons,
  type PendingChange,
  type ResourceStatus,
  type WatchFailure,
  type WatchStatus,
} from '../../../src/model/status/watch-status.ts';
import { isLasting } from '../../../src/model/status/stuck-failure.ts';
import { syncStatusOf } from '../../../src/watch/decide/resource-statuses.ts';
import { stackText } from '../../../src/cli/commands/watch/stack-text.ts';
import { fleetRows } from '../../../src/render/status/fleet/fleet-rows.ts';
import { statusJson } from '../../../src/render/status/status-json.ts';
import type { StatusJson } from '../../../src/render/status/status-json-schema.ts';
import { conditionTone } from '../../../src/render/status/page/conditions-answer.ts';
import { statusPage } from '../../support/status-page.ts';
import { questionsOf } from '../../../src/render/status/status-questions.ts';
import { verdictOf } from '../../../src/render/status/status-verdict.ts';
import { jsonText } from '../../../src/render/text/json-text.ts';
import { conditionsOf } from '../../../src/watch/status/conditions.ts';
import { noon } from '../../watch/company.ts';
import { metricsTextOf } from '../../watch/metrics-text.ts';
import { allWell } from '../../watch/statuses.ts';
import { openNotifications } from '../../watch/notify/open-notifications.ts';

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
    pendingReasons
      .filter((reason) => !['manual', 'retry', 'refused', 'drift-conflict'].includes(reason))
      .map((reason) => [
        `a change that waits: ${reason}`,
        { resources: [resource(syncStatusOf({ reason }, {}))], pending: [pendingFor(reason)] },
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

const actions: Readonly<Record<string, Partial<WatchStatus>>> = {
  'waits for its next refresh': { nextRefresh: noon + 60_000 },
  'refreshes now': {},
  'waits for its turn': { isQueued: true },
};

const {
  lastGood: _,
  nextRefresh: _next,
  revision: _revision,
  lastRefresh: _refresh,
  lastSuccess: _success,
  ...plain
} = allWell;

const all = Object.entries(roles).flatMap(([role, a]) =>
  Object.entries(findings).flatMap(([finding, b]) =>
    Object.entries(troubles).flatMap(([trouble, c]) =>
      Object.entries(compared).map(([read, d]): readonly [string, WatchStatus] => {
        const failures = [...(b.failures ?? []), ...(c.failures ?? [])];
        const facts = { ...plain, ...a, ...b, ...c, ...d, nextRefresh: noon + 60_000, failures };
        return [`${role}, ${finding}, ${trouble}, ${read}`, { ...facts, conditions: conditionsOf(facts, []) }];
      }),
    ),
  ),
);

/** Each of them also while it refreshes, and while it waits for its turn. */
const allActions = all.flatMap(([name, status]) =>
  Object.entries(actions).map(([action, facts]): readonly [string, WatchStatus] => {
    const { nextRefresh: _none, ...found } = status;
    const given = { ...found, ...facts };
    return [`${name}, ${action}`, { ...given, conditions: conditionsOf(given, []) }];
  }),
);

const fleetConditionOf = (status: WatchStatus): string | undefined =>
  fleetRows({ stacks: [{ path: '.', status }] })[0]?.condition;

const conditionIn = ({ conditions }: WatchStatus, type: string): string | undefined =>
  conditions.find((one) => one.type === type)?.status;

/** Stalled, or it reports that what still gets further is something else. */
const isStalled = ({ conditions }: WatchStatus): boolean =>
  conditions.some(
    ({ type, status, message }) =>
      type === 'Stalled' && (status === 'True' || message.startsWith('other changes continue; blocked: ')),
  );

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
    expect(those((one) => isStuck(one) && !isStalled(one))).toEqual([]);
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
        ({ event, items }) => event === 'action-required' && items.some(({ scope }) => scope === 'HTTPSEdge/shop'),
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
    const [refused, retried] = [isOfReason('refused'), isOfReason('retry')];
    for (const isSaid of [isNotified, isMeasured, isQuestion, isPrinted, isOnPage, isStalled])
      expect(those((one) => refused(one) && !isSaid(one))).toEqual([]);
    for (const isSaid of [isNotified, isMeasured, isQuestion, isPrinted, isOnPage])
      expect(those((one) => retried(one) && isSaid(one))).toEqual([]);
  });

  test('what is Stalled is not Reconciling, as in kstatus', () => {
    const isTrue = (type: string, one: WatchStatus): boolean => conditionIn(one, type) === 'True';
    const named = (holds: (one: WatchStatus) => boolean): readonly string[] =>
      allActions.flatMap(([name, status]) => (holds(status) ? [name] : []));
    expect(named((one) => isTrue('Stalled', one) && isTrue('Reconciling', one))).toEqual([]);
    expect(named((one) => isTrue('Stalled', one))).not.toEqual([]);
    expect(named((one) => isStalled(one) && isTrue('Reconciling', one))).not.toEqual([]);
  });

  test('a stack that requires a person has one reason in all its conditions', () => {
    const reasonOf = ({ conditions }: WatchStatus, type: string): string =>
      conditions.find((one) => one.type === type)?.reason ?? '';
    const waits = (one: WatchStatus): boolean =>
      one.role === 'leader' &&
      conditionIn(one, 'Reconciling') === 'False' &&
      conditionIn(one, 'Ready') === 'False' &&
      one.pending.every(({ reason }) => !['retry', 'dependency', 'other-stack'].includes(reason)) &&
      one.failures.every(isLasting) &&
      questionsOf(one).some(({ section }) => section === 'action' || section === 'failures');
    expect(those((one) => waits(one) && reasonOf(one, 'Reconciling') !== reasonOf(one, 'Ready'))).toEqual([]);
    const isStuck = (one: WatchStatus): boolean => conditionIn(one, 'Stalled') === 'True';
    expect(those((one) => waits(one) && isStuck(one) && reasonOf(one, 'Stalled') !== reasonOf(one, 'Ready'))).toEqual(
      [],
    );
    expect(those(waits)).not.toEqual([]);
    expect(those((one) => reasonOf(one, 'Reconciling') === 'Stalled')).toEqual([]);
  });

  test('nothing is Stalled that only waits for an approval, or is paused', () => {
    const waits = ({ pending, failures, diagnostics }: WatchStatus): boolean =>
      failures.length + diagnostics.length === 0 && pending.every(({ reason }) => reason === 'approval');
    expect(those((one) => waits(one) && conditionIn(one, 'Stalled') !== 'False')).toEqual([]);
    expect(those((one) => one.conditions.some((each) => waits(one) && conditionTone(each) === 'bad'))).toEqual([]);
  });

  test('Stalled reports that nothing blocks reconciliation only where nothing failed, waits for approval or is paused', () => {
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
        activity.summary === 'Applying: 0 done, 1 failed, of 2 changes' &&
        applying?.done === 0 &&
        metricsTextOf(one).includes('sluice_applying_changes_failed{stack="company"} 1') &&
        stackText(JSON.parse(jsonText(statusJson(one))) as StatusJson).includes('0 done, 1 failed, of 2 changes') &&
        page.includes('0 done, 1 failed, of 2 changes') &&
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

describe('Reconciling and Stalled while a change is refused', () => {
  const refusedChange = findings['a change that the service refuses with 422'] ?? {};
  const running = (address: string, progress: 'running' | 'done'): Partial<WatchStatus> => ({
    applying: {
      startedAt: since,
      trigger: 'retry',
      digest: '',
      approvals: [],
      changes: [{ address, action: 'update', progress }],
    },
  });
  const behind = { revision, observed: { content: 'older' } };
  test.each<[string, Partial<WatchStatus>, string, string]>([
    ['nothing goes on', { nextRefresh: noon + 1 }, 'False', 'True'],
    ['the account is read again', {}, 'False', 'True'],
    ['it waits for its turn', { isQueued: true }, 'False', 'True'],
    ['only what is refused is tried again', running('HTTPSEdge/shop', 'running'), 'False', 'True'],
    ['another change runs', running('HTTPSEdge/api', 'running'), 'True', 'False'],
    ['another change is done, and none is left', running('HTTPSEdge/api', 'done'), 'False', 'True'],
    [
      'another change is about to be applied',
      { resources: [{ ...resource('out-of-sync'), address: 'A/b' }], nextRefresh: noon + 1 },
      'True',
      'False',
    ],
    [
      'a new revision is compared, which has just been tried again',
      { ...behind, failures: [{ ...failure('HTTPSEdge/shop', 'X', 422), attempts: 0 }] },
      'True',
      'False',
    ],
    ['a new revision is compared after a failure', behind, 'False', 'True'],
    ['it is paused', { role: 'paused', pause: {}, ...running('HTTPSEdge/api', 'running') }, 'False', 'True'],
  ])('%s', (_, facts, isReconciling, isStuck) => {
    const status: WatchStatus = {
      ...plain,
      revision,
      observed: revision,
      lastRefresh: noon,
      ...refusedChange,
      ...facts,
      conditions: [],
    };
    const found = { ...status, conditions: conditionsOf(status, []) };
    expect([conditionIn(found, 'Reconciling'), conditionIn(found, 'Stalled')]).toEqual([isReconciling, isStuck]);
  });
});

describe('times do not contradict each other', () => {
  const facts = { ...plain, revision, observed: revision, lastRefresh: noon, now: noon };
  const sinceIn = (
    status: Partial<WatchStatus>,
    type: string,
    before: WatchStatus['conditions'] = [],
  ): number | undefined => conditionsOf({ ...facts, ...status }, before).find((one) => one.type === type)?.since;

  test('a condition begins with the failure or the pending change that brought it', () => {
    const refusal = { failures: [failure('HTTPSEdge/shop', 'X', 422)] };
    expect([sinceIn(refusal, 'Ready'), sinceIn(refusal, 'Stalled')]).toEqual([since, since]);
    const waiting = { resources: [resource('requires-approval')], pending: [pendingFor('approval')] };
    expect(sinceIn(waiting, 'Ready')).toBe(since);
    expect(sinceIn({ pending: [pendingFor('protected')] }, 'Stalled')).toBe(since);
    expect(sinceIn({}, 'Ready')).toBe(noon);
  });

  test('a condition that has its status keeps its time, whatever fails next', () => {
    const before = conditionsOf(
      { ...facts, ...findings['a URL that is exposed'], resources: [resource('out-of-sync')], now: since - 1 },
      [],
    );
    expect(sinceIn({ failures: [failure('HTTPSEdge/shop', 'X')] }, 'Ready', before)).toBe(since - 1);
  });

  test('the page shows of Ready when it was last so, and of other times what began', () => {
    const failing = { ...facts, failures: [failure('account', 'X', 503)], lastSuccess: since - 6_000 };
    const page = textOf({ ...failing, conditions: conditionsOf(failing, []) });
    expect(page).toContain('Last ready 1 min ago.');
    expect(page).toContain('Failing for 1 min');
    expect(page).not.toMatch(/Ready: False for/);
  });
});

/** A page as text. */
function textOf(status: WatchStatus): string {
  return statusPage(status)
    .html.replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,])/g, '');
}
