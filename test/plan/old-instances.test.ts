import { describe, expect, test } from 'vitest';
import type { SpecObject } from '../../src/kinds/value.ts';
import { changes, inputOf, planOf, type Given } from './support.ts';

describe('an old instance that is just as the manifests have it by now', () => {
  const db = 'ReservedAddr/db';
  /** The plan for a resource whose replacement was begun and is no longer wanted. */
  const afterReplacement = (address: string, given: Given, old: SpecObject) => {
    const { account } = inputOf(given);
    const actual = account.ours.get(address);
    if (actual === undefined) throw new Error('there is no new instance');
    const deposed = [{ address, actual: { ...actual, id: 'old', spec: old } }];
    return planOf({ ...given, lifecycle: { [db]: { protect: false } }, input: { account: { ...account, deposed } } });
  };
  const given = { wanted: { [db]: { region: 'eu' } }, ours: { [db]: { region: 'us' } } };

  test('is taken back, and the new one is deleted', () => {
    expect(changes(afterReplacement(db, given, { region: 'eu' }))).toContain('- ReservedAddr/db (duplicate ra_db)');
  });

  test('is not taken back where only state tells of the new one', () => {
    const plan = afterReplacement(db, { ...given, markers: { [db]: undefined } }, { region: 'eu' });
    expect(changes(plan)).toContain('- ReservedAddr/db (deposed old)');
  });
});
