import { expect, test } from 'vitest';
import { isLive, isReady } from '../../../src/watch/status/health.ts';

const failures: [] = [];

test('a watch is live until its deadline has passed, and while it has none', () => {
  expect([isLive({ dueBy: 5_000 }, 5_000), isLive({}, 5_000)]).toEqual([{ ok: true }, { ok: true }]);
  expect(isLive({ dueBy: 5_000 }, 5_001)).toEqual({ ok: false, reason: 'the reconcile loop is overdue by 1 s' });
  expect(isLive({ dueBy: 5_000 }, 8_001)).toEqual({ ok: false, reason: 'the reconcile loop is overdue by 4 s' });
});

test('a leader is ready once it has read the account, now or before it was restarted', () => {
  const notYet = { ok: false, reason: 'the account has not been read yet' };
  expect(isReady({ failures, role: 'leader' }, 0)).toEqual(notYet);
  expect(isReady({ failures, role: 'leader', lastRefresh: 1 }, 2)).toEqual({ ok: true });
  expect(isReady({ failures, role: 'leader', lastSuccess: 1 }, 2)).toEqual({ ok: true });
});

test('a standby is ready, unless its loop is overdue, and so is one that is paused; one that stops is not', () => {
  const overdue = { ok: false, reason: 'the reconcile loop is overdue by 1 s' };
  expect(isReady({ failures, role: 'standby' }, 2)).toEqual({ ok: true });
  expect(isReady({ failures, role: 'standby', dueBy: 1 }, 2)).toEqual(overdue);
  expect(isReady({ failures, role: 'paused' }, 2)).toEqual({ ok: true });
  expect(isReady({ failures, role: 'stopping', lastRefresh: 1 }, 2)).toEqual({
    ok: false,
    reason: 'sluice is stopping',
  });
});
