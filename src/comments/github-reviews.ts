import { fieldIn, itemsOfPages, requiredText } from './comment-fields.ts';
import { commitStatuses } from './commit-statuses.ts';
import { mergedPull } from './merged-pull.ts';
import { graphqlPath } from './graphql-path.ts';
import type { PlatformClient } from './platform-client.ts';
import { repositoryPath } from './repository-path.ts';
import type { ReviewApi } from './review-api.ts';
import { timeIn } from './review-fields.ts';
import { standingApprovals, type ListedReview } from './standing-approvals.ts';

/** Reviews on GitHub. */
export function githubReviews(client: PlatformClient, project: string): ReviewApi {
  const repository = repositoryPath(client, project);
  const pages = (path: string): Promise<readonly unknown[]> =>
    itemsOfPages((page) =>
      client.send({ method: 'GET', path: `${repository}/${path}?per_page=100&page=${String(page)}` }),
    );
  return {
    ...commitStatuses({ client, path: repository, pages }),
    // The token of a workflow may not read /user.
    identity: async () => {
      const path = graphqlPath(client);
      const body = { query: '{ viewer { databaseId } }' };
      return requiredText(
        await client.send({ method: 'POST', path, body, isRead: true }),
        'data',
        'viewer',
        'databaseId',
      );
    },
    mergedInto: async (branch, commit) =>
      (await pages(`commits/${commit}/pulls`))
        .filter(
          (pull) =>
            typeof fieldIn(pull, 'merged_at') === 'string' &&
            fieldIn(pull, 'merge_commit_sha') === commit &&
            fieldIn(pull, 'base', 'ref') === branch,
        )
        .map(mergedPull),
    approvals: async (number) => {
      const reviews = await pages(`pulls/${String(number)}/reviews`);
      const logins = new Map(
        reviews.map((review) => [requiredText(review, 'user', 'id'), requiredText(review, 'user', 'login')]),
      );
      const standing = standingApprovals(reviews.map(reviewOf));
      const mayWrite = await Promise.all(
        standing.map(async ({ by }) => {
          const path = `${repository}/collaborators/${encodeURIComponent(logins.get(by) ?? '')}/permission`;
          const permission = await client.send({ method: 'GET', path });
          return fieldIn(permission, 'permission') === 'admin' || fieldIn(permission, 'permission') === 'write';
        }),
      );
      return standing.filter((_, index) => mayWrite[index] === true);
    },
  };
}

function reviewOf(review: unknown): ListedReview {
  const state = fieldIn(review, 'state');
  const commit = fieldIn(review, 'commit_id');
  return {
    by: requiredText(review, 'user', 'id'),
    at: timeIn(review, 'submitted_at'),
    commit: typeof commit === 'string' ? commit : '',
    is:
      state === 'APPROVED'
        ? 'approval'
        : state === 'CHANGES_REQUESTED' || state === 'DISMISSED'
          ? 'objection'
          : 'comment',
  };
}
