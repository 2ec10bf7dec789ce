import { commentIn, issueComments, repositoryPath } from './as-github.ts';
import type { CommentApi, PullRequestName } from './comment-api.ts';
import { itemsOfPages, knownText, tokenUser } from './comment-fields.ts';
import type { PlatformClient } from './platform-client.ts';

/** The comments of a pull request on Gitea or Forgejo. */
export function giteaComments(client: PlatformClient, name: PullRequestName): CommentApi {
  const comments = `${repositoryPath(client, name.project)}/issues/${String(name.number)}/comments`;
  return {
    own: async () => {
      const me = await tokenUser(client);
      // Most versions return all comments at once, whatever the page.
      const all = await itemsOfPages((page) =>
        client.send({ method: 'GET', path: `${comments}?limit=50&page=${String(page)}` }),
      );
      return all.filter((comment) => knownText(comment, 'user', 'id') === me).map(commentIn);
    },
    ...issueComments(client, name),
  };
}
