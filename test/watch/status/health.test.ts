import { expect, test } from 'vitest';
import { whyNotLive, whyNotReady } from '../../../src/watch/status/health.ts';

const failures: [] = [];

test('a watch is live until its deadline has passed, and while it has none', () => {
  expect([whyNotLive({ dueBy: 5_000 }, 5_000), whyNotLive({}, 5_000)]).toEqual([undefined, undefined]);
  expect(whyNotLive({ dueBy: 5_000 }, 5_001)).toBe('the reconcile loop is overdue by 1 s');
  expect(whyNotLive({ dueBy: 5_000 }, 8_001)).toBe('the reconcile loop is overdue by 4 s');
});

test('a leader is ready once it has read the account, now or before it was restarted', () => {
  const notYet = 'the account has not been read yet';
  expect(whyNotReady({ failures, role: 'leader' }, 0)).toEqual(notYet);
  expect(whyNotReady({ failures, role: 'leader', lastRefresh: 1 }, 2)).toBeUndefined();
  expect(whyNotReady({ failures, role: 'leader', lastSuccess: 1 }, 2)).toBeUndefined();
});

test('a standby is ready, unless its loop is overdue, and so is one that is paused; one that stops is not', () => {
  const overdue = 'the reconcile loop is overdue by 1 s';
  expect(whyNotReady({ failures, role: 'standby' }, 2)).toBeUndefined();
  expect(whyNotReady({ failures, role: 'standby', dueBy: 1 }, 2)).toEqual(overdue);
  expect(whyNotReady({ failures, role: 'paused' }, 2)).toBeUndefined();
  expect(whyNotReady({ failures, role: 'stopping', lastRefresh: 1 }, 2)).toBe('sluice is stopping');
});
