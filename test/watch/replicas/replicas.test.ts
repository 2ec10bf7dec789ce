import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { directory } from '../../cli/terminal.ts';
import { gitStack } from '../../support/git-stack.ts';
import { until } from '../../support/until.ts';
import { stackFiles } from '../fleet/start-fleet.ts';
import { startReplicas, type ReplicaInTest } from './start-replicas.ts';

const names = ['a', 'b'];

test('a replica that joins is handed stacks, each page names who has the others, and one that stops gives its own back', async () => {
  const { emulator, stackFiles: filesOf, start } = await startReplicas();
  const files = Object.assign({}, ...names.map((name) => filesOf(name, name, `0000000${name}`))) as Record<
    string,
    string
  >;
  const first = await start(await directory(files));
  await until(async () => (await first.leads()).length === 2);
  const second = await start(await directory(files));
  await until(async () => (await first.leads()).length === 1 && (await second.leads()).length === 1);
  const [ofFirst, ofSecond] = [await first.leads(), await second.leads()];
  expect([...ofFirst, ...ofSecond].sort()).toEqual(names);

  await until(async () =>
    (await first.status()).stacks.every(({ role, elsewhere }) => role !== undefined || elsewhere?.url !== undefined),
  );
  const { stacks } = await first.status();
  for (const { path, condition, elsewhere } of stacks.filter(({ role }) => role === undefined)) {
    expect(ofSecond).toContain(path);
    expect(condition).toBe('standby');
    expect(elsewhere?.url).toBe(`${second.url}/`);
    expect(second.log()).toContain(`as replica ${elsewhere?.replica ?? ''}`);
    const page = await (await fetch(`${first.url}/stacks/${path}/`)).text();
    expect(page).toContain(
      `watched by replica ${elsewhere?.replica ?? ''}; the page of the stack is ${second.url}/stacks/${path}/`,
    );
  }
  expect(await (await fetch(first.url)).text()).toContain(`href="${second.url}/stacks/${ofSecond[0] ?? ''}/"`);

  await first.stop();
  await until(async () => (await second.leads()).length === 2);
  await second.stop();
  expect(
    emulator
      .snapshot()
      .resources.map(({ spec }) => spec['description'])
      .sort(),
  ).toEqual(names.map((name) => `Of ${name}`));
});

