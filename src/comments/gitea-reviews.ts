import { isNotFound } from '../api/api-errors.ts';
import { fieldIn, itemsOfPages, requiredText } from './comment-fields.ts';
import { commitStatuses } from './commit-statuses.ts';
import { mergedPull } from './merged-pull.ts';
import type { PlatformClient } from './platform-client.ts';
import { repositoryPath } from './repository-path.ts';
import type { ReviewApi } from './review-api.ts';
import { timeIn } from './review-fields.ts';
import { standingApprovals, type ListedReview } from './standing-approvals.ts';

/** Reviews on Gitea and Forgejo. */
export function giteaReviews(client: PlatformClient, project: string): ReviewApi {
  const repository = repositoryPath(client, project);
  const pages = (path: string): Promise<readonly unknown[]> =>
    itemsOfPages((page) => client.send({ method: 'GET', path: `${repository}/${path}?limit=50&page=${String(page)}` }));
  return {
    ...commitStatuses({ client, path: repository, pages }),
    identity: async () => requiredText(await client.send({ method: 'GET', path: `${client.prefix}/user` }), 'id'),
    mergedInto: async (branch, commit) => {
      const path = `${repository}/commits/${commit}/pull`;
      const pull = await client.send({ method: 'GET', path }).catch((error: unknown) => {
        // A commit that no pull request made.
        if (isNotFound(error)) return undefined;
        throw error;
      });
      const isMerged =
        fieldIn(pull, 'merged') === true &&
        fieldIn(pull, 'merge_commit_sha') === commit &&
        fieldIn(pull, 'base', 'ref') === branch;
      return isMerged ? [mergedPull(pull)] : [];
    },
    // `official`: the reviewer may write.
    approvals: async (number) => {
      const reviews = await pages(`pulls/${String(number)}/reviews`);
      return standingApprovals(reviews.filter((review) => fieldIn(review, 'official') === true).map(reviewOf));
    },
  };
}

function reviewOf(review: unknown): ListedReview {
  const state = fieldIn(review, 'state');
  const commit = fieldIn(review, 'commit_id');
  const isGone = fieldIn(review, 'dismissed') === true || state === 'REQUEST_CHANGES';
  return {
    by: requiredText(review, 'user', 'id'),
    at: timeIn(review, 'submitted_at'),
    commit: typeof commit === 'string' ? commit : '',
    is: isGone ? 'objection' : state === 'APPROVED' ? 'approval' : 'comment',
  };
}
