import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/diagnostics/diagnostic.ts';
import type { ResourceStatus, WatchFailure, WatchStatus } from '../../../src/model/status/watch-status.ts';
import { statusJson } from '../../../src/render/status/status-json.ts';
import type { StatusJson } from '../../../src/render/status/status-json-schema.ts';
import { jsonText } from '../../../src/render/text/json-text.ts';
import { stackText } from '../../../src/cli/commands/watch/stack-text.ts';
import { fleetRows } from '../../../src/render/status/fleet/fleet-rows.ts';
import { manualChoices } from '../../../src/render/status/manual-choices.ts';
import { failureMeaning } from '../../../src/render/status/failure-words.ts';
import { questionsOf } from '../../../src/render/status/status-questions.ts';
import { statusPage } from '../../support/status-page.ts';
import { verdictOf } from '../../../src/render/status/status-verdict.ts';
import { conditionsOf } from '../../../src/watch/status/conditions.ts';
import { byHand, conflicted } from '../../watch/asking-statuses.ts';
import { minute, noon } from '../../watch/company.ts';
import { allWell, awaiting, paused, standingBy } from '../../watch/statuses.ts';
import { gone } from '../../watch/waiting-statuses.ts';
import { metricsTextOf } from '../../watch/metrics-text.ts';
import { stalled } from '../../watch/unreadable-account.ts';
import { openNotifications } from '../../watch/notify/open-notifications.ts';

const failure = (scope: string, code: string): WatchFailure => ({
  scope,
  code,
  message: 'is a directory, not a file',
  since: noon,
  attempts: 1,
  nextAttempt: noon + minute,
});

const textOf = (status: WatchStatus): string =>
  statusPage(status)
    .html.replace(/<style>.*?<\/style>|<script.*?<\/script>|<[^>]*>/gs, ' ')
    .replace(/\s+/g, ' ');

test.each([
  ['account', 'STATE_UNREADABLE', 'The state cannot be used', 'state-unusable'],
  ['account', 'STORE_UNAVAILABLE', 'The state cannot be used', 'state-unusable'],
  ['account', 'JOURNAL_DAMAGED', 'The state cannot be used', 'state-unusable'],
  ['account', 'API_UNREACHABLE', 'The account cannot be read', 'account-unreadable'],
  ['account', 'LEASE_DAMAGED', 'The state cannot be used', 'state-unusable'],
  ['account', 'LOCK_LOST', 'The state cannot be used', 'state-unusable'],
  ['account', 'ACCESS_DENIED', 'API key refused by the service', 'access-denied'],
  ['account', 'MANY_RESOURCES_MISSING', 'Most resources are missing from the account', 'account-unreadable'],
  ['account', 'NO_RESOURCES_DEFINED', 'The manifests contain no resources', 'manifests-unreadable'],
  ['watch-state', 'FILE_NOT_WRITTEN', 'The watch state cannot be written', 'state-unusable'],
  ['watch-state', 'WATCH_STATE_UNREADABLE', 'The watch state cannot be read', 'state-unusable'],
  ['watch-state', 'STORE_UNAVAILABLE', 'The watch state cannot be written', 'state-unusable'],
  ['requests', 'OPERATOR_REQUESTS_UNREADABLE', 'The pauses and approvals cannot be read', 'state-unusable'],
  ['manifests', 'SOURCE_MISSING', 'The manifests cannot be read', 'manifests-unreadable'],
  ['lock', 'LOCK_NOT_ACQUIRED', 'The lock cannot be taken', 'state-unusable'],
  ['HTTPSEdge/shop', 'CHANGE_FAILED', 'HTTPSEdge/shop failed', 'error'],
])('a failure of %s with %s is headed: %s', (scope, code, headline, cause) => {
  expect(verdictOf({ ...allWell, failures: [failure(scope, code)] })).toMatchObject({ headline, cause });
});

test.each([
  ['account', 'DUPLICATES'],
  ['account', 'JOURNAL_MISMATCH'],
  ['account', 'STACK_ID_IN_USE'],
  ['account', 'STATE_ACCOUNT_MISMATCH'],
  ['account', 'STATE_STACK_MISMATCH'],
  ['watch-state', 'STATE_STACK_MISMATCH'],
])('a failure of %s with %s is stalled until a person acts: no retry corrects it', (scope, code) => {
  const status = { ...allWell, failures: [failure(scope, code)] };
  expect(conditionsOf(status, []).find(({ type }) => type === 'Stalled')).toMatchObject({
    status: 'True',
    reason: 'ActionRequired',
  });
});

