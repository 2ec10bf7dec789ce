import { describe, expect, test } from 'vitest';
import type { Instant } from '../../../src/state/lease/lease-time.ts';
import { createAvoidedStacks, createFreeStacks } from '../../../src/watch/replicas/own-time.ts';
import type { ReplicaClaims } from '../../../src/watch/replicas/divide-stacks.ts';
import { preferredFor } from '../../../src/watch/replicas/preference.ts';

const [intervalMs, leaseMs] = [600_000, 45_000];

/** Time that passes when a test asks for it, by both clocks. */
function time(): { now: () => Instant; pass: (ms: number) => void } {
  let ms = 0;
  return { now: () => ({ monotonic: ms, wall: 1_000_000 + ms }), pass: (more) => void (ms += more) };
}

const claims = (holds: readonly string[], awaits: readonly string[] = []): ReplicaClaims => ({
  holds: new Set(holds),
  awaits: new Set(awaits),
  avoids: new Set(),
});

describe('a stack that a replica gave back is left to others', () => {
  test.each([
    ['behind', intervalMs],
    ['not-planned', 10 * intervalMs],
    ['given-back', leaseMs],
  ] as const)('that is %s: for %i ms, and no longer', (reason, ms) => {
    const { now, pass } = time();
    const avoided = createAvoidedStacks(now, leaseMs);
    avoided.add('a', reason, intervalMs);
    pass(ms - 1);
    expect([...avoided.now()]).toEqual([['a', reason]]);
    pass(1);
    expect([...avoided.now()]).toEqual([]);
  });
});

describe('a stack is free', () => {
  test('since it was first seen without a replica that has it or waits for it', () => {
    const { now, pass } = time();
    const free = createFreeStacks(now);
    free.note(['a', 'b', 'c'], [claims(['b']), claims([], ['c'])]);
    pass(5_000);
    free.note(['a', 'b', 'c'], [claims([], ['c'])]);
    pass(1_000);
    expect(['a', 'b', 'c'].map(free.ms)).toEqual([6_000, 1_000, 0]);
  });

  test('from zero again after somebody had it, or after it was gone', () => {
    const { now, pass } = time();
    const free = createFreeStacks(now);
    free.note(['a', 'b'], []);
    pass(5_000);
    free.note(['a'], [claims(['a'])]);
    pass(5_000);
    free.note(['a', 'b'], []);
    pass(700);
    expect(['a', 'b'].map(free.ms)).toEqual([700, 700]);
  });
});

test('a stack belongs first to the same replica, in whatever order the replicas are read, and to another one when that leaves', () => {
  const all = ['a', 'b', 'c', 'd'];
  for (const stack of ['shop', 'mail', 'web']) {
    const first = preferredFor(stack, all);
    expect(preferredFor(stack, [...all].reverse())).toBe(first);
    const others = all.filter((one) => one !== first);
    expect(others).toContain(preferredFor(stack, others));
    expect(preferredFor(stack, others.slice(1).concat(first ?? ''))).toBe(first);
  }
  expect(preferredFor('shop', [])).toBeUndefined();
  // Part of what replicas of different versions agree on.
  expect(['shop', 'mail', 'web'].map((stack) => preferredFor(stack, all))).toEqual(['d', 'b', 'c']);
});
