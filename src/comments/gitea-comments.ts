import type { CommentApi, OwnComment, PullRequestName } from './comment-api.ts';
import { itemsOfPages, knownText, optionalText, requiredText } from './comment-fields.ts';
import type { PlatformClient } from './platform-client.ts';
import { repositoryPath } from './repository-path.ts';

/** The comments of a pull request on Gitea or Forgejo. */
export function giteaComments(client: PlatformClient, { project, number }: PullRequestName): CommentApi {
  const issues = `${repositoryPath(client, project)}/issues`;
  const comments = `${issues}/${String(number)}/comments`;
  return {
    own: async () => {
      const me = requiredText(await client.send({ method: 'GET', path: `${client.prefix}/user` }), 'id');
      // Most versions return all comments at once, whatever the page.
      const all = await itemsOfPages((page) =>
        client.send({ method: 'GET', path: `${comments}?limit=50&page=${String(page)}` }),
      );
      return all.filter((comment) => knownText(comment, 'user', 'id') === me).map(commentOf);
    },
    create: async (body) => commentOf(await client.send({ method: 'POST', path: comments, body: { body } })),
    update: async ({ id }, body) => {
      const path = `${issues}/comments/${encodeURIComponent(id)}`;
      return commentOf(await client.send({ method: 'PATCH', path, body: { body } }));
    },
  };
}

function commentOf(value: unknown): OwnComment {
  return { id: requiredText(value, 'id'), body: optionalText(value, 'body'), url: optionalText(value, 'html_url') };
}