test('a failure of the state is not called one of the account', () => {
  const status = { ...allWell, failures: [failure('account', 'STATE_UNREADABLE')] };
  const message = conditionsOf(status, []).find(({ type }) => type === 'Ready')?.message;
  expect(message).toBe('state: is a directory, not a file');
  expect(statusPage(status).html).toContain('<code>state</code>');
});

test('an approval reports what has to end before it takes effect', () => {
  const { pause } = paused;
  expect(textOf(awaiting)).toContain('If you approve Applied immediately');
  expect(textOf({ ...awaiting, role: 'paused', ...(pause === undefined ? {} : { pause }) })).toContain(
    'If you approve Applied after the pause ends',
  );
  expect(textOf({ ...awaiting, failures: stalled.failures })).toContain(
    'If you approve Applied when the account can be read again',
  );
  expect(textOf({ ...awaiting, failures: [failure('account', 'STATE_NOT_WRITTEN')] })).toContain(
    'If you approve Applied when the state can be read and written again',
  );
  expect(textOf({ ...awaiting, failures: [failure('account', 'NO_RESOURCES_DEFINED')] })).toContain(
    'If you approve Applied when the manifests contain resources again',
  );
  expect(textOf({ ...awaiting, isQueued: true })).toContain(
    'If you approve Applied after other stacks of the fleet have reconciled',
  );
});

test('what cannot be approved is not offered: neither by the page nor by a command', () => {
  const failures = [failure('watch-state', 'FILE_NOT_WRITTEN')];
  const unsaved = textOf({ ...awaiting, approvalWays: ['page', 'commit'], failures, conditions: [] });
  expect(unsaved).toContain('Changes cannot be approved until the watch state can be written again');
  expect(unsaved).not.toMatch(/Applied at once|run sluice approve|Review and approve|Sluice-Approve|Token/);
});

test('where the page takes no approvals, it names the command that does, with the directory of the stack', () => {
  const closed = textOf({ ...awaiting, dir: '/srv/the shop', approvalWays: [] });
  expect(closed).toContain('To review and approve, run sluice -C &#39;/srv/the shop&#39; approve in a terminal');
  expect(closed).not.toContain('Review and approve');
  expect(textOf({ ...awaiting, approvalWays: ['page'] })).toContain('Review and approve');
});

test('drift that watch leaves comes with two choices: keep it, or go back by commands one after the other', () => {
  const one = { ...byHand('ReservedAddr/ssh', '/description', 'ssh', '"by hand"') };
  const resource = { ...allWell.resources[0]!, address: one.address, source: 'manifests/a.yaml:16' };
  const text = textOf({ ...allWell, dir: '/srv/shop', resources: [resource], pending: [one] }).replace(/\s+/g, ' ');
  expect(text).toContain(
    'To keep what is in the account: edit manifests/a.yaml:16 so that description is &#34;by hand&#34;.',
  );
  expect(text).toMatch(/To go back to the manifests: run these commands in this order\. The watch holds the lock/);
  expect(text).toContain(
    'set watch.heal_drift: true (or, for these kinds only, watch.kinds: {ReservedAddr: heal} ) in',
  );
  expect(text).toContain(
    ' sluice -C /srv/shop pause sluice -C /srv/shop apply --target ReservedAddr/ssh sluice -C /srv/shop resume ',
  );
});

test('what is in the account and is a secret is not said to be what is printed in its place', () => {
  const secret = {
    pointer: '/oidc/client_secret',
    desired: '(secret, changed)',
    actual: '(secret)',
    hasSecret: true as const,
  };
  const changes = [{ address: 'HTTPSEdgeRoute/shop:/', action: 'update' as const, fields: [secret] }];
  expect(manualChoices({ cause: 'drift', changes, source: 'a.yaml:3' })[0]?.text).toBe(
    'give the secret in `a.yaml:3` the value that the account has; sluice does not print secrets.',
  );
});

