/*
 * The part of the APIs of GitHub, GitLab and Gitea that is about commit statuses and reviews, from their public documentation:
 *
 *   https://docs.github.com/en/rest/commits/statuses, /rest/commits/commits#list-pull-requests-associated-with-a-commit,
 *   /rest/pulls/reviews, /rest/collaborators/collaborators#get-repository-permissions-for-a-user
 *   https://docs.gitlab.com/api/commits/ (statuses, merge requests), /api/merge_request_approvals/, /api/project_members/,
 *   /api/merge_requests/#retrieve-merge-request-diff-versions
 *   https://docs.gitea.com/api/ (statuses, commits/{sha}/pull, pulls/{index}/reviews)
 *
 * Time is a counter: each event is a second after the one before.
 */
import type { ServerResponse } from 'node:http';
import { httpService, json, type HttpService, type ReceivedRequest } from './http-service.ts';
import type { StandIn } from './comment-platform.ts';

/** The statuses and reviews of one pull request. */
export interface Reviews {
  /** Answers a request to the API. */
  readonly answer: (request: ReceivedRequest, response: ServerResponse) => void;
  /** Sets a status by hand; returns its number. */
  readonly status: (by: string, text: string, name?: string, commit?: string) => number;
  /** Reviews the pull request as a user; returns the number of the review. */
  readonly review: (by: string, is?: 'approves' | 'objects', commit?: string) => number;
}

/** The commits of a pull request, and the branch it is merged into. */
export interface ReviewedCommits {
  readonly head: () => string;
  readonly merge: () => string;
  readonly branch: string;
}

/** A platform with one pull request, which is merged into main. */
export interface ReviewPlatform extends HttpService, Omit<Reviews, 'answer'> {
  readonly env: Readonly<Record<string, string>>;
  readonly head: string;
  readonly merge: string;
}

const project = 'company/edges';
const writers = ['alice', 'carol', 'bot'];
const people = ['', 'alice', 'bot', 'carol', 'mallory'];

/** Starts the stand-in. `token-of-bot` is the token of `bot`; alice opened the pull request, mallory may only read. */
export async function reviewPlatform(platform: StandIn, branch = 'main'): Promise<ReviewPlatform> {
  const [head, merge] = ['a'.repeat(40), 'b'.repeat(40)];
  const { answer, ...reviews } = reviewsOf(platform, { head: () => head, merge: () => merge, branch });
  const service = await httpService(answer);
  return { ...service, ...reviews, head, merge, env: envOf(platform, service.url) };
}

