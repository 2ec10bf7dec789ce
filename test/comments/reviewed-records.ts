/*
 * The records that the platforms keep of a merged pull request, as their APIs return them, and a client that answers with them.
 * alice (1) opened it, bot (2) is the identity of the token, carol (3) may write; nobody else may.
 */
import { ApiError } from '../../src/api/api-errors.ts';
import type { PlatformClient } from '../../src/comments/platform-client.ts';
import { giteaReviews } from '../../src/comments/gitea.ts';
import { githubReviews } from '../../src/comments/github.ts';
import { gitlabReviews } from '../../src/comments/gitlab.ts';
import { maskOf } from '../../src/diagnostics/secret-mask.ts';
import { reviewedDigest } from '../../src/comments/reviewed-digest.ts';
import type { StandIn } from '../support/comment-platform.ts';

/** What a platform has. */
export interface Records {
  pull: Record<string, unknown>;
  statuses: unknown[];
  reviews: unknown[];
  /** The heads that were pushed to a merge request. */
  versions: unknown[];
  /** Users who are no members: asking about them is a 404. */
  readonly strangers: Set<string>;
}

/** The head of the pull request, and the commit that its merge made. */
export const [head, merge] = ['a'.repeat(40), 'b'.repeat(40)];
/** The digest that bot published. */
export const digest = `sha256:${'1'.repeat(64)}`;
/** The name of the commit status. */
export const statusName = 'sluice/shop/1';
/** A time in seconds after the digest was published; earlier if negative. */
export const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 1, 0, second)).toISOString();
/** A user, as each of the platforms describes it. */
export const user = (id: number, name: string): object => ({ id, login: name, username: name });

/** A pull request whose digest was published, and that carol approved afterwards. */
export function approved(platform: StandIn): Records {
  const by = platform === 'gitlab' ? 'author' : 'creator';
  const status = { id: 1, [by]: user(2, 'bot'), description: digest, created_at: at(0) };
  return {
    pull: {
      ...{ id: 1, number: 7, merged: true, merged_at: at(100), merge_commit_sha: merge, base: { ref: 'main' } },
      ...{ head: { sha: head }, user: user(1, 'alice') },
      ...{
        iid: 7,
        state: 'merged',
        squash_commit_sha: null,
        sha: head,
        target_branch: 'main',
        author: user(1, 'alice'),
      },
    },
    statuses: [{ ...status, [platform === 'gitlab' ? 'name' : 'context']: statusName }],
    reviews: [review(1, user(3, 'carol'), 1)],
    versions: [version(1, head, -100)],
    strangers: new Set(),
  };
}

/** An approval of the head on any platform; other fields as given. */
export function review(id: number, by: object | null, second: number, other: object = {}): object {
  const time = { submitted_at: at(second), approved_at: at(second) };
  return { id, user: by, state: 'APPROVED', commit_id: head, official: true, dismissed: false, ...time, ...other };
}

/** A commit that was pushed to a merge request on GitLab. */
export function version(id: number, commit: string, second: number): object {
  return { id, head_commit_sha: commit, created_at: at(second) };
}

/** The digest that counts as reviewed, by the records of a platform, and the paths that were asked for. */
export async function reviewedBy(platform: StandIn, records: Records, asked: string[] = []): Promise<string> {
  const client: PlatformClient = {
    origin: 'https://git.example.com',
    prefix: '',
    tokenFrom: 'TOKEN',
    mask: maskOf([]),
    send: ({ path }) => {
      asked.push(path);
      const found = answer(platform, records, new URL(path, 'http://host'));
      const refusal = { status: 404, msg: 'Not Found' };
      return found === undefined
        ? Promise.reject(new ApiError('PLATFORM_REFUSED', { method: 'GET', path }, refusal))
        : Promise.resolve(found);
    },
  };
  const api = { github: githubReviews, gitlab: gitlabReviews, gitea: giteaReviews }[platform](client, 'acme/edges');
  return reviewedDigest(api, { branch: 'main', commit: merge, name: statusName });
}

function answer(platform: StandIn, records: Records, { pathname, searchParams }: URL): unknown {
  const paged = (items: unknown[]): unknown => (Number(searchParams.get('page') ?? 1) > 1 ? [] : items);
  if (pathname === '/graphql') return { data: { viewer: { databaseId: 2 } } };
  if (pathname === '/user') return user(2, 'bot');
  if (pathname.endsWith(`/commits/${merge}/pull`)) return records.pull;
  if (/\/commits\/b+\/(pulls|merge_requests)$/.test(pathname)) return paged([records.pull]);
  if (/\/commits\/a+\/statuses$/.test(pathname)) return paged(records.statuses);
  if (pathname.endsWith('/pulls/7/reviews')) return paged(records.reviews);
  if (pathname.endsWith('/merge_requests/7/approvals')) return { approved_by: records.reviews };
  if (pathname.endsWith('/merge_requests/7/versions')) return paged(records.versions);
  const [, who = ''] = /\/(?:collaborators|members\/all)\/([^/]+)/.exec(pathname) ?? [];
  if (who === '' || records.strangers.has(who)) return undefined;
  const mayWrite = ['1', '3', 'alice', 'carol', 'bot', '2'].includes(who);
  return platform === 'gitlab' ? { access_level: mayWrite ? 40 : 20 } : { permission: mayWrite ? 'write' : 'read' };
}