test.each([
  ['removal', 'delete', 'restore the manifest of each resource.', '`watch.prune: true`'],
  ['renewal', 'replace-create-first', undefined, '`watch.renew: true`'],
  [
    'drift',
    'create',
    'the resource was deleted in the account: remove the manifest (`a.yaml:3`).',
    '`watch.heal_drift: true`',
  ],
] as const)('a manual change by %s (%s) names the setting for it in full', (cause, action, keep, setting) => {
  const changes = [{ address: 'ReservedAddr/ssh', action, fields: [] }];
  const choices = manualChoices({ cause, changes, source: 'a.yaml:3' });
  expect(choices.map(({ text }) => text).slice(0, -1)).toEqual(keep === undefined ? [] : [keep]);
  expect(choices.at(-1)?.text).toContain(`set ${setting}`);
  expect(choices.at(-1)?.commands).toEqual(['sluice pause', 'sluice apply --target ReservedAddr/ssh', 'sluice resume']);
});

test('observed and applied revision have labels, one that was only read is new, and what is the same is named once', () => {
  const [read, observed, applied] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc'].map((content) => ({ content }));
  const shown = textOf({ ...allWell, revision: read!, lastGood: read!, observed: observed!, applied: applied! });
  expect(shown).toMatch(
    /New revision aaaaaaaaaaaa not compared with the account yet +Observed revision bbbbbbbbbbbb +Applied revision cccccccccccc/,
  );
  const same = textOf({ ...allWell, revision: read!, lastGood: read!, observed: read!, applied: read! });
  expect(same).toMatch(/Observed and applied revision aaaaaaaaaaaa/);
  expect(same.match(/aaaaaaaaaaaa/g)).toHaveLength(1);
});

test('`sluice status` prints the revisions as the page names them', () => {
  const printed = (status: WatchStatus): string => stackText(JSON.parse(jsonText(statusJson(status))) as StatusJson);
  expect(printed(allWell)).toContain(
    '  observed and applied revision: 4f2d1c8 on main shop: let the Dutch branch in\n',
  );
  expect(printed({ ...allWell, lastGood: { content: 'bbbb' }, applied: { content: 'cccc' } })).toMatch(
    / {2}observed revision: 4f2d1c8 .* \(with errors in the manifests\)\n {2}applied revision: cccc\n/,
  );
});

test('what is due is never in the past', () => {
  expect(textOf({ ...allWell, nextRefresh: noon - minute })).toContain('Next refresh: due now .');
});

test('a resource with two drift conflicts is named once, and not counted as two', () => {
  const other = conflicted.driftConflicts.map((one) => ({ ...one, pointer: '/oauth/provider' }));
  const text = textOf({ ...conflicted, driftConflicts: [...conflicted.driftConflicts, ...other] });
  expect(text).toContain('2 drift conflicts');
  expect(text).not.toContain('and 1 more');
});

const diagnostic: Diagnostic = {
  severity: 'error',
  code: 'UNKNOWN_FIELD',
  message: 'unknown field',
  place: { file: 'manifests/shop.yaml', line: 6, col: 3 },
};

test('invalid manifests are named with their places, although no resource is', () => {
  expect(verdictOf({ ...allWell, diagnostics: [diagnostic] }).detail).toMatch(/^1 error at manifests\/shop\.yaml:6\. /);
  expect(verdictOf({ ...allWell, diagnostics: [diagnostic, diagnostic] }).detail).toMatch(/^2 errors, the first at /);
  const action = textOf({ ...allWell, diagnostics: [diagnostic, diagnostic] }).split(/Action required|Activity/)[1];
  expect(action?.match(/manifests\/shop\.yaml:6/g)).toHaveLength(1);
});

test('the page says of other changes that they are applied, unless an error may concern every resource', () => {
  const kept = { files: ['manifests/shop.yaml'], isAll: false, addresses: [] };
  expect(textOf({ ...allWell, diagnostics: [diagnostic], kept })).toContain(
    'Changes that require no action are applied.',
  );
  expect(textOf({ ...allWell, diagnostics: [diagnostic], kept: { ...kept, isAll: true } })).toContain(
    'Nothing new is applied until the errors in the manifests are corrected.',
  );
});

test('the leader is named without the marks of code', () => {
  expect(textOf({ ...standingBy, leader: '`sluice watch` of root on vm' })).toContain(
    'held by sluice watch of root on vm',
  );
});

test('an apply of which nothing was done reports what was not done', () => {
  const [last] = allWell.history;
  const outcome = last?.outcome.map((one) => ({ ...one, ending: 'failed' as const })) ?? [];
  const text = textOf({ ...allWell, history: allWell.history.slice(0, 1).map((one) => ({ ...one, outcome })) });
  expect(text).toContain(' 2 not done ');
  expect(text).not.toContain('no changes done');
});

