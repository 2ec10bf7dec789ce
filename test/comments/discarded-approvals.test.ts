import { describe, expect, test } from 'vitest';
import { SluiceError } from '../../src/diagnostics/errors.ts';
import { approved, at, digest, review, reviewedBy, user, type Records } from './reviewed-records.ts';

type Case = readonly [what: string, reviews: readonly unknown[], says: string, advises: string];

const carol = user(3, 'carol');
const old = 'c'.repeat(40);

async function refusal(records: Records, platform: 'github' | 'gitlab' = 'github'): Promise<readonly unknown[]> {
  const error: unknown = await reviewedBy(platform, records).catch((thrown: unknown) => thrown);
  return error instanceof SluiceError ? [error.code, error.message, error.hint] : [error];
}

describe('an approval that does not count is named with its reason, and what to do', () => {
  test.each<Case>([
    [
      'of an earlier commit',
      [review(1, carol, 1, { commit_id: old })],
      'carol approved commit cccccccccccc, not the head aaaaaaaaaaaa',
      'have the pull request approved after the last push',
    ],
    [
      'of no known commit',
      [review(1, carol, 1, { commit_id: null })],
      'carol approved an unknown commit',
      'have the pull request approved after the last push',
    ],
    [
      'dismissed',
      [review(1, carol, 1, { state: 'DISMISSED' })],
      'the review of carol was dismissed',
      'have the pull request approved, and do not dismiss the approval before the merge',
    ],
    [
      'replaced by an objection',
      [review(1, carol, 1), review(2, carol, 2, { state: 'CHANGES_REQUESTED' })],
      'carol requested changes',
      'by the user who requested changes',
    ],
    [
      'before the plan',
      [review(1, carol, -1)],
      'carol approved before the plan was published',
      'have the pull request approved after its plan is published',
    ],
    [
      'of the author',
      [review(1, user(1, 'alice'), 1)],
      'alice is the author of the pull request',
      'by a user other than its author',
    ],
    [
      'of the pipeline',
      [review(1, user(2, 'bot'), 1)],
      'bot is the user whose token the pipeline uses',
      'by a user whose token the pipeline does not use',
    ],
    [
      'without write access',
      [review(1, user(4, 'mallory'), 1)],
      'mallory has no write access to the repository',
      'by a user with write access',
    ],
    [
      'of an unnamed user',
      [review(1, { id: 44 }, 1)],
      'user 44 has no write access to the repository',
      'by a user with write access',
    ],
  ])('%s', async (_, reviews, says, advises) => {
    expect(await refusal({ ...approved('github'), reviews: [...reviews] })).toEqual([
      'NOT_REVIEWED',
      expect.stringContaining(`pull request 7 has no approval that is valid: ${says}`),
      expect.stringMatching(
        new RegExp(`^open a pull request with an empty commit, .*${advises}, then merge the pull request$`),
      ),
    ]);
  });

  test('before the plan was published again, after another one', async () => {
    const { statuses, ...records } = approved('github');
    const another = { ...(statuses[0] as object), id: 2, created_at: at(2), description: digest.replaceAll('1', '2') };
    const again = { ...(statuses[0] as object), id: 3, created_at: at(3) };
    expect(await refusal({ ...records, statuses: [again, another, ...statuses] })).toEqual([
      'NOT_REVIEWED',
      expect.stringContaining('carol approved before the plan was published again, after another plan'),
      expect.stringContaining('have the pull request approved after its plan is published'),
    ]);
  });

  test('where GitLab does not report when it was given', async () => {
    const reviews = [{ user: carol }];
    expect(await refusal({ ...approved('gitlab'), reviews }, 'gitlab')).toEqual([
      'NOT_REVIEWED',
      expect.stringContaining('the platform does not report when carol approved'),
      expect.stringContaining(
        'have the pull request approved on a version of the platform that reports the time of an approval',
      ),
    ]);
  });

  test('also where there are several, with each advice once and names that act on nothing', async () => {
    const many = Array.from({ length: 7 }, (_, n) => review(n + 1, user(10 + n, `m${String(n)}\u001b[2J`), 1));
    const [, message, hint] = await refusal({ ...approved('github'), reviews: many });
    expect(message).toMatch(/valid: m0\\u\{1b\}\[2J has no write access to the repository; .*; 2 more$/);
    expect(hint).toBe(
      'open a pull request with an empty commit, have the pull request approved by a user with write access, then merge the pull request',
    );
  });

  test('and where there is none, that is what is said', async () => {
    expect((await refusal({ ...approved('github'), reviews: [] }))[1]).toBe('pull request 7 has no approval');
  });
});
