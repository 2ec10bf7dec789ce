/*
 * The part of the APIs of GitHub, GitLab and Gitea that is about comments, written from their public documentation:
 *
 *   https://docs.github.com/en/rest/issues/comments, https://docs.github.com/en/graphql/reference/objects#issuecomment
 *   https://docs.gitlab.com/api/notes/, https://docs.gitlab.com/api/users/, https://docs.gitlab.com/api/rest/ (pagination)
 *   https://docs.gitea.com/api/ (issue comments, user), https://codeberg.org/api/swagger
 *
 * One repository with one pull request. Each token is an identity; a token that may only read gets 403 to writes.
 */
import type { ServerResponse } from 'node:http';
import { httpService, json, type HttpService, type ReceivedRequest } from './http-service.ts';

/** The platforms with a stand-in. */
export type StandIn = 'github' | 'gitlab' | 'gitea';

/** A comment as the platform keeps it. */
export interface KeptComment {
  readonly id: number;
  readonly author: string;
  body: string;
}

/** A platform for one test. */
export interface CommentPlatformService extends HttpService {
  readonly comments: KeptComment[];
  /** Posts a comment as somebody, by hand. */
  readonly post: (author: string, body: string) => void;
  /** What a pipeline on this platform has in its environment, but for the token. */
  readonly env: Readonly<Record<string, string>>;
  /** The variable that the token belongs in. */
  readonly tokenVariable: string;
  /** Comments written through the API since the start. */
  readonly writes: () => readonly string[];
}

/** What a platform does besides. */
export interface PlatformBehaviour {
  /** Tokens by the identity that they stand for. */
  readonly tokens?: Readonly<Record<string, string>>;
  /** Identities that may not write. */
  readonly readers?: readonly string[];
  /** Comments of one page. */
  readonly pageSize?: number;
  /** The commit at the head of the pull request; nobody may read it by default. */
  readonly head?: string;
  /** Answers a request in place of the platform; false leaves it to the platform. */
  readonly fault?: (request: ReceivedRequest, response: ServerResponse, comments: KeptComment[]) => boolean;
}

const project = 'company/edges';
const number = 7;
const limits: Readonly<Record<StandIn, number>> = { github: 65_536, gitlab: 1_000_000, gitea: 65_535 };

