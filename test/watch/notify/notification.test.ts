import { notificationEvents } from '../../../src/manifest/stack-file/watch-schema.ts';
import { describe, expect, test } from 'vitest';
import type { Hazard } from '../../../src/model/plan/plan.ts';
import type { ResourceStatus, WatchStatus } from '../../../src/model/status/watch-status.ts';
import { notificationsOf, type Notification } from '../../../src/watch/notify/notification.ts';
import { accessComparisonLines } from '../../../src/render/access/access-comparison-text.ts';
import { createNotificationDedup } from '../../../src/watch/notify/notification-dedup.ts';
import { refused } from '../asking-statuses.ts';
import { day, hour, minute, noon } from '../company.ts';
import { allWell, awaitedDigest, awaiting, breached, inTrouble, standingBy } from '../statuses.ts';
import { compared } from '../waiting-statuses.ts';
import { openNotifications } from './open-notifications.ts';

const withShop = (facts: Partial<ResourceStatus>): WatchStatus => ({
  ...allWell,
  resources: allWell.resources.map((one) => (one.address === 'HTTPSEdge/shop' ? { ...one, ...facts } : one)),
});
const failing = withShop({ syncStatus: 'failed', note: 'the service answered 500' });
const drifted = withShop({ syncStatus: 'drifted' });

const exposing = (...urls: readonly string[]): WatchStatus => ({
  ...allWell,
  exposures: [{ address: 'HTTPSEdge/shop', message: 'is public now', urls }],
});
const exposed = exposing('https://shop.example.com/…');

/** The news after a status that was reported. */
function newsBetween(before: WatchStatus, after: WatchStatus): readonly Notification[] {
  const dedup = createNotificationDedup();
  dedup(before, 0);
  return dedup(after, minute);
}

/** Event and subjects. */
function brief(news: readonly Notification[]): readonly string[] {
  return news.map(({ event, items }) => `${event} ${items.map(({ scope }) => scope).join(' ')}`);
}

