import { copyFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { attackersUrl as elsewhere, hostileNetwork } from '../support/hostile-network.ts';
import { company, directory, sluice, stack, stackFile, type Ended } from './terminal.ts';

const env = { SLUICE_API_KEY: 'any' };
const route = (match: string, more = ''): string =>
  `    - {match_type: path_prefix, match: ${match}, backend: {backend_id: bkd_1}${more}}\n`;
const manifest = (...routes: readonly string[]): string => `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  routes:
${routes.join('')}`;
const signIn = ', oauth: {provider: {google: {}}}';
const permissive = 'policy: {max_deletes: 100%, block: []}\n';

/** A stack as applied, whose manifests then have other routes. */
async function changed(settings: string, ...routes: readonly string[]): Promise<string> {
  const applied = manifest(route('/', signIn), route('/new', signIn));
  const dir = await directory({
    'sluice.yaml': stackFile + settings,
    'manifests/shop.yaml': applied,
  });
  expect(await sluice(dir, 'apply --auto-approve', { env })).toMatchObject({ code: 0 });
  await writeFile(join(dir, 'manifests/shop.yaml'), manifest(...routes));
  return dir;
}

async function withOperator(dir: string, args: string, policy: string): Promise<Ended> {
  const file = join(await directory({ 'operator.yaml': `version: 1\n${policy}\n` }), 'operator.yaml');
  return sluice(dir, args, { env: { ...env, SLUICE_OPERATOR_POLICY: file } });
}

describe('the policy of the operator', () => {
  test.each([
    ['plan', { SLUICE_OPERATOR_POLICY: '' }, 'SLUICE_OPERATOR_POLICY is empty'],
    ['validate', { SLUICE_OPERATOR_POLICY: '' }, 'SLUICE_OPERATOR_POLICY is empty'],
    ['--operator-policy= plan', {}, '--operator-policy is empty'],
  ])('is never switched off by a name that is empty: %s with %s', async (args, more, message) => {
    const ended = await sluice(await stack(company), args, { env: { ...env, ...more } });
    expect([ended.code, ended.err]).toEqual([8, expect.stringContaining(message)]);
  });

  test('blocks hazards that no flag allows', async () => {
    const dir = await changed(permissive, route('/', signIn), route('/new'));
    const flags = '--auto-approve --allow OPENS_ACCESS --allow EXPOSES_PUBLICLY';
    const refused = await withOperator(dir, `apply ${flags}`, 'block: [OPENS_ACCESS]');
    expect([refused.code, refused.out]).toEqual([
      3,
      expect.stringContaining('BLOCKED OPERATOR_POLICY: the operator policy blocks the hazard OPENS_ACCESS'),
    ]);
    expect((await withOperator(dir, `apply ${flags}`, 'block: [LOSES_ADDRESS]')).code).toBe(0);
  });

  test('limits deletions beside the limit of the stack', async () => {
    const dir = await changed(permissive, route('/', signIn));
    const limited = await withOperator(dir, 'apply --auto-approve', 'max_deletes: 0');
    expect([limited.code, limited.out]).toEqual([
      3,
      expect.stringContaining('1 deletion in one plan: max_deletes (set by the operator policy) allows none'),
    ]);
    expect((await withOperator(dir, 'apply --auto-approve', 'max_deletes: 1')).code).toBe(0);
  });

  test('does not loosen the limit of the stack', async () => {
    const dir = await changed('policy: {max_deletes: 0}\n', route('/', signIn));
    const { code, out } = await withOperator(dir, 'apply --auto-approve', 'max_deletes: 100%');
    expect([code, out]).toEqual([3, expect.stringContaining('1 deletion in one plan: policy.max_deletes allows none')]);
  });

  test.each([
    ['https://api.example.com', { code: 8, requests: false }],
    [new URL(elsewhere).origin, { code: 0, requests: true }],
  ])(
    'that trusts %s alone decides where credentials of the stack go, in a pipeline or not',
    async (origin, expected) => {
      for (const more of [{}, { CI: 'true' }]) {
        const { network, attackers } = await hostileNetwork('any');
        const dir = await stack(company, stackFile.replace('base_url: embedded', `base_url: "${elsewhere}"`));
        const policy = await directory({ 'operator.yaml': `version: 1\ntrusted_origins: ["${origin}"]\n` });
        const ended = await sluice(dir, 'plan', {
          network,
          env: { ...env, ...more, SLUICE_OPERATOR_POLICY: join(policy, 'operator.yaml') },
        });
        expect(attackers.requests.length > 0).toBe(expected.requests);
        if (expected.code === 8)
          expect([ended.code, ended.err]).toEqual([
            8,
            expect.stringContaining('is not among the trusted origins of the operator'),
          ]);
      }
    },
  );

  test.each(['operator.yaml', '../operator.yaml', '../../linked.yaml'])(
    'is not read in a pipeline from the repository, whose pull requests could trust their own servers: %s',
    async (file) => {
      const { network, attackers } = await hostileNetwork('any');
      const root = await directory({
        'repo/.git/HEAD': 'ref: refs/heads/main\n',
        'repo/stack/sluice.yaml': stackFile.replace('base_url: embedded', `base_url: "${elsewhere}"`),
        'repo/stack/manifests/company.yaml': company,
        'repo/operator.yaml': `version: 1\ntrusted_origins: ["${new URL(elsewhere).origin}"]\n`,
      });
      const dir = join(root, 'repo/stack');
      await copyFile(join(root, 'repo/operator.yaml'), join(dir, 'operator.yaml'));
      await symlink(join(root, 'repo/operator.yaml'), join(root, 'linked.yaml'));
      const variables = { ...env, SLUICE_OPERATOR_POLICY: file };
      const { code, err } = await sluice(dir, 'plan', { network, env: { ...variables, CI: 'true' } });
      expect([code, err, attackers.requests]).toEqual([
        8,
        `error: SLUICE_OPERATOR_POLICY: ${join(dir, file)} is inside the repository of the stack\n  use a file outside the repository, which no commit can change\n`,
        [],
      ]);
      expect((await sluice(dir, 'comment none.plan', { env: { ...variables, CI: 'true' } })).err).toContain(
        'is inside the repository of the stack',
      );
      expect((await sluice(dir, 'validate', { env: variables })).code).toBe(0);
    },
  );

  test('is read in a pipeline from another repository that was cloned into this one, and not from a submodule or through a link', async () => {
    const policy = 'version: 1\n';
    const root = await directory({
      '.git/HEAD': 'ref: refs/heads/main\n',
      'sluice.yaml': stackFile,
      'manifests/company.yaml': company,
      'cloned/.git/HEAD': 'ref: refs/heads/main\n',
      'cloned/operator.yaml': policy,
      'submodule/.git': 'gitdir: ../.git/modules/submodule\n',
      'submodule/operator.yaml': policy,
    });
    // A link of a commit decides which clone is read.
    const clone = await directory({ '.git/HEAD': 'ref: refs/heads/main\n', 'operator.yaml': policy });
    await symlink(clone, join(root, 'linked'));
    const validate = async (place: string): Promise<number> => {
      const variables = { ...env, SLUICE_OPERATOR_POLICY: `${place}/operator.yaml`, CI: 'true' };
      return (await sluice(root, 'validate', { env: variables })).code;
    };
    expect([await validate('cloned'), await validate('submodule'), await validate('linked')]).toEqual([0, 8, 8]);
  });

  test.each([
    ['trusted_origins: ["https://api.example.com/v1"]', 'must be a URL of only a scheme and a host'],
    ['block: [OPEN_ACCESS]', 'must be'],
    ['max_deletes: most', 'must be'],
  ])('is refused with 8: %s', async (policy, message) => {
    const { code, err } = await withOperator(await changed(''), 'plan', policy);
    expect([code, err]).toEqual([8, expect.stringContaining(message)]);
  });
});
