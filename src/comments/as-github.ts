import type { CommentApi, MergedPull, OwnComment, PullRequestName, ReviewApi } from './platform-api.ts';
import { fieldIn, knownText, optionalText, requiredText, type ReadPages } from './comment-fields.ts';
import type { PlatformClient } from './platform-client.ts';
import { authorIn, statusBy } from './review-fields.ts';

/** The path of a repository on GitHub and on Gitea; the project is `owner/name`. */
export function repositoryPath({ prefix }: PlatformClient, project: string): string {
  const [owner = '', name = ''] = project.split('/');
  return `${prefix}/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
}

/** How GitHub and Gitea take a comment on a pull request. */
export function issueComments(
  client: PlatformClient,
  { project, number }: PullRequestName,
): Pick<CommentApi, 'create' | 'update' | 'head'> {
  const repository = repositoryPath(client, project);
  const issues = `${repository}/issues`;
  return {
    head: async () => {
      const path = `${repository}/pulls/${number}`;
      return knownText(await client.send({ method: 'GET', path }).catch(() => undefined), 'head', 'sha');
    },
    create: async (body) => {
      const path = `${issues}/${number}/comments`;
      return commentIn(await client.send({ method: 'POST', path, body: { body } }));
    },
    update: async ({ id }, body) => {
      const path = `${issues}/comments/${encodeURIComponent(id)}`;
      return commentIn(await client.send({ method: 'PATCH', path, body: { body } }));
    },
  };
}

/** A comment in a response of theirs. */
export function commentIn(value: unknown): OwnComment {
  return { id: requiredText(value, 'id'), body: optionalText(value, 'body'), url: optionalText(value, 'html_url') };
}

/** Statuses of commits, which they write and list alike. */
export function commitStatuses(
  client: PlatformClient,
  repository: string,
  pages: ReadPages,
): Pick<ReviewApi, 'setStatus' | 'statuses'> {
  return {
    setStatus: async (commit, { name: context, digest, url }) => {
      const body = { state: 'success', context, description: digest, ...(url === '' ? {} : { target_url: url }) };
      await client.send({ method: 'POST', path: `${repository}/statuses/${commit}`, body });
    },
    statuses: async (commit, context) =>
      (await pages(`commits/${commit}/statuses`))
        .filter((status) => fieldIn(status, 'context') === context)
        .flatMap((status) => statusBy(status, 'creator')),
  };
}

/** A pull request that was merged, as they describe it. */
export function mergedPull(pull: unknown): MergedPull {
  return {
    number: Number(requiredText(pull, 'number')),
    head: requiredText(pull, 'head', 'sha'),
    author: authorIn(pull, 'user'),
  };
}
