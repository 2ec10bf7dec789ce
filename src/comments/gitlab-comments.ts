import type { CommentApi, OwnComment, PullRequestName } from './comment-api.ts';
import { fieldIn, itemsOfPages, knownText, optionalText, requiredText, tokenUser } from './comment-fields.ts';
import type { PlatformClient } from './platform-client.ts';

/** The notes of a merge request on GitLab. */
export function gitlabComments(client: PlatformClient, name: PullRequestName): CommentApi {
  const { project, number, webUrl } = name;
  const request = `${client.prefix}/projects/${encodeURIComponent(project)}/merge_requests/${String(number)}`;
  const notes = `${request}/notes`;
  const commentOf = (note: unknown): OwnComment => {
    const id = requiredText(note, 'id');
    return { id, body: optionalText(note, 'body'), url: webUrl === undefined ? '' : `${webUrl}#note_${id}` };
  };
  return {
    own: async () => {
      const me = await tokenUser(client);
      const all = await itemsOfPages((page) =>
        client.send({ method: 'GET', path: `${notes}?sort=asc&order_by=created_at&per_page=100&page=${String(page)}` }),
      );
      return all
        .filter((note) => knownText(note, 'author', 'id') === me && fieldIn(note, 'system') !== true)
        .map(commentOf);
    },
    head: async () => knownText(await client.send({ method: 'GET', path: request }).catch(() => undefined), 'sha'),
    create: async (body) => commentOf(await client.send({ method: 'POST', path: notes, body: { body } })),
    update: async ({ id }, body) =>
      commentOf(await client.send({ method: 'PUT', path: `${notes}/${encodeURIComponent(id)}`, body: { body } })),
  };
}