describe('news', () => {
  test.each<[string, WatchStatus, WatchStatus, readonly string[]]>([
    ['nothing happens', allWell, allWell, []],
    ['trouble goes on', inTrouble, { ...inTrouble, now: noon + hour }, []],
    ['something fails', allWell, failing, ['failed HTTPSEdge/shop']],
    ['it is well again', failing, allWell, ['recovered HTTPSEdge/shop']],
    ['something drifts', allWell, drifted, ['drifted HTTPSEdge/shop']],
    ['drift is healed', drifted, allWell, []],
    ['URLs are public that are not meant to be', allWell, exposed, ['exposed HTTPSEdge/shop']],
    ['they stay public', exposed, exposed, []],
    ['another one is', exposed, exposing('https://shop.example.com/admin…'), ['exposed HTTPSEdge/shop']],
    ['a rule is broken', allWell, breached, ['exposed HTTPSEdge/shop', 'rule-broken HTTPSEdgeRoute/shop:console']],
    ['it stays broken', breached, breached, []],
    [
      'the service refuses a change',
      allWell,
      refused,
      ['failed HTTPSEdgeRoute/api:partners', 'action-required HTTPSEdgeRoute/api:partners'],
    ],
    [
      'somebody has to decide',
      allWell,
      awaiting,
      ['action-required AgentIngress/office HTTPSEdge/api ReservedAddr/mqtt-us'],
    ],
    [
      'others put a field back',
      allWell,
      inTrouble,
      [
        'failed HTTPSEdgeRoute/api:partners',
        'action-required HTTPSEdgeRoute/api:partners',
        'drift-conflict HTTPSEdgeRoute/shop:console',
      ],
    ],
  ])('when %s', (_, before, after, expected) => {
    expect(brief(newsBetween(before, after))).toEqual(expected);
  });

  test('of what waits and of drift reports what would change', () => {
    const details = 'description: "by hand" -> Shop  (drift)';
    const reported: WatchStatus = {
      ...drifted,
      pending: [
        {
          address: 'HTTPSEdge/shop',
          action: 'update',
          reason: 'manual',
          message: 'heal_drift is off',
          hazards: [],
          details,
          fields: [],
          since: noon,
        },
      ],
    };
    expect(newsBetween(allWell, reported)).toMatchObject([
      { event: 'drifted', items: [{ scope: 'HTTPSEdge/shop', details }] },
      { event: 'action-required', items: [{ scope: 'HTTPSEdge/shop', details }] },
    ]);
  });

  test('of a change that requires a person reports what it waits for, why, and who still gets in until then', () => {
    const change: WatchStatus['pending'][number] = {
      ...{ address: 'HTTPSEdge/shop', action: 'update', reason: 'manual', message: 'heal_drift is off' },
      ...{ hazards: [], details: '', fields: [], since: noon },
    };
    const urls = ['https://shop.example.com/…'];
    const asked = { before: '', after: 'authentication' };
    const restricts: Hazard = { code: 'RESTRICTS_ACCESS', address: 'HTTPSEdge/shop', message: 'x', urls, asked };
    const items = [
      change,
      { ...change, action: 'none' as const, message: '' },
      { ...change, hazards: [restricts] },
    ].map((one) => newsBetween(allWell, { ...allWell, pending: [one] })[0]?.items);
    const scope = 'HTTPSEdge/shop';
    expect(items).toEqual([
      [{ scope, message: 'update requires a manual apply: heal_drift is off' }],
      [{ scope, message: 'requires a manual apply' }],
      [
        {
          scope,
          message:
            'update requires a manual apply: heal_drift is off. Until the change is applied, anyone can still reach https://shop.example.com/…',
        },
      ],
    ]);
  });

  test('of a drift conflict says both values, or that the resource is deleted again and again', () => {
    const conflict = { address: 'HTTPSEdge/shop', desired: 'Shop', actual: 'by hand', count: 3, since: noon };
    const driftConflicts = ['/description', ''].map((pointer) => ({ ...conflict, pointer }));
    expect(newsBetween(allWell, { ...allWell, driftConflicts })[0]?.items.map(({ message }) => message)).toEqual([
      '/description: manifest Shop, service by hand',
      'another client keeps deleting the resource',
    ]);
  });

  test('names the command and who can reach what only where changes require action', () => {
    const [failed, asked] = openNotifications({ ...failing, pending: awaiting.pending, awaited: awaiting.awaited! });
    expect([failed?.event, failed?.command, failed?.access]).toEqual(['failed', undefined, undefined]);
    expect(asked?.access).toEqual(accessComparisonLines(compared));
    const { access: _, ...withoutAccess } = awaiting.awaited!;
    expect(openNotifications({ ...awaiting, awaited: withoutAccess })[0]).not.toHaveProperty('access');
  });

  test('has a title that counts, in the grammar of one and of several', () => {
    const titles = notificationEvents.map((event) =>
      [1, 2].map((count) => {
        const items = Array.from({ length: count }, () => ({ scope: 'x', message: 'y' }));
        return notificationsOf(event, items, allWell)[0]?.title;
      }),
    );
    expect(titles).toEqual([
      ['1 failure', '2 failures'],
      ['1 recovered', '2 recovered'],
      ['1 resource drifted', '2 resources drifted'],
      ['1 change requires action', '2 changes require action'],
      ['1 drift conflict', '2 drift conflicts'],
      ['1 edge is publicly exposed', '2 edges are publicly exposed'],
      ['1 route breaks access rules', '2 routes break access rules'],
    ]);
    expect(notificationsOf('failed', [], allWell)).toEqual([]);
  });

  test('of a resource reports what its status shows, or else what happened', () => {
    const messages = [
      failing,
      withShop({ syncStatus: 'failed' }),
      drifted,
      withShop({ syncStatus: 'drifted', note: 'x' }),
    ];
    expect(messages.map((status) => newsBetween(allWell, status).flatMap(({ items }) => items[0]?.message))).toEqual([
      ['the service answered 500'],
      ['failed'],
      ['changed outside sluice'],
      ['x'],
    ]);
  });

  test('of what waits for approval names the command', () => {
    expect(openNotifications(awaiting)).toMatchObject([
      { event: 'action-required', title: '3 changes require action', command: `sluice approve ${awaitedDigest}` },
    ]);
  });
});

