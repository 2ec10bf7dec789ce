import type { CommentApi, OwnComment, PullRequestName, ReviewApi } from './platform-api.ts';
import {
  fieldIn,
  knownText,
  optionalText,
  pagesBelow,
  platformList,
  requiredText,
  tokenUser,
} from './comment-fields.ts';
import type { PlatformClient } from './platform-client.ts';
import { authorIn, reviewVerdict, statusBy, timeIn, unlessNotFound } from './review-fields.ts';

const largestPage = 'per_page=100';

/** The notes of a merge request on GitLab. */
export function gitlabComments(client: PlatformClient, name: PullRequestName): CommentApi {
  const { project, number, webUrl } = name;
  const request = `${client.prefix}/projects/${encodeURIComponent(project)}/merge_requests/${number}`;
  const notes = `${request}/notes`;
  const commentOf = (note: unknown): OwnComment => {
    const id = requiredText(note, 'id');
    return { id, body: optionalText(note, 'body'), url: webUrl === undefined ? '' : `${webUrl}#note_${id}` };
  };
  return {
    own: async () => {
      const me = await tokenUser(client);
      const all = await pagesBelow(client, request, largestPage)('notes?sort=asc&order_by=created_at');
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

const developer = 30;

/** Reviews on GitLab, which names no commit of an approval, only its time: the commit is the one that was the head then. */
export function gitlabReviews(client: PlatformClient, id: string): ReviewApi {
  const project = `${client.prefix}/projects/${encodeURIComponent(id)}`;
  const get = (path: string): Promise<unknown> => client.send({ method: 'GET', path: `${project}/${path}` });
  const pages = pagesBelow(client, project, largestPage);
  return {
    setStatus: async (commit, { name, digest, url }) => {
      const body = { state: 'success', name, description: digest, ...(url === '' ? {} : { target_url: url }) };
      await client.send({ method: 'POST', path: `${project}/statuses/${commit}`, body });
    },
    identity: () => tokenUser(client),
    statuses: async (commit, name) => {
      const all = await pages(`repository/commits/${commit}/statuses?all=true&name=${encodeURIComponent(name)}`);
      return all.filter((status) => fieldIn(status, 'name') === name).flatMap((status) => statusBy(status, 'author'));
    },
    mergedInto: async (branch, commit) =>
      (await pages(`repository/commits/${commit}/merge_requests`))
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
          author: authorIn(request, 'author'),
        })),
    verdicts: async (number) => {
      const request = `merge_requests/${number}`;
      const given = platformList(fieldIn(await get(`${request}/approvals`), 'approved_by'));
      const pushes = given.length === 0 ? [] : await pages(`${request}/versions`);
      return given.flatMap((approval) => {
        const at = timeIn(approval, 'approved_at');
        return reviewVerdict(approval, {
          is: 'approval',
          at,
          commit: headAt(pushes, at),
          mayWrite: async ({ by }) => {
            const member = await get(`members/all/${encodeURIComponent(by)}`).catch(unlessNotFound);
            return Number(fieldIn(member, 'access_level')) >= developer;
          },
        });
      });
    },
  };
}

/** The head of a merge request at a time, which its versions record; empty if unknown. */
function headAt(versions: readonly unknown[], at: number): string {
  const pushed = versions.filter((version) => timeIn(version, 'created_at') <= at);
  const last = pushed.toSorted((a, b) => timeIn(a, 'created_at') - timeIn(b, 'created_at')).at(-1);
  return optionalText(last, 'head_commit_sha');
}
