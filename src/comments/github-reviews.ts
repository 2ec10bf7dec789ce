import { fieldIn, itemsOfPages, requiredText } from './comment-fields.ts';
import type { PlatformClient } from './platform-client.ts';
import type { ReviewApi } from './review-api.ts';
import { timeIn } from './review-fields.ts';
import { standingApprovals, type ListedReview } from './standing-approvals.ts';

/** Reviews on GitHub. */
export function githubReviews(client: PlatformClient, project: string): ReviewApi {
  const [owner = '', name = ''] = project.split('/');
  const repository = `${client.prefix}/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
  const pages = (path: string): Promise<readonly unknown[]> =>
    itemsOfPages((page) =>
      client.send({ method: 'GET', path: `${repository}/${path}?per_page=100&page=${String(page)}` }),
    );
  return {
    setStatus: async (commit, { name: context, digest, url }) => {
      const body = { state: 'success', context, description: digest, ...(url === '' ? {} : { target_url: url }) };
      await client.send({ method: 'POST', path: `${repository}/statuses/${commit}`, body });
    },
    // The token of a workflow may not read /user.
    identity: async () => {
      const path = `${client.prefix.replace(/\/v3$/, '')}/graphql`;
      const body = { query: '{ viewer { databaseId } }' };
      return requiredText(
        await client.send({ method: 'POST', path, body, isRead: true }),
        'data',
        'viewer',
        'databaseId',
      );
    },
    statuses: async (commit, context) =>
      (await pages(`commits/${commit}/statuses`))
        .filter((status) => fieldIn(status, 'context') === context)
        .map((status) => ({
          by: requiredText(status, 'creator', 'id'),
          at: timeIn(status, 'created_at'),
          text: requiredText(status, 'description'),
        })),
    mergedInto: async (branch, commit) =>
      (await pages(`commits/${commit}/pulls`))
        .filter(
          (pull) =>
            typeof fieldIn(pull, 'merged_at') === 'string' &&
            fieldIn(pull, 'merge_commit_sha') === commit &&
            fieldIn(pull, 'base', 'ref') === branch,
        )
        .map((pull) => ({
          number: Number(requiredText(pull, 'number')),
          head: requiredText(pull, 'head', 'sha'),
          author: requiredText(pull, 'user', 'id'),
        })),
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
