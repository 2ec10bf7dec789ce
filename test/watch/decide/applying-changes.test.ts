import { expect, test } from 'vitest';
import type { ApplyEvent, Ending } from '../../../src/model/outcome.ts';
import { WatchedApply } from '../../../src/watch/decide/watched-apply.ts';
import { planOf } from '../../plan/support.ts';

const address = (n: number): string => `ReservedAddr/a${String(n).padStart(2, '0')}`;
const many = Array.from({ length: 12 }, (_, n) => [address(n), { region: 'us' }] as const);
const started = (of: string): ApplyEvent => ({ type: 'started', address: of }) as ApplyEvent;
const finished = (of: string, ending: Ending, failedDependency?: string): ApplyEvent =>
  ({ type: 'finished', address: of, outcome: { address: of, ending, failedDependency } }) as unknown as ApplyEvent;

/** An apply of twelve creations, of which each has its address as its details. */
function applying(): WatchedApply {
  const plan = planOf({
    wanted: { ...Object.fromEntries(many), 'ReservedAddr/same': {} },
    ours: { 'ReservedAddr/same': {} },
  });
  return new WatchedApply(plan, [], (of) => `details of ${of}`);
}

test('all changes of the plan are still to do, and nothing that does not change; the first ten say what they change', () => {
  const { changes: all } = applying();
  expect(all.map((one) => [one.address, one.progress])).toEqual(many.map(([one]) => [one, 'to-do']));
  expect(all.map(({ details }) => details)).toEqual([
    ...many.slice(0, 10).map(([one]) => `details of ${one}`),
    undefined,
    undefined,
  ]);
});

test('a change reports what it changes while it runs, wherever it is in the plan, and no longer once it has ended', () => {
  const progress = applying();
  for (const n of [0, 11]) progress.record(started(address(n)));
  for (const n of [0, 11])
    expect(progress.changes[n]).toMatchObject({ progress: 'running', details: `details of ${address(n)}` });
  for (const n of [0, 11]) progress.record(finished(address(n), 'done'));
  for (const n of [0, 11])
    expect(progress.changes[n]).toEqual({ address: address(n), action: 'create', progress: 'done' });
});

test.each<[Ending, string]>([
  ['done', 'done'],
  ['failed', 'failed'],
  ['unknown', 'failed'],
  ['skipped', 'skipped'],
  ['not-started', 'skipped'],
])('a change that ended as %s is shown as %s', (ending, shown) => {
  const progress = applying();
  progress.record(finished(address(3), ending));
  expect(progress.changes[3]?.progress).toBe(shown);
  expect(progress.changes[4]?.progress).toBe('to-do');
});

test('a change that was skipped names what failed before it', () => {
  const progress = applying();
  progress.record(finished(address(1), 'skipped', address(0)));
  expect(progress.changes[1]).toMatchObject({ progress: 'skipped', failedDependency: address(0) });
});

test('an event of a resource that the plan does not change is not shown', () => {
  const progress = applying();
  const before = progress.changes;
  progress.record(started('ReservedAddr/same'));
  expect(progress.changes).toEqual(before);
});
