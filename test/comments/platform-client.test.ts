import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Clock } from '../../src/api/clock.ts';
import { createPlatformClient, type PlatformClient } from '../../src/comments/platform-client.ts';
import { githubComments, githubReviews } from '../../src/comments/github.ts';
import { SluiceError } from '../../src/diagnostics/errors.ts';
import { httpService, json } from '../support/http-service.ts';

interface Rig {
  readonly client: PlatformClient;
  readonly url: string;
  readonly waits: number[];
  readonly lines: string[];
  readonly asked: () => number;
}

/** A client for a platform that gives these answers in turn, and the last of them from then on. */
async function platform(...answers: readonly ((response: ServerResponse) => void)[]): Promise<Rig> {
  let asked = 0;
  const waits: number[] = [];
  const lines: string[] = [];
  const { url, dispatcher } = await httpService((_, response) => {
    answers[Math.min(asked++, answers.length - 1)]?.(response);
  });
  let now = 0;
  const clock: Clock = {
    now: () => now,
    sleep: (ms) => {
      waits.push(ms);
      now += ms;
      return Promise.resolve();
    },
    random: () => 0.5,
  };
  const client = createPlatformClient({
    apiUrl: url,
    apiUrlFrom: 'GITHUB_API_URL',
    authorization: 'Bearer',
    token: 'canary-token',
    tokenFrom: 'GITHUB_TOKEN',
    dispatcher,
    clock,
    signal: new AbortController().signal,
    userAgent: 'test',
    onRetry: ({ why }) => lines.push(why),
  });
  return { client, url, waits, lines, asked: () => asked };
}

const ok = (response: ServerResponse): void => json(response, 200, { id: 1 });
const refused =
  (status: number, body: unknown = { message: 'no' }, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
// However long a busy machine takes until the answer is read.
const now = Date.parse('2026-01-02T12:00:00Z');
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now }));
afterEach(() => void vi.useRealTimers());
const inSeconds = (seconds: number): string => String(now / 1000 + seconds);

async function errorOf(work: Promise<unknown>): Promise<SluiceError> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (error instanceof SluiceError) return error;
  throw new Error('it was not refused');
}

describe('a rate limit that GitHub reports with 403', () => {
  test.each([
    ['by retry-after', { 'retry-after': '7' }],
    ['by the time of its reset', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(8) }],
  ])('is waited for: %s', async (_, headers) => {
    for (const request of [
      { method: 'GET', path: '/x' },
      { method: 'POST', path: '/x', body: {} },
    ] as const) {
      const { client, url, waits, lines, asked } = await platform(refused(403, undefined, headers), ok);
      expect(await client.send(request)).toEqual({ id: 1 });
      expect([waits.length, asked()]).toEqual([1, 2]);
      expect(waits[0]).toBeGreaterThan(1000);
      expect(waits[0]).toBeLessThan(9000);
      expect(lines).toEqual([`${request.method} ${url}/x returned 403: no`]);
    }
  });

  test('is reported where it lasts longer than a command waits, with when to come back', async () => {
    const reset = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(1790) };
    const { client, waits } = await platform(refused(403, undefined, reset));
    const { hint } = await errorOf(client.send({ method: 'GET', path: '/x' }));
    expect(hint).toBe('the rate limit of the token is exceeded; run the command again in 30 minutes');
    expect(waits).toEqual([]);
  });

  test('is not any other 403, and a 429 to a POST is not sent again', async () => {
    const other = await platform(
      refused(403, undefined, { 'x-ratelimit-remaining': '12', 'x-ratelimit-reset': inSeconds(9) }),
    );
    await errorOf(other.client.send({ method: 'GET', path: '/x' }));
    const post = await platform(refused(429, undefined, { 'retry-after': '1' }));
    await errorOf(post.client.send({ method: 'POST', path: '/x', body: {} }));
    expect([other.asked(), post.asked()]).toEqual([1, 1]);
  });
});

