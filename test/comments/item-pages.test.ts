import { expect, test } from 'vitest';
import { itemsOfPages } from '../../src/comments/comment-fields.ts';
import { githubComments } from '../../src/comments/github.ts';
import { gitlabReviews } from '../../src/comments/gitlab.ts';
import type { PlatformClient } from '../../src/comments/platform-client.ts';
import { SluiceError } from '../../src/diagnostics/errors.ts';
import { maskOf } from '../../src/diagnostics/secret-mask.ts';

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => (error instanceof SluiceError ? [error.code, error.message] : error));
const tooLong = ['UNREADABLE_RESPONSE', expect.stringContaining('more than 100 pages')];

test('a list is read to its end', async () => {
  const last = 99;
  const items = await itemsOfPages((page) => Promise.resolve(page > last ? [] : [{ id: page }]));
  expect(items).toHaveLength(last);
});

test('a list without an end is an error, since what comes later would be missed', async () => {
  expect(await codeOf(itemsOfPages((page) => Promise.resolve([{ id: page }])))).toEqual(tooLong);
  const client: PlatformClient = {
    origin: 'https://git.example.com',
    prefix: '',
    tokenFrom: 'TOKEN',
    mask: maskOf([]),
    send: () => {
      const comments = { nodes: [], pageInfo: { hasNextPage: true, endCursor: 'next' } };
      return Promise.resolve({ data: { repository: { pullRequest: { comments } } } });
    },
  };
  const own = githubComments(client, { project: 'acme/edges', number: 7 }).own();
  expect(await codeOf(own)).toEqual(tooLong);
});

test('the merge request of a commit is found on any page of those that have the commit', async () => {
  const merge = 'b'.repeat(40);
  const request = { id: 1, iid: 1, state: 'opened', sha: 'a'.repeat(40), target_branch: 'main', author: { id: 1 } };
  const pages = [
    Array.from({ length: 100 }, (_, n) => ({ ...request, id: n + 1 })),
    [{ ...request, id: 101, iid: 7, state: 'merged', merge_commit_sha: merge }],
  ];
  const client: PlatformClient = {
    origin: 'https://git.example.com',
    prefix: '',
    tokenFrom: 'TOKEN',
    mask: maskOf([]),
    send: ({ path }) => Promise.resolve(pages[Number(/[?&]page=(\d+)/.exec(path)?.[1] ?? 1) - 1] ?? []),
  };
  const found = await gitlabReviews(client, '4711').mergedInto('main', merge);
  expect(found.map(({ number }) => number)).toEqual([7]);
});