test('a stack that waits for approval reports in a fleet what the approval would do', () => {
  expect(fleetRows({ stacks: [{ path: '.', status: awaiting }] })[0]?.detail).toBe(
    'Approval would update HTTPSEdge/api (OPENS_ACCESS: requests to https://api.example.com/… are no longer subject to `mutual_tls`), ' +
      'and delete ReservedAddr/mqtt-us (LOSES_ADDRESS: mqtt-us.example.com:1883 is lost; a deleted address cannot be recovered)',
  );
  const gone = awaiting.pending.find(({ action, reason }) => action === 'delete' && reason === 'approval')!;
  const message = '1 managed resource would be deleted; policy.max_deletes allows none';
  const hazards = [{ code: 'MANY_DELETES' as const, address: gone.address, message, isOfStack: true as const }];
  const limited = { ...awaiting, pending: [{ ...gone, hazards }] };
  expect(fleetRows({ stacks: [{ path: '.', status: limited }] })[0]?.detail).toBe(
    `Approval would delete ReservedAddr/mqtt-us (MANY_DELETES: ${message})`,
  );
  const many = Array.from({ length: 3 }, (_, n) => ({ ...gone, address: `ReservedAddr/a${String(n)}` }));
  expect(fleetRows({ stacks: [{ path: '.', status: { ...awaiting, pending: many } }] })[0]?.detail).toBe(
    'Approval would update 1 HTTPSEdge; delete 1 ReservedAddr (1 OPENS_ACCESS, 1 LOSES_ADDRESS)',
  );
});

test('a reason that many resources share is reported once in a row of them, with how many have it', () => {
  const note = '31 deletions exceed policy.max_deletes';
  const one = (name: string, own?: string): ResourceStatus => ({
    address: `ReservedAddr/${name}`,
    kind: 'ReservedAddr',
    syncStatus: 'requires-approval',
    dependsOn: [],
    ...(own === undefined ? {} : { note: own }),
  });
  const resources = [one('a', note), one('b', note), one('c', note), one('d', 'another reason'), one('e', note)];
  const text = textOf({ ...allWell, resources: [...resources, one('f'), one('g')] });
  expect(text.match(/31 deletions exceed/g)).toHaveLength(2);
  expect(text).toContain('31 deletions exceed policy.max_deletes (also the next 2)');
  expect(text).not.toContain('same reason');
});

test('what is lost or opened is named at the row of each resource, although the reason is that of the one above', () => {
  const message = '2 deletions in one plan: policy.max_deletes allows none without approval';
  const pending = ['a', 'b'].map((name) => ({
    ...gone,
    address: `ReservedAddr/${name}`,
    message,
    hazards: [{ code: 'LOSES_ADDRESS' as const, address: `ReservedAddr/${name}`, message: `${name}.example is lost` }],
  }));
  const resources = pending.map(({ address }): ResourceStatus => ({
    address,
    kind: 'ReservedAddr',
    syncStatus: 'requires-approval',
    note: message,
    dependsOn: [],
  }));
  const changes = pending.map(({ hazardCode: _, ...one }) => one);
  const text = textOf({ ...allWell, pending: changes, resources });
  expect(text).toContain(`${message} (also the next 1) LOSES_ADDRESS : a.example is lost`);
  expect(text).toMatch(/ReservedAddr\/ b +LOSES_ADDRESS : b\.example is lost/);
  expect(text.match(/2 deletions in one plan/g)).toHaveLength(2);
});

test('a pause is seen first, with who, why, how to resume, and what is open', () => {
  const pause = { by: 'ada', reason: 'freeze of the quarter', until: noon + minute };
  for (const status of [awaiting, { ...allWell, failures: [failure('account', 'ACCESS_DENIED')] }, paused]) {
    const { headline, detail = '' } = verdictOf({ ...status, role: 'paused', pause });
    expect(headline).toMatch(/^Paused until /);
    expect(detail).toMatch(
      /^Paused by ada: freeze of the quarter\. No `sluice watch` process applies changes to this stack during the pause; approved changes are applied after the pause ends\. To resume now, run /,
    );
  }
  expect(verdictOf({ ...awaiting, role: 'paused', pause }).detail).toMatch(
    /Status apart from the pause: 2 changes require approval/,
  );
});