describe('what is reported', () => {
  /** Each status after so long, and what was reported of it. */
  function course(steps: readonly (readonly [at: number, status: WatchStatus])[]): readonly (readonly string[])[] {
    const texts = createNotificationDedup();
    return steps.map(([at, status]) => brief(texts(status, at)));
  }

  test('is reported once', () => {
    expect(
      course([
        [0, allWell],
        [minute, failing],
        [2 * minute, failing],
        [3 * minute, allWell],
        [4 * minute, allWell],
      ]),
    ).toEqual([[], ['failed HTTPSEdge/shop'], [], ['recovered HTTPSEdge/shop'], []]);
  });

  test('of what waits is reported whole, with the digest that approves it, each time that any of it is another', () => {
    const texts = createNotificationDedup();
    const [first, ...others] = awaiting.pending;
    if (first === undefined || awaiting.awaited === undefined) throw new Error('nothing waits');
    const { awaited } = awaiting;
    const widened = {
      ...awaiting,
      awaited: { ...awaited, digest: `sha256:${'b'.repeat(64)}` },
      pending: [{ ...first, details: 'oauth: removed' }, ...others],
    };
    const sent = (at: number, status: WatchStatus) =>
      texts(status, at).map(({ command, items }) => [command, items.length]);
    const whole = [[`sluice approve ${awaitedDigest}`, 3]];
    expect([sent(0, allWell), sent(minute, awaiting), sent(2 * minute, awaiting)]).toEqual([[], whole, []]);
    expect(sent(3 * minute, widened)).toEqual([[`sluice approve sha256:${'b'.repeat(64)}`, 3]]);
    // Within the hour, what comes and goes is not reported again.
    expect([sent(4 * minute, awaiting), sent(5 * minute, widened)]).toEqual([[], []]);
  });

  test('at the start is what is open already', () => {
    expect(course([[0, failing]])).toEqual([['failed HTTPSEdge/shop']]);
  });

  test('of what comes and goes is at most once an hour, and no recovery of what was not reported', () => {
    const flapping = Array.from({ length: 59 }, (_, n): [number, WatchStatus] => [
      (n + 1) * minute,
      n % 2 === 0 ? failing : allWell,
    ]);
    expect(course([[0, allWell], ...flapping]).flat()).toEqual(['failed HTTPSEdge/shop', 'recovered HTTPSEdge/shop']);
    expect(
      course([
        [0, allWell],
        [minute, failing],
        [2 * minute, allWell],
        [62 * minute, failing],
      ]).flat(),
    ).toHaveLength(3);
  });

  test('of drift does not make a recovery news whose failure was not reported', () => {
    expect(
      course([
        [0, allWell],
        [minute, failing],
        [2 * minute, allWell],
        [3 * minute, drifted],
        [4 * minute, failing],
        [5 * minute, allWell],
      ]).flat(),
    ).toEqual(['failed HTTPSEdge/shop', 'recovered HTTPSEdge/shop', 'drifted HTTPSEdge/shop']);
  });

  test('is reported by the one who leads: another one that took over knows more than who stands by now', () => {
    const robbed: WatchStatus = { ...standingBy, leader: 'somebody' };
    expect(
      course([
        [0, failing],
        [minute, robbed],
        [2 * minute, allWell],
      ]),
    ).toEqual([['failed HTTPSEdge/shop'], [], []]);
  });

  test('is reported again once a day while it is open', () => {
    const hours = Array.from({ length: 72 }, (_, n): [number, WatchStatus] => [n * hour, awaiting]);
    expect(course(hours).flat()).toHaveLength(3);
  });

  test('of URLs that stay public, and of those that open and close, is once a day', () => {
    const hours = (status: (hour: number) => WatchStatus): readonly (readonly [number, WatchStatus])[] =>
      Array.from({ length: 24 }, (_, n) => [(n + 1) * hour, status(n)]);
    const texts = ['exposed HTTPSEdge/shop'];
    expect(course([[0, allWell], ...hours(() => exposed)]).flat()).toEqual(texts);
    expect(course([[0, allWell], ...hours((n) => (n % 2 === 0 ? exposed : allWell))]).flat()).toEqual(texts);
  });

  test('of the same drift is once a day', () => {
    const hours = Array.from({ length: 47 }, (_, n): [number, WatchStatus] => [
      n * hour,
      n % 2 === 1 ? drifted : allWell,
    ]);
    expect(course(hours).flat()).toEqual(['drifted HTTPSEdge/shop', 'drifted HTTPSEdge/shop']);
    expect(day).toBe(24 * hour);
  });
});
