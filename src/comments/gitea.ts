import { commentIn, commitStatuses, issueComments, mergedPull, repositoryPath } from './as-github.ts';
import type { CommentApi, PullRequestName, ReviewApi, ReviewVerdict } from './platform-api.ts';
import { fieldIn, knownText, optionalText, pagesBelow, tokenUser } from './comment-fields.ts';
import type { PlatformClient } from './platform-client.ts';
import { latestVerdicts, reviewVerdict, timeIn, unlessNotFound } from './review-fields.ts';

const largestPage = 'limit=50';

/** The comments of a pull request on Gitea or Forgejo. */
export function giteaComments(client: PlatformClient, name: PullRequestName): CommentApi {
  const pages = pagesBelow(client, repositoryPath(client, name.project), largestPage);
  return {
    own: async () => {
      const me = await tokenUser(client);
      // Most versions return all comments at once, whatever the page.
      const all = await pages(`issues/${name.number}/comments`);
      return all.filter((comment) => knownText(comment, 'user', 'id') === me).map(commentIn);
    },
    ...issueComments(client, name),
  };
}

/** Reviews on Gitea and Forgejo. */
export function giteaReviews(client: PlatformClient, project: string): ReviewApi {
  const repository = repositoryPath(client, project);
  const pages = pagesBelow(client, repository, largestPage);
  return {
    ...commitStatuses(client, repository, pages),
    identity: () => tokenUser(client),
    mergedInto: async (branch, commit) => {
      const path = `${repository}/commits/${commit}/pull`;
      // A commit that no pull request made is not found.
      const pull = await client.send({ method: 'GET', path }).catch(unlessNotFound);
      const isMerged =
        fieldIn(pull, 'merged') === true &&
        fieldIn(pull, 'merge_commit_sha') === commit &&
        fieldIn(pull, 'base', 'ref') === branch;
      return isMerged ? [mergedPull(pull)] : [];
    },
    // `official`: the reviewer may write. What the same user says elsewhere changes nothing about what was official.
    verdicts: async (number) => {
      const reviews = await pages(`pulls/${number}/reviews`);
      const isOfficial = (review: unknown): boolean => fieldIn(review, 'official') === true;
      return [true, false].flatMap((mayWrite) => {
        const own = reviews.filter((review) => isOfficial(review) === mayWrite);
        return latestVerdicts(own.flatMap((review) => verdictIn(review, mayWrite)));
      });
    },
  };
}

// The user whom Gitea names in place of each deleted account.
const ghostId = '-1';

function verdictIn(review: unknown, mayWrite: boolean): readonly ReviewVerdict[] {
  if (knownText(review, 'user', 'id') === ghostId) return [];
  const is = fieldIn(review, 'dismissed') === true ? 'dismissed' : verdicts[optionalText(review, 'state')];
  const [at, commit] = [timeIn(review, 'submitted_at'), optionalText(review, 'commit_id')];
  return is === undefined ? [] : reviewVerdict(review, { is, at, commit, mayWrite: () => Promise.resolve(mayWrite) });
}

const verdicts: Readonly<Record<string, ReviewVerdict['is']>> = { APPROVED: 'approval', REQUEST_CHANGES: 'objection' };