/** Starts the stand-in of a platform. `token-of-bot` is the token of the identity `bot`. */
export async function commentPlatform(
  platform: StandIn,
  { tokens = { 'token-of-bot': 'bot' }, readers = [], pageSize = 30, head, fault }: PlatformBehaviour = {},
): Promise<CommentPlatformService> {
  const comments: KeptComment[] = [];
  const people = ['', ...new Set(['alice', 'bot', 'carol', 'mallory', ...Object.values(tokens)])];
  let last = 100;
  const post = (author: string, body: string): KeptComment => {
    const made = { id: ++last, author, body };
    comments.push(made);
    return made;
  };
  const service = await httpService((request, response) => {
    if (fault?.(request, response, comments) === true) return;
    const me = tokens[(request.headers.authorization ?? '').replace(/^(Bearer|token) /, '')];
    if (me === undefined) {
      json(response, 401, { message: '401 Unauthorized' });
      return;
    }
    if (head !== undefined && /\/(pulls|merge_requests)\/7$/.test(request.path)) {
      json(response, 200, platform === 'gitlab' ? { sha: head } : { head: { sha: head } });
      return;
    }
    const body = request.body === '' ? {} : (JSON.parse(request.body) as Record<string, unknown>);
    apis[platform]({ request, response, body, me });
  });

  interface Call {
    readonly request: ReceivedRequest;
    readonly response: ServerResponse;
    readonly body: Record<string, unknown>;
    readonly me: string;
  }

  /** Writes a comment, or reports why not. */
  function written({ response, body, me }: Call, id: string | undefined, show: (one: KeptComment) => unknown): void {
    const text = typeof body['body'] === 'string' ? body['body'] : '';
    if (readers.includes(me)) {
      json(response, 403, { message: 'Resource not accessible by integration' });
      return;
    }
    if (text === '' || text.length > limits[platform]) {
      json(response, 422, { message: `Body is too long (maximum is ${String(limits[platform])} characters)` });
      return;
    }
    if (id === undefined) {
      json(response, 201, show(post(me, text)));
      return;
    }
    const found = comments.find((one) => String(one.id) === id);
    if (found === undefined) {
      json(response, 404, { message: 'Not Found' });
      return;
    }
    found.body = text;
    json(response, 200, show(found));
  }

  const url = ({ id }: KeptComment): string =>
    `https://git.example.com/${project}/pull/${String(number)}#${String(id)}`;
  const apis: Readonly<Record<StandIn, (call: Call) => void>> = {
    github: (call) => {
      const { request, response, body, me } = call;
      const show = (one: KeptComment): unknown => ({ id: one.id, html_url: url(one), body: one.body });
      // The token of a workflow may not read this.
      if (request.path === '/user') {
        json(response, 403, { message: 'Resource not accessible by integration' });
        return;
      }
      if (request.path === '/graphql') {
        const { after, ...names } = body['variables'] as Record<string, unknown>;
        if (JSON.stringify(names) !== JSON.stringify({ owner: 'company', name: 'edges', number })) {
          json(response, 200, {
            data: { repository: null },
            errors: [{ type: 'NOT_FOUND', message: 'Could not resolve' }],
          });
          return;
        }
        const from = after === null ? 0 : Number(after);
        const nodes = comments.slice(from, from + pageSize).map((one) => ({
          databaseId: one.id,
          viewerDidAuthor: one.author === me,
          body: one.body,
          url: url(one),
        }));
        const pageInfo = { hasNextPage: from + pageSize < comments.length, endCursor: String(from + pageSize) };
        json(response, 200, { data: { repository: { pullRequest: { comments: { nodes, pageInfo } } } } });
        return;
      }
      const [, id] = new RegExp(`^/repos/${project}/issues/comments/(\\d+)$`).exec(request.path) ?? [];
      if (request.method === 'PATCH' && id !== undefined) {
        written(call, id, show);
        return;
      }
      if (request.method === 'POST' && request.path === `/repos/${project}/issues/${String(number)}/comments`) {
        written(call, undefined, show);
        return;
      }
      json(response, 404, { message: 'Not Found' });
    },
    gitlab: (call) => {
      const { request, response, me } = call;
      const { pathname, searchParams } = new URL(request.path, 'http://host');
      const show = (one: KeptComment): unknown => ({
        id: one.id,
        body: one.body,
        system: false,
        author: { id: people.indexOf(one.author), username: one.author },
      });
      const notes = `/api/v4/projects/4711/merge_requests/${String(number)}/notes`;
      if (pathname === '/api/v4/user') {
        json(response, 200, { id: people.indexOf(me), username: me });
        return;
      }
      if (request.method === 'GET' && pathname === notes) {
        const [page, size] = [
          Number(searchParams.get('page') ?? 1),
          Math.min(pageSize, Number(searchParams.get('per_page') ?? 20)),
        ];
        const sorted = searchParams.get('sort') === 'asc' ? comments : comments.toReversed();
        json(response, 200, sorted.slice((page - 1) * size, page * size).map(show));
        return;
      }
      if (request.method === 'POST' && pathname === notes) {
        written(call, undefined, show);
        return;
      }
      const [, id] = new RegExp(`^${notes}/(\\d+)$`).exec(pathname) ?? [];
      if (request.method === 'PUT' && id !== undefined) {
        written(call, id, show);
        return;
      }
      json(response, 404, { message: '404 Not found' });
    },
    gitea: (call) => {
      const { request, response, me } = call;
      const { pathname } = new URL(request.path, 'http://host');
      const show = (one: KeptComment): unknown => ({
        id: one.id,
        body: one.body,
        html_url: url(one),
        user: { id: people.indexOf(one.author), login: one.author },
      });
      const issues = `/api/v1/repos/${project}/issues`;
      if (pathname === '/api/v1/user') {
        json(response, 200, { id: people.indexOf(me), login: me });
        return;
      }
      if (pathname === `${issues}/${String(number)}/comments`) {
        if (request.method === 'POST') written(call, undefined, show);
        else json(response, 200, comments.map(show));
        return;
      }
      const [, id] = new RegExp(`^${issues}/comments/(\\d+)$`).exec(pathname) ?? [];
      if (request.method === 'PATCH' && id !== undefined) {
        written(call, id, show);
        return;
      }
      json(response, 404, { message: 'The target could not be found.' });
    },
  };

  return {
    ...service,
    comments,
    post,
    env: envOf(platform, service.url),
    tokenVariable: { github: 'GITHUB_TOKEN', gitlab: 'GITLAB_TOKEN', gitea: 'GITEA_TOKEN' }[platform],
    writes: () =>
      service.requests
        .filter(({ method, path }) => method !== 'GET' && path !== '/graphql')
        .map(({ method, path }) => `${method} ${path}`),
  };
}

function envOf(platform: StandIn, url: string): Readonly<Record<string, string>> {
  if (platform === 'gitlab')
    return {
      CI: 'true',
      GITLAB_CI: 'true',
      CI_API_V4_URL: `${url}/api/v4`,
      CI_PROJECT_ID: '1',
      CI_PROJECT_URL: 'https://git.example.com/company/edges',
      CI_MERGE_REQUEST_PROJECT_ID: '4711',
      CI_MERGE_REQUEST_PROJECT_URL: 'https://git.example.com/company/edges',
      CI_MERGE_REQUEST_IID: String(number),
      CI_COMMIT_SHA: '4f2d1c0',
      CI_JOB_URL: 'https://git.example.com/company/edges/-/jobs/12',
    };
  return {
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_SERVER_URL: 'https://git.example.com',
    GITHUB_API_URL: platform === 'github' ? url : `${url}/api/v1`,
    GITHUB_REPOSITORY: project,
    GITHUB_REF: `refs/pull/${String(number)}/merge`,
    GITHUB_SHA: '4f2d1c0',
    GITHUB_RUN_ID: '12',
    ...(platform === 'gitea' ? { GITEA_ACTIONS: 'true' } : {}),
  };
}