/** The part of a platform that is about statuses and reviews. */
export function reviewsOf(platform: StandIn, { branch, ...commits }: ReviewedCommits): Reviews {
  let now = 0;
  const tick = (): string => new Date(Date.UTC(2026, 0, 1, 0, 0, ++now)).toISOString();
  const statuses: { id: number; by: string; name: string; text: string; at: string; commit: string }[] = [];
  const reviews: { id: number; by: string; is: 'approves' | 'objects'; at: string; commit: string }[] = [];
  // What was pushed is noticed when it is reviewed.
  const pushes: { id: number; head_commit_sha: string; created_at: string }[] = [];
  const set = (by: string, text: string, name = 'sluice/company/5c1e7a90', commit = commits.head()): number =>
    statuses.push({ id: statuses.length + 1, by, name, text, at: tick(), commit });
  const user = (name: string): object => ({ id: people.indexOf(name), login: name, username: name });
  const answer: Reviews['answer'] = (request, response) => {
    const [head, merge] = [commits.head(), commits.merge()];
    const token = (request.headers.authorization ?? '').replace(/^(Bearer|token) /, '');
    if (token !== 'token-of-bot') {
      json(response, 401, { message: '401 Unauthorized' });
      return;
    }
    const { pathname, searchParams } = new URL(request.path, 'http://host');
    const paged = (items: readonly object[]): void => {
      json(response, 200, Number(searchParams.get('page') ?? 1) > 1 ? [] : items);
    };
    const path = pathname
      .replace(/^\/api\/v\d/, '')
      .replace(`/repos/${project}`, '')
      .replace('/projects/4711', '');
    const body = request.body === '' ? {} : (JSON.parse(request.body) as Record<string, string>);
    const [, posted] = /^\/statuses\/(\w+)$/.exec(path) ?? [];
    if (request.method === 'POST' && posted !== undefined) {
      set('bot', body['description'] ?? '', body['context'] ?? body['name'], posted);
      json(response, 201, { id: statuses.length });
    } else if (path === '/graphql') json(response, 200, { data: { viewer: { databaseId: people.indexOf('bot') } } });
    else if (path === '/user') json(response, platform === 'github' ? 403 : 200, user('bot'));
    else if (/\/commits\/\w+\/statuses$/.test(path)) {
      const commit = /commits\/(\w+)\//.exec(path)?.[1];
      paged(
        statuses
          .filter((one) => one.commit === commit)
          .map(({ id, by, name, text, at }) => ({
            id,
            [platform === 'gitlab' ? 'author' : 'creator']: user(by),
            [platform === 'gitlab' ? 'name' : 'context']: name,
            description: text,
            created_at: at,
          })),
      );
    } else if (path === `/commits/${merge}/pulls`)
      paged([
        {
          id: 1,
          number: 7,
          merged_at: tick(),
          merge_commit_sha: merge,
          base: { ref: branch },
          head: { sha: head },
          user: user('alice'),
        },
      ]);
    else if (path === `/commits/${merge}/pull`)
      json(response, 200, {
        number: 7,
        merged: true,
        merge_commit_sha: merge,
        base: { ref: branch },
        head: { sha: head },
        user: user('alice'),
      });
    else if (path === `/repository/commits/${merge}/merge_requests`)
      json(response, 200, [
        {
          id: 1,
          iid: 7,
          state: 'merged',
          merge_commit_sha: merge,
          squash_commit_sha: null,
          sha: head,
          target_branch: branch,
          author: user('alice'),
        },
      ]);
    else if (/\/commits\/\w+\/(pulls|merge_requests)$/.test(path)) json(response, 200, []);
    else if (path === '/pulls/7/reviews')
      paged(
        reviews.map(({ id, by, is, at, commit }) => ({
          id,
          user: user(by),
          state: is === 'approves' ? 'APPROVED' : platform === 'github' ? 'CHANGES_REQUESTED' : 'REQUEST_CHANGES',
          submitted_at: at,
          commit_id: commit,
          official: writers.includes(by),
          dismissed: false,
        })),
      );
    else if (path === '/pulls/7') json(response, 200, { number: 7, head: { sha: head } });
    else if (path === '/merge_requests/7') json(response, 200, { iid: 7, sha: head });
    else if (path === '/merge_requests/7/notes' && request.method === 'POST')
      json(response, 201, { id: 1, body: body['body'] });
    else if (path === '/merge_requests/7/notes') paged([]);
    else if (path === '/merge_requests/7/approvals')
      json(response, 200, {
        approved_by: reviews
          .filter(
            (one) => one.is === 'approves' && !reviews.some((other) => other.by === one.by && other.is === 'objects'),
          )
          .map(({ by, at }) => ({ user: user(by), approved_at: at })),
      });
    else if (path === '/merge_requests/7/versions') paged(pushes.toReversed());
    else if (/^\/collaborators\/\w+\/permission$/.test(path))
      json(response, 200, { permission: writers.includes(path.split('/')[2] ?? '') ? 'write' : 'read' });
    else if (/^\/members\/all\/\d+$/.test(path))
      json(response, 200, { access_level: writers.includes(people[Number(path.split('/')[3])] ?? '') ? 40 : 20 });
    else json(response, 404, { message: 'Not Found' });
  };
  return {
    answer,
    status: set,
    review: (by, is = 'approves', commit = commits.head()) => {
      if (pushes.at(-1)?.head_commit_sha !== commit)
        pushes.push({ id: pushes.length + 1, head_commit_sha: commit, created_at: tick() });
      return reviews.push({ id: reviews.length + 1, by, is, at: tick(), commit });
    },
  };
}

function envOf(platform: StandIn, url: string): Readonly<Record<string, string>> {
  const sha = 'b'.repeat(40);
  if (platform === 'gitlab')
    return {
      CI: 'true',
      GITLAB_CI: 'true',
      CI_API_V4_URL: `${url}/api/v4`,
      CI_PROJECT_ID: '4711',
      CI_COMMIT_SHA: sha,
      CI_COMMIT_BRANCH: 'main',
      GITLAB_TOKEN: 'token-of-bot',
    };
  return {
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: platform === 'github' ? url : `${url}/api/v1`,
    GITHUB_REPOSITORY: project,
    GITHUB_REF: 'refs/heads/main',
    GITHUB_SHA: sha,
    GITHUB_TOKEN: 'token-of-bot',
    ...(platform === 'gitea' ? { GITEA_ACTIONS: 'true' } : {}),
  };
}
