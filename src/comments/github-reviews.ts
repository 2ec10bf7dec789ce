import { askGraphql } from './ask-graphql.ts';
import { commitStatuses, mergedPull, repositoryPath } from './as-github.ts';
import { fieldIn, itemsOfPages, optionalText, requiredText } from './comment-fields.ts';
import type { PlatformClient } from './platform-client.ts';
import type { ReviewApi, ReviewVerdict } from './review-api.ts';
import { latestVerdicts, reviewVerdict, timeIn, unlessNotFound, type ReviewFacts } from './review-fields.ts';

/** Reviews on GitHub. */
export function githubReviews(client: PlatformClient, project: string): ReviewApi {
  const repository = repositoryPath(client, project);
  const pages = (path: string): Promise<readonly unknown[]> =>
    itemsOfPages((page) =>
      client.send({ method: 'GET', path: `${repository}/${path}?per_page=100&page=${String(page)}` }),
    );
  const mayWrite: ReviewFacts['mayWrite'] = async ({ login }) => {
    if (login === '') return false;
    // Who is no user of this instance any more, or an app, is not found.
    const path = `${repository}/collaborators/${encodeURIComponent(login)}/permission`;
    const permission = fieldIn(await client.send({ method: 'GET', path }).catch(unlessNotFound), 'permission');
    return permission === 'admin' || permission === 'write';
  };
  return {
    ...commitStatuses(client, repository, pages),
    // The token of a workflow may not read /user.
    identity: async () =>
      requiredText(await askGraphql(client, { query: '{ viewer { databaseId } }' }, 'viewer'), 'databaseId'),
    mergedInto: async (branch, commit) =>
      (await pages(`commits/${commit}/pulls`))
        .filter(
          (pull) =>
            typeof fieldIn(pull, 'merged_at') === 'string' &&
            fieldIn(pull, 'merge_commit_sha') === commit &&
            fieldIn(pull, 'base', 'ref') === branch,
        )
        .map(mergedPull),
    verdicts: async (number) =>
      latestVerdicts(
        (await pages(`pulls/${String(number)}/reviews`)).flatMap((review) => {
          const is = verdicts[optionalText(review, 'state')];
          const [at, commit] = [timeIn(review, 'submitted_at'), optionalText(review, 'commit_id')];
          return is === undefined ? [] : reviewVerdict(review, { is, at, commit, mayWrite });
        }),
      ),
  };
}

const verdicts: Readonly<Record<string, ReviewVerdict['is']>> = {
  APPROVED: 'approval',
  CHANGES_REQUESTED: 'objection',
  DISMISSED: 'dismissed',
};
