import { expect, test } from 'vitest';
import { jsonReply, metricsReply, pageReply, sharedReplies } from '../../../src/watch/status/shared-replies.ts';

test('clients that ask the same at the same time get one rendering, and later ones a new one', async () => {
  let made = 0;
  const ask = sharedReplies({ '/status': (search) => jsonReply(`${search} ${String((made += 1))}`) })['/status'];
  const bodies = async (...searches: readonly string[]): Promise<unknown[]> =>
    Promise.all(searches.map(async (search) => (await ask?.(search))?.body));
  expect(await bodies('?a', '?a', '?b', '?a')).toEqual(['?a 1', '?a 1', '?b 2', '?a 1']);
  await expect.poll(() => bodies('?a')).toEqual(['?a 3']);
});

test('what is rendered for one path or query is not sent for another', async () => {
  const replies = sharedReplies({
    '/a': (search) => jsonReply(`a${search}`),
    '/b': (search) => jsonReply(`b${search}`),
  });
  const bodies = await Promise.all(['/a', '/b'].map(async (path) => (await replies[path]?.('?q=1'))?.body));
  expect(bodies).toEqual(['a?q=1', 'b?q=1']);
});

test('of many queries at once, each is answered, and no more than twenty renderings are kept', async () => {
  let made = 0;
  const ask = sharedReplies({ '/status': (search) => jsonReply(`${search} ${String((made += 1))}`) })['/status'];
  const queries = Array.from({ length: 20 }, (_, n) => `?${String(n)}`);
  const all = await Promise.all([...queries, '?0', '?another', '?0'].map(async (query) => ask?.(query)));
  const [first, , later] = all.slice(-3);
  expect([first?.body, later?.body]).toEqual(['?0 1', '?0 22']);
});

test('each kind of reply names its type, and a page what it may load and its version', () => {
  const page = pageReply({ html: '<p>', contentSecurityPolicy: "default-src 'none'", etag: '"1"' });
  expect(page).toEqual({
    ...{ status: 200, type: 'text/html', body: '<p>' },
    headers: { 'content-security-policy': "default-src 'none'", etag: '"1"' },
  });
  expect([jsonReply('{}').type, metricsReply('').type]).toEqual(['application/json', 'text/plain; version=0.0.4']);
});