test('each failure that stays is asked about with its subject, beside the changes that the service refuses', () => {
  const failures = [
    { ...failure('HTTPSEdge/shop', 'X'), status: 422 },
    failure('watch-state', 'FILE_NOT_WRITTEN'),
    failure('account', 'STATE_DAMAGED'),
  ];
  expect(questionsOf({ ...allWell, failures }).map(({ text }) => text)).toEqual([
    'the watch state cannot be written',
    'the state cannot be used',
    '1 change refused by the service',
  ]);
});

test('notifications, conditions and metrics call a failure by its subject', () => {
  const status = { ...allWell, failures: [failure('account', 'STATE_DAMAGED'), failure('watch-state', 'X')] };
  expect(openNotifications(status)[0]?.items.map(({ scope }) => scope)).toEqual(['state', 'watch state']);
  expect(conditionsOf(status, [])[2]?.message).toBe('state: is a directory, not a file');
  const metrics = metricsTextOf(status);
  expect(metrics).toContain('sluice_failures{stack="company",scope="state"} 2');
  expect(metrics).toContain('sluice_failures{stack="company",scope="account"} 0');
  expect(metrics).toContain('sluice_failures{stack="company",scope="resource"} 0');
});

test.each([
  ['account', 'STATE_UNREADABLE', 'True'],
  ['account', 'STATE_DAMAGED', 'True'],
  ['account', 'STATE_LOST', 'True'],
  ['account', 'STATE_TOO_NEW', 'True'],
  ['account', 'JOURNAL_DAMAGED', 'True'],
  ['account', 'STORE_ACCESS_DENIED', 'True'],
  ['account', 'STORE_READ_ONLY', 'True'],
  ['account', 'STATE_MOVED', 'True'],
  ['lock', 'LOCK_NOT_ACQUIRED', 'True'],
  ['lock', 'LEASE_DAMAGED', 'True'],
  ['requests', 'OPERATOR_REQUESTS_UNREADABLE', 'True'],
  ['watch-state', 'FILE_NOT_WRITTEN', 'True'],
  ['watch-state', 'WATCH_STATE_UNREADABLE', 'True'],
  ['watch-state', 'STORE_UNAVAILABLE', 'False'],
  ['account', 'STORE_UNAVAILABLE', 'False'],
  ['account', 'API_UNREACHABLE', 'False'],
])('what no retry mends needs a person: of %s with %s, Stalled is %s', (scope, code, isStalled) => {
  const status = { ...allWell, failures: [failure(scope, code)] };
  expect(conditionsOf(status, []).find(({ type }) => type === 'Stalled')?.status).toBe(isStalled);
  const [stuck] = questionsOf(status);
  expect(stuck?.text).toBe(isStalled === 'True' ? failureMeaning(failure(scope, code)).text : undefined);
  const text = textOf(status);
  expect(text.includes('each attempt fails until the cause is corrected')).toBe(isStalled === 'True');
  expect(text.includes('sluice retries automatically')).toBe(isStalled === 'False');
});

test('a revision that was read and not compared yet is reported not to be known in its effect', () => {
  const behind = { ...allWell, revision: { content: 'aaaaaaaaaaaa' } };
  expect(textOf(behind)).toContain('Revision aaaaaaaaaaaa is read, and not compared with the account yet');
  expect(textOf(allWell)).not.toContain('not compared with the account');
});

test('of a revision with errors, the header reports that', () => {
  const [revision, lastGood] = [{ content: 'aaaaaaaaaaaa' }, { content: 'bbbbbbbbbbbb' }];
  expect(textOf({ ...allWell, revision, observed: revision, lastGood, applied: lastGood })).toMatch(
    /Observed revision aaaaaaaaaaaa with errors in the manifests +Applied revision bbbbbbbbbbbb/,
  );
  expect(textOf({ ...allWell, revision, observed: lastGood, lastGood, applied: lastGood })).toMatch(
    /New revision aaaaaaaaaaaa with errors in the manifests +Observed and applied revision bbbbbbbbbbbb/,
  );
});

test('a pause ends with a command that works from any directory', () => {
  const text = textOf({ ...paused, dir: '/srv/shop' });
  expect(text.match(/sluice -C \/srv\/shop resume/g)).toHaveLength(2);
});
