import { safeText } from '../diagnostics/safe-text.ts';
import type { CommentApi, OwnComment, PullRequestName } from './comment-api.ts';
import { fieldIn, optionalText, requiredText, unreadableResponse } from './comment-fields.ts';
import { graphqlPath } from './graphql-path.ts';
import type { PlatformClient } from './platform-client.ts';
import { repositoryPath } from './repository-path.ts';

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

const mostPages = 100;

/** The comments of a pull request on GitHub. */
export function githubComments(client: PlatformClient, { project, number }: PullRequestName): CommentApi {
  const [owner = '', name = ''] = project.split('/');
  const repository = repositoryPath(client, project);
  const graphql = graphqlPath(client);
  return {
    own: async () => {
      const own: OwnComment[] = [];
      let after: string | null = null;
      for (let page = 0; page < mostPages; page++) {
        const body = { query, variables: { owner, name, number, after } };
        const answer = await client.send({ method: 'POST', path: graphql, body, isRead: true });
        const comments = fieldIn(answer, 'data', 'repository', 'pullRequest', 'comments');
        const nodes = fieldIn(comments, 'nodes');
        if (!Array.isArray(nodes)) throw unreadableResponse(errorIn(answer));
        for (const node of nodes as readonly unknown[])
          if (fieldIn(node, 'viewerDidAuthor') === true) own.push(commentOf(node, 'databaseId', 'url'));
        if (fieldIn(comments, 'pageInfo', 'hasNextPage') !== true) break;
        after = requiredText(comments, 'pageInfo', 'endCursor');
      }
      return own;
    },
    create: async (body) => {
      const path = `${repository}/issues/${String(number)}/comments`;
      return commentOf(await client.send({ method: 'POST', path, body: { body } }), 'id', 'html_url');
    },
    update: async ({ id }, body) => {
      const path = `${repository}/issues/comments/${encodeURIComponent(id)}`;
      return commentOf(await client.send({ method: 'PATCH', path, body: { body } }), 'id', 'html_url');
    },
  };
}

function commentOf(value: unknown, id: string, url: string): OwnComment {
  return { id: requiredText(value, id), body: optionalText(value, 'body'), url: optionalText(value, url) };
}

/** GraphQL answers with 200 and a list of errors. */
function errorIn(answer: unknown): string {
  const errors = fieldIn(answer, 'errors');
  const message = Array.isArray(errors) ? fieldIn(errors[0], 'message') : undefined;
  return typeof message === 'string' ? safeText(message, 300) : 'the response contains no comments';
}
