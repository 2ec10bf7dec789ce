import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { kinds } from '../src/kinds/index.ts';
import type { Plan } from '../src/model/plan/plan.ts';
import { jsonText } from '../src/render/text/json-text.ts';
import { planJson } from '../src/render/plan/plan-json.ts';
import { goldenAccounts } from './render/golden-accounts.ts';
import { backend, oauth, planOf } from './plan/support.ts';
import { goldenPlan } from './render/golden-plan.ts';
import { skippedWithout } from './support/skipped-without.ts';

const policy = fileURLToPath(new URL('../examples/policy/guarded-routes.mjs', import.meta.url));

const withoutOpa = skippedWithout('opa', spawnSync('opa', ['version']).status === 0);

describe('the policy in examples/policy, which reads resource_changes as a policy on Terraform plans does', () => {
  test.each([
    ['a-guarded-route-is-created', 0],
    ['all-is-as-it-should-be', 0],
    ['a-guard-is-swapped', 0],
    ['an-edge-goes-with-its-routes', 0],
    ['an-edge-is-created', 1],
    ['a-guard-is-removed', 1],
  ])('on %s ends with %i', async (shows, status) => {
    const account = goldenAccounts.find((one) => one.shows === shows);
    if (account === undefined) throw new Error(`no account shows ${shows}`);
    const { status: ended, stderr } = judge(await goldenPlan(account));
    expect([ended, stderr]).toEqual([
      status,
      status === 0
        ? ''
        : 'HTTPSEdgeRoute/shop:/: a route needs one of oauth, oidc, saml, webhook_verification, ip_restriction\n',
    ]);
  });
});

test('the policies in Rego compare with verdicts and codes that plans have', () => {
  const schema = readFileSync('schemas/plan.schema.json', 'utf8');
  const policies = readdirSync('examples/policy').filter((name) => name.endsWith('.rego'));
  const words = policies.flatMap((name) => [
    ...readFileSync(`examples/policy/${name}`, 'utf8').matchAll(/\.(?:verdict|code) == "(\w+)"/g),
  ]);
  expect(words.length).toBeGreaterThan(1);
  expect(words.map(([, word = '']) => word).filter((word) => !schema.includes(`"${word}"`))).toEqual([]);
});

describe.skipIf(withoutOpa !== '')(`the policies in Rego, run by OPA${withoutOpa}`, () => {
  test.each(goldenAccounts.filter((_, index) => index % 6 === 0))(
    'decide as the one without OPA: $shows',
    async (one) => {
      const plan = await goldenPlan(one);
      expect(
        denied('guarded-routes.rego', plan)
          .map((line) => `${line}\n`)
          .join(''),
      ).toBe(judge(plan).stderr);
    },
  );

  test('deny a plan that breaks an access rule, and one that makes something public', () => {
    const rule = {
      name: 'admin',
      urls: ['*.example.com/admin*'],
      require: ['named_users'],
      exceptMethods: [],
    } as const;
    const edge = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };
    const policy = {
      maxDeletes: { count: 9 },
      block: [],
      access: [{ source: 'repository', rules: [rule], exceptions: [], strict: false }],
    } as const;
    const wanted = { ...edge, 'HTTPSEdgeRoute/shop:/admin': { ...backend, ...oauth } };
    const broken =
      'access rule admin is broken: GET https://shop.example.com/admin/x reaches HTTPSEdgeRoute/shop:/admin without authentication of named users';
    expect(denied('access-rules.rego', planOf({ ours: edge, wanted, policy }))).toEqual([broken]);
    expect(denied('access-rules.rego', planOf({ ours: edge, wanted }))).toEqual([]);
    const open = { ...edge, 'HTTPSEdgeRoute/shop:/docs': backend };
    expect(denied('access-rules.rego', planOf({ ours: edge, wanted: open }))).toEqual([
      'https://shop.example.com/docs… becomes public: HTTPSEdge/shop',
    ]);
    const office = { ip_restriction: { ip_policy_ids: ['ipp_office'] } };
    const [ours, instead] = [oauth, office].map((one) => ({
      ...edge,
      'HTTPSEdgeRoute/shop:/docs': { ...backend, ...one },
    }));
    expect(denied('access-rules.rego', planOf({ ours: ours ?? {}, wanted: instead ?? {} }))).toEqual([
      'https://shop.example.com/docs… no longer requires a sign-in: HTTPSEdgeRoute/shop:/docs',
    ]);
  });
});

/** What a policy denies, as OPA evaluates it. */
function denied(name: string, plan: Plan): string[] {
  const file = fileURLToPath(new URL(`../examples/policy/${name}`, import.meta.url));
  const { status, stdout, stderr } = spawnSync(
    'opa',
    ['eval', '--stdin-input', '--data', file, '--format', 'raw', 'data.main.deny'],
    { input: jsonText(planJson(plan, { kinds })), encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as string[];
}

function judge(plan: Plan): { readonly status: number | null; readonly stderr: string } {
  return spawnSync(process.execPath, [policy], { input: jsonText(planJson(plan, { kinds })), encoding: 'utf8' });
}
