import { askGraphql } from './ask-graphql.ts';
import { issueComments } from './as-github.ts';
import type { CommentApi, OwnComment, PullRequestName } from './comment-api.ts';
import { fieldIn, mostPages, optionalText, requiredText, tooManyPages, unreadableResponse } from './comment-fields.ts';
import type { PlatformClient } from './platform-client.ts';

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
