import { SluiceError } from '../diagnostics/errors.ts';
import { safeText } from '../diagnostics/safe-text.ts';
import { commitStatuses, issueComments, mergedPull, repositoryPath } from './as-github.ts';
import type { CommentApi, OwnComment, PullRequestName, ReviewApi, ReviewVerdict } from './platform-api.ts';
import {
  fieldIn,
  mostPages,
  optionalText,
  pagesBelow,
  requiredText,
  tooManyPages,
  unreadableResponse,
} from './comment-fields.ts';
import type { PlatformClient } from './platform-client.ts';
import { errorType, listedReasons, permissionHint } from './platform-refusal.ts';
import { latestVerdicts, reviewVerdict, timeIn, unlessNotFound, type ReviewFacts } from './review-fields.ts';

// Who wrote a comment is asked of GraphQL: the token of a workflow may not read /user.
const query = `query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      comments(first: 100, after: $after) {
        nodes { databaseId viewerDidAuthor body url }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`;

/** The comments of a pull request on GitHub. */
export function githubComments(client: PlatformClient, pull: PullRequestName): CommentApi {
  const { project, number } = pull;
  const [owner = '', name = ''] = project.split('/');
  return {
    own: async () => {
      const own: OwnComment[] = [];
      let after: string | null = null;
      for (let page = 0; page < mostPages; page++) {
        const variables = { owner, name, number, after };
        const found = await askGraphql(client, { query, variables }, 'repository', 'pullRequest');
        const comments = fieldIn(found, 'comments');
        const nodes = fieldIn(comments, 'nodes');
        if (!Array.isArray(nodes)) throw unreadableResponse('the response contains no comments');
        for (const node of nodes as readonly unknown[])
          if (fieldIn(node, 'viewerDidAuthor') === true)
            own.push({
              id: requiredText(node, 'databaseId'),
              body: optionalText(node, 'body'),
              url: optionalText(node, 'url'),
            });
        if (fieldIn(comments, 'pageInfo', 'hasNextPage') !== true) return own;
        after = requiredText(comments, 'pageInfo', 'endCursor');
      }
      throw tooManyPages();
    },
    ...issueComments(client, pull),
  };
}

/** Reviews on GitHub. */
export function githubReviews(client: PlatformClient, project: string): ReviewApi {
  const repository = repositoryPath(client, project);
  const pages = pagesBelow(client, repository, 'per_page=100');
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
        (await pages(`pulls/${number}/reviews`)).flatMap((review) => {
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

/** Reads a value from GraphQL of GitHub, which returns 200 and a list of errors in place of what it refuses. */
async function askGraphql(
  client: PlatformClient,
  { query, variables = {} }: { readonly query: string; readonly variables?: object },
  ...wanted: readonly string[]
): Promise<unknown> {
  const path = graphqlPath(client);
  const answer = await client.send({ method: 'POST', path, body: { query, variables }, isRead: true });
  const value = fieldIn(answer, 'data', ...wanted) ?? undefined;
  const reasons = listedReasons(fieldIn(answer, 'errors'));
  if (value !== undefined || reasons === '') return value;
  const message = `POST ${client.origin}${path} returned an error: ${safeText(client.mask.hide(reasons), 300)}`;
  throw new SluiceError('PLATFORM_REFUSED', message, { hint: hintFor(errorType(answer), client) });
}

function hintFor(type: unknown, client: PlatformClient): string {
  if (type === 'NOT_FOUND')
    return `check that the token in ${client.tokenFrom} may read the repository: GitHub also reports what a token may not read as not found`;
  return permissionHint(client);
}

/** https://api.github.com/graphql, and https://HOST/api/graphql beside https://HOST/api/v3. */
function graphqlPath({ prefix }: PlatformClient): string {
  return `${prefix.replace(/\/v3$/, '')}/graphql`;
}