test('an approval that is posted to a replica without the stack names the replica that has it, and approves nothing', async () => {
  const { emulator, stackFiles: filesOf, start } = await startReplicas();
  const token = '6f1d2c4b8a9e0f3d5c7b6a1e2f4d8c9b';
  const tokenFile = join(await directory({ token }), 'token');
  await chmod(tokenFile, 0o600);
  const files = Object.fromEntries(
    Object.entries({ ...filesOf('a', 'a', '0000000a'), ...filesOf('b', 'b', '0000000b') }).map(([name, text]) => [
      name,
      text.replace('watch: {', 'watch: {apply_on_change: false, '),
    ]),
  );
  const approvals = { approvalTokenFile: tokenFile };
  const first = await start(await directory(files), undefined, approvals);
  await until(async () => (await first.leads()).length === 2);
  const second = await start(await directory(files), undefined, approvals);
  await until(async () => (await second.leads()).length === 1);
  const [own = ''] = await second.leads();
  await until(async () => (await first.status()).stacks.some(({ elsewhere }) => elsewhere?.url !== undefined));
  const post = async (url: string, path: string): Promise<Response> =>
    fetch(`${url}/stacks/${path}/approve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ digest: (await pending(second, own)) ?? '' }),
    });
  await until(async () => (await pending(second, own)) !== undefined);
  const answer = await post(first.url, own);
  expect(answer.status).toBe(503);
  expect(await answer.text()).toMatch(
    new RegExp(
      `^nothing was approved: the stack is watched by replica \\S+; approve the changes at ${second.url}/stacks/${own}/\n$`,
    ),
  );
  expect(emulator.snapshot().resources).toEqual([]);
  expect((await post(first.url, 'none')).status).toBe(405);
  expect((await post(second.url, own)).status).toBe(202);
  await until(() => emulator.snapshot().resources.length === 1);
});

/** The digest that a stack has pending. */
async function pending({ url }: ReplicaInTest, path: string): Promise<string | undefined> {
  const answer = await fetch(`${url}/stacks/${path}/status.json`);
  return answer.ok ? ((await answer.json()) as { approval_digest?: string }).approval_digest : undefined;
}

test('a replica whose checkout is behind the commit that was applied gives the stack to one whose is not', async () => {
  const { emulator, stackFiles: filesOf, start } = await startReplicas();
  const { dir, git, commit } = await gitStack(filesOf('a', 'a', '0000000a'));
  const late = await directory();
  await rm(late, { recursive: true });
  git('clone', '-q', dir, late);
  const newest = filesOf('a', 'a', '0000000a')['a/manifests/all.yaml']?.replace('Of a', 'Newest') ?? '';
  commit({ 'a/manifests/all.yaml': newest });
  const described = (): readonly unknown[] => emulator.snapshot().resources.map(({ spec }) => spec['description']);

  const first = await start(dir);
  await until(() => described().includes('Newest'));
  await until(async () => (await first.status()).stacks[0]?.condition === 'in-sync');
  await first.stop();
  const second = await start(late);
  await until(() => second.log().includes('BEHIND_APPLIED'));
  expect(described()).toEqual(['Newest']);
  expect(await second.leads()).toEqual(['a']);

  const third = await start(dir);
  await until(async () => (await third.leads()).length === 1);
  await until(async () => (await second.status()).stacks[0]?.elsewhere?.replica !== undefined);
  expect(second.log()).toContain('because the files of this replica are behind the commit that was applied last');
  expect(described()).toEqual(['Newest']);
});

test.each([
  // What it has read stays in force while its files cannot be read, whatever is checked out.
  ['has read older manifests', 'BEHIND_APPLIED', { 'a/sluice.yaml': 'version: 1\n' }],
  ['reads older files', 'UNCOMMITTED_CHANGES', {}],
])('a replica that %s does not apply them as the newer commit that is checked out by now', async (_, code, broken) => {
  const { emulator, stackFiles: filesOf, start } = await startReplicas();
  const { dir, git, commit } = await gitStack(filesOf('a', 'a', '0000000a'));
  const late = await directory();
  await rm(late, { recursive: true });
  git('clone', '-q', dir, late);
  const newest = filesOf('a', 'a', '0000000a')['a/manifests/all.yaml']?.replace('Of a', 'Newest') ?? '';
  commit({ 'a/manifests/all.yaml': newest });
  const described = (): readonly unknown[] => emulator.snapshot().resources.map(({ spec }) => spec['description']);
  const first = await start(dir);
  await until(async () => (await first.status()).stacks[0]?.condition === 'in-sync');
  await first.stop();

  const second = await start(late);
  await until(() => second.log().includes('BEHIND_APPLIED'));
  for (const [name, text] of Object.entries(broken)) await writeFile(join(late, name), text);
  git('-C', late, 'fetch', '-q');
  const before = second.log().length;
  git('-C', late, 'reset', '-q', '--soft', 'origin/main');
  await until(() => new RegExp(`${code}|: done`).test(second.log().slice(before)));
  expect(second.log().slice(before)).toContain(code);
  expect(described()).toEqual(['Newest']);
});

test('a stack whose state is in a file is refused, and so is a file of the replicas that the repository has', async () => {
  const { start } = await startReplicas();
  const dir = await directory({
    ...stackFiles('a', 'a', '0000000a'),
    'replicas.yaml': 'version: 1\nstate: {postgres: {url: {from_env: SLUICE_STATE_URL}}}\n',
  });
  const replica = await start(dir);
  await until(async () => (await replica.status()).stacks[0]?.failure !== undefined);
  expect((await replica.status()).stacks[0]?.failure?.message).toBe(
    'the state of a is in a file, which other replicas cannot read',
  );
  await expect(start(dir, join(dir, 'replicas.yaml'))).rejects.toThrow('is inside the watched repository');
});

test.each([
  ['version: 1\n', '`state` is required'],
  ['version: 1\nstate: {path: /tmp/state.json}\n', 'must have `postgres` or `s3`, but not both'],
  [
    'version: 1\nstate: {postgres: {url: {from_env: DATABASE_URL}}}\n',
    'must be the name of an environment variable that begins with SLUICE_',
  ],
  ['version: 1\nstate: {postgres: {url: {from_env: SLUICE_STATE_URL}}}\n', 'SLUICE_STATE_URL is not set'],
])('the file of the replicas %j is refused', async (text, why) => {
  const { start } = await startReplicas();
  const outside = await directory({ 'replicas.yaml': text });
  await expect(start(await directory(), join(outside, 'replicas.yaml'))).rejects.toThrow(why);
});
