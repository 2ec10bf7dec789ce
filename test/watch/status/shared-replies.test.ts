import { expect, test } from 'vitest';
import { jsonReply, sharedReplies } from '../../../src/watch/status/shared-replies.ts';

test('clients that ask the same at the same time get one rendering, and later ones a new one', async () => {
  let made = 0;
  const ask = sharedReplies({ '/status': (search) => jsonReply(`${search} ${String((made += 1))}`) })['/status'];
  const bodies = async (...searches: readonly string[]): Promise<unknown[]> =>
    Promise.all(searches.map(async (search) => (await ask?.(search))?.body));
  expect(await bodies('?a', '?a', '?b', '?a')).toEqual(['?a 1', '?a 1', '?b 2', '?a 1']);
  await expect.poll(() => bodies('?a')).toEqual(['?a 3']);
});
