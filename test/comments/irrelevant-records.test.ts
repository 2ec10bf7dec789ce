/*
 * Adding a record that does not count never changes what counts as reviewed: neither a valid approval is lost, nor a missing
 * one made up.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SluiceError } from '../../src/diagnostics/errors.ts';
import { mustHold } from '../support/law.ts';
import {
  approved,
  at,
  digest,
  head,
  review,
  reviewedBy,
  statusName,
  user,
  version,
  type Records,
} from './reviewed-records.ts';

const platforms = ['github', 'gitlab', 'gitea'] as const;

describe.each(platforms)('an approval on %s counts', (platform) => {
  const status = { id: 9, name: statusName, context: statusName, created_at: at(0) };
  test.each<[string, (records: Records) => unknown]>([
    [
      'an approver who has left',
      (r) => (r.strangers.add('gone').add('9'), r.reviews.unshift(review(9, user(9, 'gone'), 1, { official: false }))),
    ],
    ['a comment of a deleted account', (r) => r.reviews.unshift(review(9, null, 1, { state: 'COMMENTED' }))],
    ['an approval of a deleted account', (r) => r.reviews.unshift(review(9, null, 1))],
    [
      'a review without a time',
      (r) => r.reviews.unshift(review(9, user(9, 'eve'), 1, { submitted_at: null, approved_at: null })),
    ],
    [
      'a status of another user without a description',
      (r) =>
        r.statuses.unshift({ ...status, creator: user(4, 'mallory'), author: user(4, 'mallory'), description: null }),
    ],
    [
      'a status of a deleted account',
      (r) => r.statuses.unshift({ ...status, creator: null, author: null, description: digest }),
    ],
    ['an author whose account is deleted', (r) => (r.pull = { ...r.pull, user: null, author: null })],
  ])('beside %s', async (_, happens) => {
    const records = approved(platform);
    happens(records);
    expect(await reviewedBy(platform, records)).toBe(digest);
  });

  test('not where another digest was published in the same second: nobody knows which was the last', async () => {
    for (const add of ['push', 'unshift'] as const) {
      const records = approved(platform);
      const by = user(2, 'bot');
      records.statuses[add]({ ...status, creator: by, author: by, description: `sha256:${'2'.repeat(64)}` });
      await expect(reviewedBy(platform, records)).rejects.toThrow('two different digests with the same time');
    }
  });

  test('and only the permission of who could have given it is asked for', async () => {
    const records = approved(platform);
    records.reviews.push(review(9, user(1, 'alice'), 2), review(10, user(5, 'early'), -5));
    const asked: string[] = [];
    await reviewedBy(platform, records, asked);
    const permissions = asked.filter((path) => /\/(collaborators|members)\//.test(path));
    expect(permissions.filter((path) => !/\/(carol|3)(\/|$)/.test(path))).toEqual([]);
  });
});

test.each(platforms)('on %s, the same digest published again leaves an approval', async (platform) => {
  const records = approved(platform);
  records.statuses.unshift({ ...(records.statuses[0] as object), id: 9, created_at: at(5) });
  expect(await reviewedBy(platform, records)).toBe(digest);
});

describe('on GitLab, an approval is of the commit that was the head then', () => {
  const between = 'c'.repeat(40);
  const pushes = [version(3, head, 3), version(2, between, 1), version(1, head, -100)];

  test('so that of a commit in between does not count once the head is the earlier one again', async () => {
    const records = { ...approved('gitlab'), versions: pushes, reviews: [review(1, user(3, 'carol'), 2)] };
    await expect(reviewedBy('gitlab', records)).rejects.toThrow(
      'carol approved commit cccccccccccc, not the head aaaaaaaaaaaa',
    );
    const again = { ...records, reviews: [review(1, user(3, 'carol'), 4)] };
    expect(await reviewedBy('gitlab', again)).toBe(digest);
  });

  test('and one from before each push that is known does not count', async () => {
    const records = { ...approved('gitlab'), versions: [version(1, head, 5)] };
    await expect(reviewedBy('gitlab', records)).rejects.toThrow('carol approved an unknown commit');
  });
});

test.each(platforms)('on %s, what cannot be judged does not count', async (platform) => {
  const changes: ((records: Records) => unknown)[] = [
    // The response describes no author at all.
    (r) => (r.pull = { ...r.pull, user: undefined, author: undefined }),
    // The latest status of the identity has no digest, or no time.
    (r) => r.statuses.push({ ...(r.statuses[0] as object), id: 9, created_at: at(1), description: null }),
    (r) => r.statuses.push({ ...(r.statuses[0] as object), id: 9, created_at: null }),
    // Published again after another plan had been: nobody has approved since.
    (r) =>
      r.statuses.push(
        { ...(r.statuses[0] as object), id: 8, created_at: at(2), description: digest.replaceAll('1', '2') },
        { ...(r.statuses[0] as object), id: 9, created_at: at(3) },
      ),
    // The other plan was published in the second of the first.
    (r) =>
      r.statuses.push(
        { ...(r.statuses[0] as object), id: 8, description: digest.replaceAll('1', '2') },
        { ...(r.statuses[0] as object), id: 9, created_at: at(3) },
      ),
    (r) => (r.reviews = [review(1, user(3, 'carol'), 1, { submitted_at: null, approved_at: null })]),
    (r) => (r.strangers.add('carol').add('3'), (r.reviews = [review(1, user(3, 'carol'), 1, { official: false })])),
  ];
  // When it was taken back is unknown, but that it was is not.
  if (platform === 'github')
    changes.push((r) =>
      r.reviews.unshift(review(9, user(3, 'carol'), 0, { state: 'CHANGES_REQUESTED', submitted_at: null })),
    );
  for (const change of changes) {
    const records = approved(platform);
    change(records);
    await expect(reviewedBy(platform, records)).rejects.toBeInstanceOf(SluiceError);
  }
});

const text = fc.constantFrom(null, undefined, '', digest, 'x');
const time = fc.constantFrom(null, undefined, 'x', at(-9), at(0), at(1), at(9));
const nobody = fc.constantFrom<unknown>(null, undefined, {}, 'x', { id: null });
const stranger = fc.constantFrom<unknown>(user(4, 'mallory'), user(9, 'gone'), { id: 10 }, { id: 11, login: '' });
const what = fc.oneof(nobody, stranger);
const reviewOfNobody = fc.record(
  {
    id: fc.integer({ min: 100, max: 10_000 }),
    user: what,
    state: fc.constantFrom(
      null,
      'APPROVED',
      'CHANGES_REQUESTED',
      'REQUEST_CHANGES',
      'DISMISSED',
      'COMMENTED',
      'PENDING',
    ),
    commit_id: fc.constantFrom(null, '', head, 'c'.repeat(40)),
    submitted_at: time,
    approved_at: time,
    official: fc.constant(false),
    dismissed: fc.boolean(),
  },
  { requiredKeys: [] },
);
const statusOfNobody = fc.record(
  {
    id: fc.integer({ min: 100, max: 10_000 }),
    creator: what,
    author: what,
    context: fc.constantFrom(null, statusName, 'ci'),
    name: fc.constantFrom(null, statusName, 'ci'),
    description: text,
    created_at: time,
  },
  { requiredKeys: [] },
);
const odd = fc.constantFrom<unknown>(null, 'x', 1, [], {});

/** What may be wrong with the approval itself. */
const base = fc.constantFrom<(records: Records) => unknown>(
  () => undefined,
  (r) => (r.reviews = []),
  (r) => (r.reviews = [review(1, user(3, 'carol'), -1)]),
  (r) => (r.reviews = [review(1, user(1, 'alice'), 1)]),
  (r) => (r.statuses = []),
);

