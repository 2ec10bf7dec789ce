import { expect, test } from 'vitest';
import type { WatchFailure } from '../../../src/model/status/watch-status.ts';
import { troubleOfStack } from '../../../src/watch/replicas/divided-stack.ts';
import { allWell } from '../statuses.ts';

const failed = (scope: string, since: number, code = 'X'): WatchFailure => ({
  scope,
  code,
  message: '',
  since,
  attempts: 1,
});
const status = (...failures: readonly WatchFailure[]) => ({ ...allWell, failures });

test('a stack is in trouble while its manifests or its account cannot be read, since the first of both, and not because a resource fails', () => {
  expect(troubleOfStack(undefined, undefined, 100)).toBeUndefined();
  expect(troubleOfStack(undefined, status(failed('HTTPSEdge/shop', 1)), 100)).toBeUndefined();
  expect(
    troubleOfStack(undefined, status(failed('HTTPSEdge/shop', 1), failed('account', 30), failed('manifests', 20)), 100),
  ).toEqual({
    reason: 'not-planned',
    forMs: 80,
  });
});

test('a stack is in trouble while it cannot be watched at all, or is behind what was applied', () => {
  expect(troubleOfStack(failed('stack', 40), undefined, 100)).toEqual({ reason: 'not-planned', forMs: 60 });
  const behind = status(failed('account', 90, 'BEHIND_APPLIED'));
  expect(troubleOfStack(failed('stack', 40), behind, 100)).toEqual({ reason: 'behind', forMs: 60 });
});

test.each(['lock', 'requests'])(
  'a replica that cannot use the store of a stack (%s) cannot plan it either',
  (scope) => {
    expect(troubleOfStack(undefined, status(failed(scope, 30)), 100)).toEqual({ reason: 'not-planned', forMs: 70 });
  },
);
