import { expect, test } from 'vitest';
import { fleet } from './fleet.ts';

test.each([
  'sessions get',
  'sessions list ts_1',
  'sessions restart --auto-approve',
  'sessions rollout --auto-approve',
  'endpoints get',
  'abuse-reports get',
])('%s refuses what cannot be an id', async (words) => {
  const { sluice } = await fleet([]);
  for (const id of ['..', 'a b', 'ts_1/../2'])
    expect(await sluice([...words.split(' '), id])).toMatchObject({
      code: 8,
      err: `error: ${JSON.stringify(id)} is not an id\n  an id is 1 to 255 characters of A-Z a-z 0-9 _ - . ~\n`,
    });
});
