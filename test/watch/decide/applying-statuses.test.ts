import { expect, test } from 'vitest';
import type { ApplyEvent, ChangeOutcome } from '../../../src/model/outcome.ts';
import type { ResourceStatus } from '../../../src/model/status/watch-status.ts';
import { WatchedApply } from '../../../src/watch/decide/watched-apply.ts';
import { planOf } from '../../plan/support.ts';

const before: readonly ResourceStatus[] = [
  resource('HTTPSEdge/a', 'out-of-sync', { dependsOn: ['ReservedAddr/x', 'ReservedAddr/y'] }),
  resource('HTTPSEdge/b', 'in-sync'),
  resource('HTTPSEdge/c', 'drifted'),
];

function resource(address: string, syncStatus: ResourceStatus['syncStatus'], more = {}): ResourceStatus {
  return { address, kind: 'HTTPSEdge', syncStatus, dependsOn: [], ...more };
}

const applying = (resources: readonly ResourceStatus[]): WatchedApply =>
  new WatchedApply(planOf({ wanted: {} }), resources, () => '');

/** The statuses after these events: address and status. */
function after(...events: readonly ApplyEvent[]): readonly string[] {
  const progress = applying(before);
  for (const event of events) progress.record(event);
  return progress.resources.map(({ address, syncStatus, note }) =>
    [address.slice(-1), syncStatus, ...(note === undefined ? [] : [note])].join(' '),
  );
}

const started = (address: string) => ({ type: 'started', address }) as ApplyEvent;
const finished = (address: string, facts: Partial<ChangeOutcome>) =>
  ({ type: 'finished', outcome: { address, action: 'update', ending: 'done', ...facts } }) as ApplyEvent;

test('what is applied changes its status, and everything else keeps it', () => {
  expect(after(started('HTTPSEdge/a'))).toEqual(['a applying', 'b in-sync', 'c drifted']);
  expect(after(started('HTTPSEdge/a'), finished('HTTPSEdge/a', {}))).toEqual(['a in-sync', 'b in-sync', 'c drifted']);
  expect(after(started('HTTPSEdge/none'), finished('HTTPSEdge/none', {}))).toHaveLength(3);
});

test('what was not out of sync has its status of before again, whatever the change was for', () => {
  expect(after(started('HTTPSEdge/c'), finished('HTTPSEdge/c', {}))[2]).toBe('c drifted');
  expect(after(started('HTTPSEdge/a'), finished('HTTPSEdge/a', { ending: 'not-started' }))[0]).toBe('a out-of-sync');
});

test.each(['failed', 'unknown'] as const)('what ends as %s has failed, with the message', (ending) => {
  expect(after(finished('HTTPSEdge/a', { ending, message: 'the service answered 500' }))[0]).toBe(
    'a failed the service answered 500',
  );
});

test('what was deleted is gone, and what could not be deleted is not', () => {
  expect(after(finished('HTTPSEdge/b', { action: 'delete' }))).toEqual(['a out-of-sync', 'c drifted']);
  expect(after(finished('HTTPSEdge/none', { action: 'delete' }))).toHaveLength(3);
  expect(after(finished('HTTPSEdge/b', { action: 'delete', ending: 'failed', message: 'no' }))[1]).toBe('b failed no');
});

test('what is done depends on what was wanted', () => {
  const progress = applying([
    { ...before[0]!, addedDependencies: ['ReservedAddr/y'], removedDependencies: ['ReservedAddr/x'] },
  ]);
  progress.record(finished('HTTPSEdge/a', {}));
  expect(progress.resources).toEqual([{ ...before[0], syncStatus: 'in-sync', dependsOn: ['ReservedAddr/y'] }]);
});
