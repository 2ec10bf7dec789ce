import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pageToken, requireToken } from '../../../src/watch/status/page-token.ts';
import { directory } from '../../cli/terminal.ts';

const token = '6f1d2c4b8a9e0f3d5c7b6a1e2f4d8c9b';

/** A page that requires the token of a file, in time that passes when the test lets it. */
async function page() {
  const file = join(await directory({ token: `${token}\n` }), 'token');
  chmodSync(file, 0o600);
  const why: string[] = [];
  let now = 0;
  const check = requireToken(file, () => now);
  const ask = (authorization: string | undefined, from?: string): number | undefined => {
    const headers = authorization === undefined ? {} : { authorization: [authorization] };
    return check({ headers, text: '', from }, (reason) => why.push(reason))?.status;
  };
  return { file, why, ask, check, pass: (ms: number) => (now += ms) };
}

test('a request has the token as a bearer token, in any case of that word, and nothing beside it', async () => {
  const { ask } = await page();
  expect([`Bearer ${token}`, `bearer ${token}`].map((one) => ask(one))).toEqual([undefined, undefined]);
  expect([`Bearer ${token} x`, `x Bearer ${token}`, token, undefined].map((one) => ask(one))).toEqual(
    Array(4).fill(401),
  );
});

test('a wrong token is reported with the address that it came from', async () => {
  const { ask, why, check } = await page();
  for (const from of ['10.0.0.7', undefined]) ask('Bearer x', from);
  expect(why).toEqual([
    'an approval from 10.0.0.7 had a wrong token',
    'an approval from an unknown address had a wrong token',
  ]);
  const refused = check({ headers: {}, text: '', from: undefined }, () => undefined);
  expect(refused).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
});

test('no more than five wrong tokens are compared within any minute', async () => {
  const { ask, pass, check } = await page();
  for (let n = 0; n < 5; n++) {
    expect(ask('Bearer x')).toBe(401);
    pass(10_000);
  }
  expect(ask(`Bearer ${token}`)).toBe(429);
  pass(9_999);
  const refused = check({ headers: {}, text: '', from: undefined }, () => undefined);
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
  pass(1);
  expect([ask('Bearer x'), ask(`Bearer ${token}`)]).toEqual([401, 429]);
  pass(10_000);
  expect(ask(`Bearer ${token}`)).toBeUndefined();
});

test('a token that is replaced counts at once, and one that cannot be read is never equal', async () => {
  const { file, ask, why } = await page();
  const next = token.replace('6', '7');
  writeFileSync(file, next);
  expect([ask(`Bearer ${token}`), ask(`Bearer ${next}`)]).toEqual([401, undefined]);
  rmSync(file);
  expect(ask(`Bearer ${next}`)).toBe(503);
  expect(why.at(-1)).toMatch(/^the token file .*token /);
});

test('a token has at least 32 characters, and no white space inside', async () => {
  const { file } = await page();
  const wrong = { message: 'must contain one token of at least 32 characters' };
  for (const [text, expected] of [
    [` ${token}\n`, { token }],
    [token.slice(1), wrong],
    [`${token} ${token}`, wrong],
  ] as const) {
    writeFileSync(file, text);
    expect(pageToken(file)).toEqual(expected);
  }
});
