import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { libraryContext } from '../../../src/stack/library-context.ts';
import { takeApprovals } from '../../../src/watch/take-approvals.ts';
import { directory, ran } from '../../cli/terminal.ts';
import { signedRepository, skippedWithoutSsh, type SignedRepository } from '../../support/signed-repository.ts';
import { until } from '../../support/until.ts';
import { stackFiles, startFleet, type Fleet } from './start-fleet.ts';

const token = '6f1d2c4b8a9e0f3d5c7b6a1e2f4d8c9b';

const two = Object.fromEntries(
  Object.entries({ ...stackFiles('a', 'a', '0000000a'), ...stackFiles('team/b', 'b', '0000000b') }).map(
    ([name, text]) => [name, text.replace('watch: {', 'watch: {apply_on_change: false, ')],
  ),
);

/** The digests that both stacks have pending. */
async function awaitedBy({ get }: Fleet): Promise<{ readonly a: string; readonly b: string }> {
  const digestOf = async (path: string): Promise<string | undefined> => {
    const answer = await get(`/stacks/${path}/status.json`);
    return answer.ok ? ((await answer.json()) as { approval_digest?: string }).approval_digest : undefined;
  };
  await until(async () => (await digestOf('a')) !== undefined && (await digestOf('team/b')) !== undefined);
  return { a: (await digestOf('a')) ?? '', b: (await digestOf('team/b')) ?? '' };
}

test('whoever has the token approves on the page of a stack what this stack has pending', async () => {
  const tokenFile = join(await directory({ token }), 'token');
  await chmod(tokenFile, 0o600);
  const fleet = await startFleet(two, {}, () => ({
    approvalTokenFile: tokenFile,
    approvalUserHeader: 'X-Forwarded-User',
    approvalProxy: '127.0.0.1',
    url: 'https://sluice.example.com/fleet',
  }));
  const { url, get, log, described, dir, env } = fleet;
  const { a, b } = await awaitedBy(fleet);
  const post = async (
    path: string,
    digest: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<number> => {
    const { status } = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ digest, reason: 'CHG-1042' }),
    });
    return status;
  };
  expect(await (await get('/stacks/team/b/')).text()).toContain(`id="approve-${b}"`);
  expect(await post('/stacks/a/approve', b)).toBe(409);
  expect(await post('/stacks/a/approve', a, { origin: 'https://evil.example' })).toBe(403);
  for (const path of ['/approve', '/stacks/approve', '/stacks/none/approve', '/stacks/a/status.json'])
    expect([path, await post(path, a)]).toEqual([path, 405]);
  expect(log()).not.toContain('"approved_by"');
  const asAda = { origin: 'https://sluice.example.com', 'x-forwarded-user': 'ada@example.com' };
  expect(await post('/stacks/team/b/approve', b, asAda)).toBe(202);
  await until(() => described().join() === 'Of b');
  expect(log()).toContain('approved by ada@example.com: CHG-1042');
  await until(async () => {
    const { out } = await ran(join(dir, 'team/b'), ['history', '--format', 'json'], { env });
    const [run] = (JSON.parse(out) as { runs: readonly object[] }).runs;
    return JSON.stringify(run ?? {}).includes('"by":"ada@example.com"');
  });
  // Each page is another place to guess at, and the token is one.
  for (let tries = 0; tries < 5; tries++)
    expect(await post(`/stacks/${tries % 2 === 0 ? 'a' : 'team/b'}/approve`, a, { authorization: 'Bearer x' })).toBe(
      401,
    );
  expect(await post('/stacks/a/approve', a)).toBe(429);
  expect(log()).not.toContain(token);
});

test('without the flag nobody approves on the pages of a fleet', async () => {
  const fleet = await startFleet(two);
  const { a } = await awaitedBy(fleet);
  expect(await (await fleet.get('/stacks/a/')).text()).not.toContain('id="approve-');
  const { status } = await fetch(`${fleet.url}/stacks/a/approve`, { method: 'POST', body: a });
  expect(status).toBe(405);
});

test('the file of the token must be outside of the directory of the fleet, and the status page served', async () => {
  const dir = await directory({ 'stacks/a/token': token, token });
  for (const file of ['stacks/a/token', 'token']) await chmod(join(dir, file), 0o600);
  const context = libraryContext({ dir, env: {}, signal: new AbortController().signal });
  const take = (approvalTokenFile: string, isServed = true): unknown =>
    takeApprovals(context, { approvalTokenFile }, { dir: join(dir, 'stacks'), isServed });
  expect(() => take(join(dir, 'stacks/a/token'))).toThrow('is inside the watched repository');
  expect(() => take(join(dir, 'token'), false)).toThrow('--approval-token-file requires the status page');
  expect(take(join(dir, 'token'))).toBeTypeOf('function');
});

test.skipIf(skippedWithoutSsh !== '')(
  `a signed commit approves the stack whose digest it names, and no other${skippedWithoutSsh}`,
  async () => {
    const keys = await directory();
    let repository: SignedRepository | undefined;
    const fleet = await startFleet(two, { PATH: process.env['PATH'] ?? '' }, (dir) => {
      repository = signedRepository(dir, keys);
      return { approvalKeys: repository.allowed };
    });
    const { a, b } = await awaitedBy(fleet);
    const page = await (await fleet.get('/stacks/a/')).text();
    expect(page.replaceAll('<wbr />', '')).toContain(`Sluice-Approve: ${a}`);
    repository?.commit('Approve a', a, 'mallory');
    await until(() => fleet.log().includes('is not in the allowed signers file'));
    expect(fleet.described()).toEqual([]);
    await until(async () => {
      const status = await (await fleet.get('/stacks/a/status.json')).text();
      return status.includes('does not approve these changes: the key');
    });
    expect(await (await fleet.get('/stacks/a/status.json')).json()).toMatchObject({ approval_ways: ['commit'] });
    repository?.commit('Approve b', b, 'ada');
    await until(() => fleet.described().join() === 'Of b');
    expect(fleet.log()).toMatch(/approved by ada@example\.com: commit [0-9a-f]{12}: Approve b/);
    repository?.commit('Approve a', a, 'ada');
    await until(() => fleet.described().join() === 'Of a,Of b');
  },
);
