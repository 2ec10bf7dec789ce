import { describe, expect, test } from 'vitest';
import type { WatchStatus } from '../../../src/model/status/watch-status.ts';
import { createNotificationDedup } from '../../../src/watch/notify/notification-dedup.ts';
import { day, hour, minute } from '../company.ts';
import { allWell } from '../statuses.ts';

const failing = (...scopes: readonly string[]): WatchStatus => ({
  ...allWell,
  failures: scopes.map((scope) => ({ scope, code: 'X', message: 'no', since: 0, attempts: 1 })),
});
const shop = 'HTTPSEdge/shop';
const withDrift = (status: WatchStatus): WatchStatus => ({
  ...status,
  resources: status.resources.map((one) => (one.address === shop ? { ...one, syncStatus: 'drifted' } : one)),
});

/** Event and number of subjects of what is reported at each step. */
function reported(...steps: readonly (readonly [at: number, status: WatchStatus])[]): readonly (readonly string[])[] {
  const dedup = createNotificationDedup();
  return steps.map(([at, status]) => dedup(status, at).map(({ event, items }) => `${event} ${items.length}`));
}

describe('a failure that comes back', () => {
  test.each([
    [hour - 1, []],
    [hour, ['failed 1']],
  ])('%i ms after its last message is news once that is an hour', (later, expected) => {
    const [, , , again] = reported(
      [0, allWell],
      [minute, failing(shop)],
      [2 * minute, allWell],
      [minute + later, failing(shop)],
    );
    expect(again).toEqual(expected);
  });

  test('within the hour and stays is news when the hour is over, since it was reported as recovered', () => {
    const again = failing(shop);
    const steps = reported(
      ...([
        [0, allWell],
        [minute, again],
        [2 * minute, allWell],
        [3 * minute, again],
        [hour, again],
        [hour + minute, again],
        [2 * hour, again],
        [3 * hour, allWell],
      ] as const),
    );
    expect(steps).toEqual([[], ['failed 1'], ['recovered 1'], [], [], ['failed 1'], [], ['recovered 1']]);
  });

  test('in the same reconciliation that seemed to work had not recovered', () => {
    const { nextRefresh: _, ...reconciling } = allWell;
    expect(reported([0, allWell], [minute, failing('account')], [2 * minute, reconciling])[2]).toEqual([]);
    expect(
      reported(
        [0, allWell],
        [minute, failing('account')],
        [2 * minute, reconciling],
        [3 * minute, failing('account')],
        [4 * minute, reconciling],
        [5 * minute, allWell],
      ).slice(2),
    ).toEqual([[], [], [], ['recovered 1']]);
  });

  test.each([
    [4_999, []],
    [5_000, ['failed 1']],
  ])('is news within the hour only where, after it, %i others were reported', (count, expected) => {
    const others = Array.from({ length: count }, (_, n) => `HTTPSEdge/e${n}`);
    const [, , , again] = reported(
      [0, allWell],
      [minute, failing(shop)],
      [2 * minute, failing(...others)],
      [3 * minute, failing(...others, shop)],
    );
    expect(again).toEqual(expected);
  });
});

describe('within the day of a message about the same resource', () => {
  const exposing = (...urls: readonly string[]): WatchStatus => ({
    ...allWell,
    exposures: urls.map((url) => ({ address: shop, message: 'is public now', urls: [url] })),
  });
  const breaking = (...rules: readonly string[]): WatchStatus => ({
    ...allWell,
    ruleBreaches: rules.map((rule) => ({ rule, source: 'operator', address: shop, message: 'breaks it' })),
  });
  const contested = (...pointers: readonly string[]): WatchStatus => ({
    ...allWell,
    driftConflicts: pointers.map((pointer) => ({
      ...{ address: shop, pointer, desired: 'a', actual: 'b', count: 3, since: 0 },
    })),
  });

  test.each<[string, WatchStatus, WatchStatus]>([
    ['another URL that is public', exposing('a'), exposing('a', 'b')],
    ['another rule that is broken', breaking('a'), breaking('a', 'b')],
    ['another field that others revert', contested('/a'), contested('/a', '/b')],
  ])('%s is news', (_, one, two) => {
    const steps = reported([0, allWell], [minute, one], [2 * minute, two], [3 * minute, two]);
    expect(steps.map((events) => events.length)).toEqual([0, 1, 1, 0]);
  });

  test('what is public again is news at the end of that day, if it still is', () => {
    const open = exposing('a');
    const [, first, , ...rest] = reported(
      ...([
        [0, allWell],
        [minute, open],
        [hour, allWell],
        [2 * hour, open],
        [day, open],
        [day + minute, open],
        [day + 2 * minute, open],
      ] as const),
    );
    expect([first, rest]).toEqual([['exposed 1'], [[], [], ['exposed 1'], []]]);
  });
});

test('what has drifted is reported once, although the account could not be read for a while', () => {
  const drifted = withDrift(allWell);
  const unread: WatchStatus = {
    ...failing('account'),
    resources: allWell.resources.map((one) => ({ ...one, syncStatus: 'unknown' })),
  };
  const steps = reported([0, allWell], [minute, drifted], [hour, unread], [2 * hour, drifted], [2 * day, drifted]);
  expect(steps).toEqual([[], ['drifted 1'], ['failed 1'], ['recovered 1'], []]);
  expect(reported([minute, drifted], [hour, unread], [2 * hour, allWell], [2 * day, drifted])[3]).toEqual([
    'drifted 1',
  ]);
});

describe('what is open', () => {
  test.each([
    [day - 1, []],
    [day, ['failed 1']],
  ])('is repeated a day after it was reported: %i ms', (later, expected) => {
    expect(reported([0, failing(shop)], [later, failing(shop)])[1]).toEqual(expected);
  });

  test('is repeated a day after the last time that any of it was reported, which drift is not', () => {
    const [one, two] = [failing(shop), failing(shop, 'HTTPSEdge/api')];
    expect(reported([0, one], [23 * hour, two], [day, two], [46 * hour, two], [47 * hour, two])).toEqual([
      ...[['failed 1'], ['failed 1'], [], [], ['failed 2']],
    ]);
    expect(reported([0, one], [23 * hour, withDrift(one)], [day, withDrift(one)])).toEqual([
      ...[['failed 1'], ['drifted 1'], ['failed 1']],
    ]);
  });

  test('and is new when all of it is repeated is reported once, and what is news besides is reported as well', () => {
    const later = withDrift(failing(shop, 'HTTPSEdge/api'));
    expect(reported([0, failing(shop)], [day, later])[1]).toEqual(['failed 2', 'drifted 1']);
  });

  test.each<[string, WatchStatus]>([
    ['a failure', failing(shop)],
    [
      'a change that requires a person',
      {
        ...allWell,
        pending: [
          {
            ...{ address: shop, action: 'update', reason: 'manual', message: '', hazards: [], details: '' },
            ...{ fields: [], since: 0 },
          },
        ],
      },
    ],
  ])('is not repeated within a day of its news: %s', (_, status) => {
    const [, first, ...rest] = reported([0, allWell], [hour, status], [day, status], [25 * hour, status]);
    expect([first?.length, rest.map((events) => events.length)]).toEqual([1, [0, 1]]);
  });
});