test.each(platforms)('law: a record that does not count changes nothing on %s', async (platform) => {
  const outcome = (records: Records): Promise<string> =>
    reviewedBy(platform, records).catch((error: unknown) =>
      error instanceof SluiceError ? error.code : String(error),
    );
  await mustHold({
    on: fc.record({
      base,
      reviews: fc.array(fc.oneof({ weight: 5, arbitrary: reviewOfNobody }, { weight: 1, arbitrary: odd }), {
        maxLength: 4,
      }),
      statuses: fc.array(fc.oneof({ weight: 5, arbitrary: statusOfNobody }, { weight: 1, arbitrary: odd }), {
        maxLength: 4,
      }),
      isFirst: fc.boolean(),
    }),
    runs: 300,
    holds: async ({ base: change, reviews, statuses, isFirst }) => {
      const records = approved(platform);
      change(records);
      const before = await outcome(records);
      const joined = (own: unknown[], added: unknown[]): unknown[] =>
        isFirst ? [...added, ...own] : [...own, ...added];
      const after = await outcome({
        ...records,
        reviews: joined(records.reviews, reviews),
        statuses: joined(records.statuses, statuses),
        strangers: new Set(['gone', '9', '11']),
      });
      expect(after).toBe(before);
    },
    scenario: (given) => JSON.stringify(given, undefined, 2),
  });
});
