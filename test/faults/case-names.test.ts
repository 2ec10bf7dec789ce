import { expect, test } from 'vitest';
import { caseNamed, casesOf, deathsOf, nameOf } from './cases.ts';
import { prepare } from './prepare.ts';
import { shareOf } from './selection.ts';
import { servers } from './servers.ts';

test('each case has a name that says all of it', async () => {
  const { change } = await prepare(servers[0]!);
  for (const one of [...casesOf(change), ...deathsOf(change)]) expect(caseNamed(nameOf(one), servers)).toEqual(one);
});

test('shares are of one size, and each case is in one of them', () => {
  const all = Array.from({ length: 103 }, (_, at) => at);
  const shares = ['1/4', '2/4', '3/4', '4/4'].map((share) => shareOf(all, share));
  expect(shares.map(({ length }) => length)).toEqual([26, 26, 26, 25]);
  expect(shares.flat().sort((a, b) => a - b)).toEqual(all);
  expect(shareOf(all, '')).toEqual(all);
});
