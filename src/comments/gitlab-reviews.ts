import { fieldIn, itemsOfPages, requiredText } from './comment-fields.ts';
import type { PlatformClient } from './platform-client.ts';
import type { ReviewApi } from './review-api.ts';
import { platformList, timeIn } from './review-fields.ts';

const developer = 30;

/** Reviews on GitLab, which names no commit of an approval, only its time. */
export function gitlabReviews(client: PlatformClient, id: string): ReviewApi {
  const project = `${client.prefix}/projects/${encodeURIComponent(id)}`;
  const get = (path: string): Promise<unknown> => client.send({ method: 'GET', path: `${project}/${path}` });
  return {
    setStatus: async (commit, { name, digest, url }) => {
      const body = { state: 'success', name, description: digest, ...(url === '' ? {} : { target_url: url }) };
      await client.send({ method: 'POST', path: `${project}/statuses/${commit}`, body });
    },
    identity: async () => requiredText(await client.send({ method: 'GET', path: `${client.prefix}/user` }), 'id'),
    statuses: async (commit, name) => {
      const path = `repository/commits/${commit}/statuses?all=true&name=${encodeURIComponent(name)}&per_page=100`;
      const all = await itemsOfPages((page) => get(`${path}&page=${String(page)}`));
      return all
        .filter((status) => fieldIn(status, 'name') === name)
        .map((status) => ({
          by: requiredText(status, 'author', 'id'),
          at: timeIn(status, 'created_at'),
          text: requiredText(status, 'description'),
        }));
    },
    mergedInto: async (branch, commit) =>
      platformList(await get(`repository/commits/${commit}/merge_requests`))
        .filter((request) => {
          const made = ['merge_commit_sha', 'squash_commit_sha', 'sha'].map((name) => fieldIn(request, name));
          return (
            fieldIn(request, 'state') === 'merged' &&
            fieldIn(request, 'target_branch') === branch &&
            made.find((sha) => typeof sha === 'string') === commit
          );
        })
        .map((request) => ({
          number: Number(requiredText(request, 'iid')),
          head: requiredText(request, 'sha'),
          author: requiredText(request, 'author', 'id'),
        })),
    approvals: async (number) => {
      const given = platformList(fieldIn(await get(`merge_requests/${String(number)}/approvals`), 'approved_by'));
      const all = given.map((approval) => ({
        by: requiredText(approval, 'user', 'id'),
        at: timeIn(approval, 'approved_at'),
        commit: undefined,
      }));
      const mayWrite = await Promise.all(
        all.map(async ({ by }) => Number(fieldIn(await get(`members/all/${by}`), 'access_level')) >= developer),
      );
      return all.filter((_, index) => mayWrite[index] === true);
    },
  };
}
