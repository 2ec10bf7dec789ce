import { describe, expect, test } from 'vitest';
import {
  isInConflict,
  recordDrift,
  recordRepairs,
  type DriftRepairs,
} from '../../../src/watch/decide/drift-conflicts.ts';

const [shop, field, windowMs] = ['HTTPSEdge/shop', '/description', 1_000];

/** Repairs of one field at these times, of manifests with this hash. */
function repaired(times: readonly number[], wanted: string | undefined = 'hash'): DriftRepairs {
  return times.reduce<DriftRepairs>((all, now) => recordRepairs(all, shop, [field], { now, wanted }), {});
}

function drift(repairs: DriftRepairs, now: number, pointers: readonly string[], hash: string | undefined = 'hash') {
  const drifted = new Map([[shop, new Set(pointers)]]);
  return recordDrift(repairs, { drifted, desiredHashOf: () => hash, now, windowMs });
}

describe('a field that drifts again', () => {
  test('is in conflict after three repairs within the window, and not after two', () => {
    expect(isInConflict(drift(repaired([0, 100]), 200, [field]), shop, field)).toBe(false);
    const third = drift(repaired([0, 100, 200]), 1_000, [field]);
    expect(third).toEqual({ [shop]: { [field]: { at: [0, 100, 200], conflictSince: 1_000, wanted: 'hash' } } });
    expect([isInConflict(third, shop, field), isInConflict(third, shop, '/region')]).toEqual([true, false]);
  });

  test('knows the last three of more repairs', () => {
    const conflict = { at: [100, 200, 300], conflictSince: 400, wanted: 'hash' };
    const fourth = drift(repaired([0, 100, 200, 300]), 400, [field]);
    expect(fourth).toEqual({ [shop]: { [field]: conflict } });
    expect(drift(fourth, 500, [field])).toEqual({ [shop]: { [field]: conflict } });
  });

  test('counts repairs of the window alone', () => {
    expect(drift(repaired([0, 100, 200]), 1_001, [field])).toEqual({
      [shop]: { [field]: { at: [100, 200], wanted: 'hash' } },
    });
  });

  test('does not count repairs of a time that is still to come, when the clock was wrong', () => {
    expect(drift(repaired([900_000, 900_100, 900_200]), 1_000, [field])).toEqual({});
  });

  test('stays in conflict since the same moment while it drifts, however long ago the repairs were', () => {
    const conflict = drift(repaired([0, 100, 200]), 300, [field]);
    expect(drift(conflict, 90_000, [field])).toEqual({
      [shop]: { [field]: { at: [0, 100, 200], conflictSince: 300, wanted: 'hash' } },
    });
  });

  test('is no longer in conflict once it does not drift, and is forgotten after the window', () => {
    const conflict = drift(repaired([0, 100, 200]), 300, [field]);
    expect(drift(conflict, 400, ['/region'])).toEqual({ [shop]: { [field]: { at: [0, 100, 200], wanted: 'hash' } } });
    expect(drift(conflict, 5_000, [])).toEqual({});
  });

  test('begins anew where the manifest has changed since', () => {
    expect(drift(repaired([0, 100, 200]), 300, [field], 'another hash')).toEqual({});
  });

  test('of a resource whose hash is not known counts, too', () => {
    const third = drift(repaired([0, 100, 200], undefined), 300, [field]);
    expect(isInConflict(third, shop, field)).toBe(true);
  });
});

test('the last ten repairs of each field are known, and those of other resources stay', () => {
  const others: DriftRepairs = { 'HTTPSEdge/api': { '': { at: [1] } } };
  const times = Array.from({ length: 12 }, (_, n) => n);
  const all = times.reduce(
    (before, now) => recordRepairs(before, shop, [field, ''], { now, wanted: undefined }),
    others,
  );
  expect(all).toEqual({ ...others, [shop]: { [field]: { at: times.slice(2) }, '': { at: times.slice(2) } } });
  expect(recordRepairs(others, shop, [], { now: 1, wanted: 'hash' })).toBe(others);
});
