import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/diagnostics/diagnostic.ts';
import type { ResourceStatus, WatchFailure, WatchStatus } from '../../../src/model/watch-status.ts';
import { fleetRows } from '../../../src/render/status/fleet/fleet-rows.ts';
import { statusPage } from '../../../src/render/status/status-page.ts';
import { verdictOf } from '../../../src/render/status/status-verdict.ts';
import { conditionsOf } from '../../../src/watch/status/conditions.ts';
import { minute, noon } from '../../watch/company.ts';
import { allWell, awaiting, paused, standingBy } from '../../watch/statuses.ts';
import { stalled } from '../../watch/unreadable-account.ts';

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
  ['watch-state', 'INTERNAL_ERROR', 'The watch state cannot be read or written', 'state-unusable'],
  ['requests', 'OPERATOR_REQUESTS_UNREADABLE', 'The pauses and approvals cannot be read', 'state-unusable'],
  ['manifests', 'SOURCE_MISSING', 'The manifests cannot be read', 'manifests-unreadable'],
  ['lock', 'LOCK_NOT_ACQUIRED', 'The lock cannot be taken', 'state-unusable'],
  ['HTTPSEdge/shop', 'CHANGE_FAILED', 'HTTPSEdge/shop failed', 'error'],
])('a failure of %s with %s is headed: %s', (scope, code, headline, cause) => {
  expect(verdictOf({ ...allWell, failures: [failure(scope, code)] })).toMatchObject({ headline, cause });
});

test('a failure of the state is not called one of the account', () => {
  const status = { ...allWell, failures: [failure('account', 'STATE_UNREADABLE')] };
  const message = conditionsOf(status, []).find(({ type }) => type === 'Ready')?.message;
  expect(message).toBe('state: is a directory, not a file');
  expect(statusPage(status).html).toContain('<code>state</code>');
});

test('an approval says what has to end before it takes effect', () => {
  const { pause } = paused;
  expect(textOf(awaiting)).toContain('When at once');
  expect(textOf({ ...awaiting, role: 'paused', ...(pause === undefined ? {} : { pause }) })).toContain(
    'When once the pause ends',
  );
  expect(textOf({ ...awaiting, failures: stalled.failures })).toContain(
    'When once the account and the state can be read again',
  );
});

test('what is due is never in the past', () => {
  expect(textOf({ ...allWell, nextRefresh: noon - minute })).toContain('Next refresh now .');
});

test('invalid manifests are named with their places, although no resource is', () => {
  const diagnostic: Diagnostic = {
    severity: 'error',
    code: 'UNKNOWN_FIELD',
    message: 'unknown field',
    place: { file: 'manifests/shop.yaml', line: 6, col: 3 },
  };
  expect(verdictOf({ ...allWell, diagnostics: [diagnostic] }).detail).toMatch(/^1 error at manifests\/shop\.yaml:6\. /);
  expect(verdictOf({ ...allWell, diagnostics: [diagnostic, diagnostic] }).detail).toMatch(/^2 errors, the first at /);
  const action = textOf({ ...allWell, diagnostics: [diagnostic, diagnostic] }).split(/Action required|Activity/)[1];
  expect(action?.match(/manifests\/shop\.yaml:6/g)).toHaveLength(1);
});

test('the leader is named without the marks of code', () => {
  expect(textOf({ ...standingBy, leader: '`sluice watch` of root on vm' })).toContain(
    'held by sluice watch of root on vm',
  );
});

test('an apply of which nothing was done says what was not done', () => {
  const [last] = allWell.history;
  const outcome = last?.outcome.map((one) => ({ ...one, ending: 'failed' as const })) ?? [];
  const text = textOf({ ...allWell, history: allWell.history.slice(0, 1).map((one) => ({ ...one, outcome })) });
  expect(text).toContain(' 2 not done ');
  expect(text).not.toContain('no changes done');
});

test('a stack that waits for approval says in a fleet what the approval would do', () => {
  expect(fleetRows({ stacks: [{ path: '.', status: awaiting }] })[0]?.detail).toBe(
    'To approve: update 1 HTTPSEdge; delete 1 ReservedAddr (1 OPENS_ACCESS, 1 LOSES_ADDRESS)',
  );
});

test('a reason that many resources share is said once in a row of them', () => {
  const note = '31 deletions exceed policy.max_deletes';
  const one = (name: string, own?: string): ResourceStatus => ({
    address: `ReservedAddr/${name}`,
    kind: 'ReservedAddr',
    syncStatus: 'pending',
    dependsOn: [],
    ...(own === undefined ? {} : { note: own }),
  });
  const resources = [one('a', note), one('b', note), one('c', note), one('d', 'another reason'), one('e', note)];
  const text = textOf({ ...allWell, resources: [...resources, one('f'), one('g')] });
  expect(text.match(/31 deletions exceed/g)).toHaveLength(2);
  expect(text.match(/same reason as above/g)).toHaveLength(2);
});

test.each([
  ['account', 'STATE_UNREADABLE', 'True'],
  ['account', 'STATE_DAMAGED', 'True'],
  ['account', 'STATE_LOST', 'True'],
  ['account', 'STATE_TOO_NEW', 'True'],
  ['account', 'JOURNAL_DAMAGED', 'True'],
  ['watch-state', 'FILE_NOT_WRITTEN', 'True'],
  ['account', 'STORE_UNAVAILABLE', 'False'],
  ['account', 'API_UNREACHABLE', 'False'],
])('what no retry mends needs a person: of %s with %s, Stalled is %s', (scope, code, isStalled) => {
  const status = { ...allWell, failures: [failure(scope, code)] };
  expect(conditionsOf(status, []).find(({ type }) => type === 'Stalled')?.status).toBe(isStalled);
  if (isStalled === 'True') expect(textOf(status)).toContain('failure that retries do not resolve');
  else expect(textOf(status)).toContain('None yet.');
});
