/* `sluice plan --all`: the plans of every stack below a directory. */
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stacksJsonSchema, type StacksJson } from '../../../src/render/stacks/stacks-json-schema.ts';
import { gitStack } from '../../support/git-stack.ts';
import { attackersUrl, hostileNetwork, operatorsUrl } from '../../support/hostile-network.ts';
import { directory, sluice } from '../terminal.ts';
import { address, stackAt } from './several-stacks.ts';

const broken = address('web').replace('region', 'regoin');
const three = { ...stackAt('network'), ...stackAt('shop'), ...stackAt('web', broken) };

const now = (): number => Date.parse('2026-03-02T09:00:00Z');

async function json(dir: string, args: string, io = {}): Promise<StacksJson> {
  return JSON.parse((await sluice(dir, `${args} --format json`, io)).out) as StacksJson;
}

const twoPlans = `
== network ==
+ ReservedAddr/mqtt  manifests/mqtt.yaml:1 · region eu
    description: network
    region: eu

1 to create; 1 API request.

== teams/shop ==
+ ReservedAddr/mqtt  manifests/mqtt.yaml:1 · region eu
    description: teams/shop
    region: eu

1 to create; 1 API request.

network     1 to create; 1 API request.
teams/shop  1 to create; 1 API request.

2 stacks: 2 with changes.
`;

