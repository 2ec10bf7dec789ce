import { askGraphql } from './ask-graphql.ts';
import type { CommentApi, OwnComment, PullRequestName } from './comment-api.ts';
import { fieldIn, mostPages, optionalText, requiredText, tooManyPages, unreadableResponse } from './comment-fields.ts';
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

/** The comments of a pull request on GitHub. */
export function githubComments(client: PlatformClient, { project, number }: PullRequestName): CommentApi {
  const [owner = '', name = ''] = project.split('/');
  const repository = repositoryPath(client, project);
  return {
    own: async () => {
      const own: OwnComment[] = [];
      let after: string | null = null;
      for (let page = 0; page < mostPages; page++) {
        const variables = { owner, name, number, after };
        const pull = await askGraphql(client, { query, variables }, 'repository', 'pullRequest');
        const comments = fieldIn(pull, 'comments');
        const nodes = fieldIn(comments, 'nodes');
        if (!Array.isArray(nodes)) throw unreadableResponse('the response contains no comments');
        for (const node of nodes as readonly unknown[])
          if (fieldIn(node, 'viewerDidAuthor') === true) own.push(commentOf(node, 'databaseId', 'url'));
        if (fieldIn(comments, 'pageInfo', 'hasNextPage') !== true) return own;
        after = requiredText(comments, 'pageInfo', 'endCursor');
      }
      throw tooManyPages();
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