describe('a rate limit that GraphQL reports with 200', () => {
  const limited = { data: null, errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] };

  test('is waited for like that of any other request', async () => {
    const reset = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(8) };
    const viewer = (response: ServerResponse): void => json(response, 200, { data: { viewer: { databaseId: 7 } } });
    const { client, waits, lines, url } = await platform(refused(200, limited, reset), viewer);
    expect(await githubReviews(client, 'acme/edges').identity()).toBe('7');
    expect(waits.length).toBe(1);
    expect(waits[0]).toBeGreaterThan(1000);
    expect(lines).toEqual([`POST ${url}/graphql returned 200: API rate limit exceeded`]);
  });

  test('is reported where it lasts longer than a command waits, with when to come back', async () => {
    const reset = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(1790) };
    const { client, waits } = await platform(refused(200, limited, reset));
    const { hint } = await errorOf(githubReviews(client, 'acme/edges').identity());
    expect(hint).toBe('the rate limit of the token is exceeded; run the command again in 30 minutes');
    expect(waits).toEqual([]);
  });
});

describe('an error of a platform', () => {
  test.each<[number, string]>([
    [401, 'set a valid token in GITHUB_TOKEN'],
    [403, 'give the token in GITHUB_TOKEN the permission'],
    [404, 'check that the token in GITHUB_TOKEN may read the repository'],
    [302, 'set GITHUB_API_URL to the URL of the API itself'],
    [429, 'run the command again later'],
    [500, 'run the command again later'],
  ])('names the origin, and advises by the status %i', async (status, advice) => {
    const { client, url } = await platform(refused(status));
    const { message, hint } = await errorOf(client.send({ method: 'GET', path: '/repos/x' }));
    expect(message).toContain(`GET ${url}/repos/x returned ${String(status)}: no`);
    expect(hint).toContain(advice);
  });

  test('advises on the URL where a page answers that is no API, and names the origin where nobody answers', async () => {
    const { client, url } = await platform(refused(200, '<html>Sign in</html>'));
    const page = await errorOf(client.send({ method: 'GET', path: '/x' }));
    expect([page.message, page.hint]).toEqual([
      `GET ${url}/x returned 200: the response body is not JSON`,
      expect.stringContaining('check that GITHUB_API_URL is the URL of the API'),
    ]);
    const cut = await platform((response) => response.destroy());
    expect((await errorOf(cut.client.send({ method: 'GET', path: '/x' }))).message).toContain(`GET ${cut.url}/x: `);
  });

  test('says every reason that the platform gives, without the token', async () => {
    const errors = [{ message: 'Body is too long canary-token' }, { field: 'sha', code: 'invalid' }, 'odd', {}, null];
    const { client } = await platform(refused(422, { message: 'Validation Failed', errors }));
    const { message } = await errorOf(client.send({ method: 'POST', path: '/x', body: {} }));
    expect(message).toMatch(/returned 422: Validation Failed: Body is too long .*; sha invalid; odd$/);
    expect(message).not.toContain('canary');
  });

  test('of GraphQL advises on a limit and on what is not found as any other', async () => {
    const hintOf = async (type: string): Promise<string | undefined> => {
      const body = { data: null, errors: [{ type, message: 'no' }] };
      const { client } = await platform((response) => json(response, 200, body));
      return (await errorOf(githubReviews(client, 'acme/edges').identity())).hint;
    };
    expect(await hintOf('RATE_LIMITED')).toContain('the rate limit of the token is exceeded');
    expect(await hintOf('NOT_FOUND')).toContain('check that the token in GITHUB_TOKEN may read the repository');
    expect(await hintOf('FORBIDDEN')).toContain('permission');
  });

  test('of GraphQL is what GraphQL says', async () => {
    const body = { data: null, errors: [{ message: 'Resource not accessible by integration' }] };
    const { client, url } = await platform((response) => json(response, 200, body));
    const work = [
      githubReviews(client, 'acme/edges').identity(),
      githubComments(client, { project: 'acme/edges', number: 7 }).own(),
    ];
    for (const one of work) {
      const { code, message, hint } = await errorOf(one);
      expect([code, message]).toEqual([
        'PLATFORM_REFUSED',
        `POST ${url}/graphql returned an error: Resource not accessible by integration`,
      ]);
      expect(hint).toContain('permission');
    }
  });
});