describe('plan --all', () => {
  test('prints each plan below a heading, a line for each stack and the total', async () => {
    const dir = await directory({ ...stackAt('network'), ...stackAt('teams/shop') });
    const { code, out, err } = await sluice(dir, 'plan --all');
    expect(code).toBe(0);
    expect(out).toBe(twoPlans);
    expect(err).toBe('Planning network (1 of 2)\nPlanning teams/shop (2 of 2)\n');
  });

  test('plans the others if a stack is broken, and ends with the code of that one', async () => {
    const dir = await directory(three);
    const { code, out, err } = await sluice(dir, 'plan --all --detailed-exitcode');
    expect(code).toBe(8);
    expect(out.split('\n').slice(-6)).toEqual([
      'network  1 to create; 1 API request.',
      'shop     1 to create; 1 API request.',
      'web      failed (exit 8): unknown field `regoin` in ReservedAddr.spec',
      '',
      '3 stacks: 1 failed, 2 with changes.',
      '',
    ]);
    expect(err).toContain('Planning web (3 of 3)\nerror[UNKNOWN_FIELD]');
  });

  test('ends with 2 if one has changes and --detailed-exitcode is given', async () => {
    const dir = await directory({ ...stackAt('network'), ...stackAt('shop') });
    expect((await sluice(dir, '-C network apply --auto-approve')).code).toBe(0);
    expect((await sluice(dir, 'plan --all --detailed-exitcode')).code).toBe(2);
    expect((await json(dir, 'plan --all')).summary).toMatchObject({ unchanged: 1, pending: 1, failed: 0 });
  });

  test('is one document in JSON, with what plan prints for each stack alone', async () => {
    const dir = await directory(three);
    const document = await json(dir, 'plan --all', { now });
    expect(stacksJsonSchema.safeParse(document).error).toBeUndefined();
    const { exit_code, summary, stacks } = document;
    expect({ exit_code, summary }).toMatchObject({ exit_code: 8, summary: { pending: 2, failed: 1 } });
    expect(stacks.map(({ stack, status, exit_code: own }) => ({ stack, status, own }))).toEqual([
      { stack: 'network', status: 'pending', own: 0 },
      { stack: 'shop', status: 'pending', own: 0 },
      { stack: 'web', status: 'failed', own: 8 },
    ]);
    const alone = await sluice(dir, '-C shop plan --format json', { now });
    expect(stacks[1]?.result).toEqual(JSON.parse(alone.out));
    expect(stacks[2]?.result?.['error']).toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('has a table of all stacks in Markdown, failed ones first, then a heading for each with changes', async () => {
    const dir = await directory({ ...three, ...stackAt('zone') });
    await sluice(dir, '-C shop apply --auto-approve');
    const { out } = await sluice(dir, 'plan --all --format markdown');
    expect(
      out
        .split('\n')
        .filter((line) => /^(#+|\|)/.test(line))
        .slice(0, 11),
    ).toEqual([
      '## sluice plan: 4 stacks: 1 failed, 2 with changes, 1 unchanged',
      '| Stack | Result |',
      '| --- | --- |',
      expect.stringMatching(/^\| `web` \| failed/),
      '| `network` | 1 to create; 1 API request. |',
      '| `zone` | 1 to create; 1 API request. |',
      '| `shop` | No changes. 1 resource in sync. |',
      '## `web`',
      '### sluice failed',
      '## `network`',
      '### sluice plan for `network`',
    ]);
  });

  test('stays within the size of a comment, and counts what is omitted', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `stack-${String(index)}`);
    const dir = await directory(Object.assign({}, ...names.map((name) => stackAt(name))) as Record<string, string>);
    const { out } = await sluice(dir, 'plan --all --format markdown --max-bytes 8000');
    expect(Buffer.byteLength(out)).toBeLessThanOrEqual(8000);
    expect(out).toMatch(/_The details of \d+ stacks are omitted \(size limit\)\._/);
  });

  test('searches below --all DIR and -C DIR, and neither links, hidden directories nor installed packages', async () => {
    const dir = await directory({
      ...stackAt('live/shop'),
      ...stackAt('live/.old/shop'),
      ...stackAt('live/node_modules/sluice/examples'),
      ...stackAt('other'),
    });
    await symlink(join(dir, 'other'), join(dir, 'live/link'));
    const names = async (args: string): Promise<readonly string[]> =>
      (await json(dir, args)).stacks.map(({ stack }) => stack);
    expect(await names('plan --all live')).toEqual(['live/shop']);
    expect(await names('-C live plan --all')).toEqual(['live/shop']);
    expect(await names('plan --all')).toEqual(['live/shop', 'other']);
  });

  test('is a usage error where there is no stack', async () => {
    const dir = await directory();
    await mkdir(join(dir, 'empty'));
    expect(await sluice(dir, 'plan --all empty')).toMatchObject({
      code: 8,
      err: expect.stringContaining('there is no sluice.yaml in') as string,
    });
    expect(await sluice(dir, 'plan --all missing')).toMatchObject({
      code: 8,
      err: expect.stringContaining('does not exist') as string,
    });
  });

  test.each([
    '-f web.yaml',
    '--target ReservedAddr/mqtt',
    '--destroy',
    '--out plan.bin',
    '--allow-empty',
    '--rename-from old',
  ])('cannot be combined with %s, which is about one stack', async (flag) => {
    const dir = await directory(three);
    expect(await sluice(dir, `plan --all ${flag}`)).toMatchObject({
      code: 8,
      out: '',
      err: expect.stringContaining(
        `${flag.split(' ')[0] ?? ''} is for one stack and cannot be combined with --all`,
      ) as string,
    });
  });

  test.each([
    ['is the same', (file: string) => file],
    [
      'spells the address in another way',
      (file: string) => file.replace(operatorsUrl, 'https://API.operator.example/'),
    ],
    [
      'names another variable, where one key is for all',
      (file: string) => file.replace('vendor: example', 'vendor: example, key: {from_env: SLUICE_KEY_OF_COPY}'),
    ],
  ])(
    'refuses two stacks that have one id in one account, before the first request, if the copy %s',
    async (_, copied) => {
      const { network } = await hostileNetwork('any');
      const files = stackAt('network', undefined, operatorsUrl);
      const copy = Object.fromEntries(Object.entries(files).map(([path, text]) => [`copy-of-${path}`, copied(text)]));
      const dir = await directory({ ...files, ...copy });
      expect(await sluice(dir, 'plan --all', { network, env: { SLUICE_API_KEY: 'any' } })).toMatchObject({
        code: 8,
        out: '',
        err: expect.stringContaining('the stacks copy-of-network and network have the same id') as string,
      });
    },
  );

  test('refuses two stacks that have one id where SLUICE_BASE_URL gives both one account', async () => {
    const { network } = await hostileNetwork('any');
    const files = Object.entries(stackAt('network'));
    const copy = files.map(([path, text]): [string, string] => [`copy-of-${path}`, text]);
    const dir = await directory(Object.fromEntries([...files, ...copy]));
    const env = { SLUICE_API_KEY: 'any', SLUICE_BASE_URL: operatorsUrl };
    expect(await sluice(dir, 'plan --all', { network, env })).toMatchObject({
      code: 8,
      out: '',
      err: expect.stringContaining('the stacks copy-of-network and network have the same id') as string,
    });
  });

  test('plans only what a branch changes with --since, which requires --all', async () => {
    const { dir, git, commit } = await gitStack({ ...stackAt('network'), ...stackAt('shop'), ...stackAt('old') });
    git('checkout', '-q', '-b', 'change');
    git('rm', '-q', '-r', 'old');
    commit({ 'shop/manifests/mqtt.yaml': address('changed') });
    const { out, err } = await sluice(dir, 'plan --all --since main --format json');
    expect((JSON.parse(out) as StacksJson).stacks.map(({ stack }) => stack)).toEqual(['shop']);
    expect(err).toContain('old was deleted since main; its resources remain in the account');
    expect(await sluice(dir, 'plan --since main')).toMatchObject({
      code: 8,
      err: expect.stringContaining('--since requires --all') as string,
    });
  });

  test('sends the key to no other origin than that of the operator, whatever one of the stacks says', async () => {
    const key = 'key-of-the-operator-4711';
    const { network, attackers } = await hostileNetwork(key);
    const dir = await directory({
      ...stackAt('network', undefined, operatorsUrl),
      ...stackAt('shop', undefined, attackersUrl),
    });
    const ended = await sluice(dir, 'plan --all', {
      network,
      env: { SLUICE_API_KEY: key, SLUICE_BASE_URL: operatorsUrl },
    });
    expect(attackers.requests).toEqual([]);
    expect(ended.code).toBe(8);
    expect(ended.out).toContain('2 stacks: 1 failed, 1 with changes.');
    expect(ended.err).toContain('error[ORIGIN_NOT_TRUSTED]');
  });
});
