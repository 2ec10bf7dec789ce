import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { kinds } from '../src/kinds/index.ts';
import type { Plan } from '../src/model/plan.ts';
import { jsonText } from '../src/render/text/json-text.ts';
import { planJson } from '../src/render/plan/plan-json.ts';
import { goldenAccounts } from './render/golden-accounts.ts';
import { goldenPlan } from './render/golden-plan.ts';

const policy = fileURLToPath(new URL('../examples/policy/guarded-routes.mjs', import.meta.url));

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

function judge(plan: Plan): { readonly status: number | null; readonly stderr: string } {
  return spawnSync(process.execPath, [policy], { input: jsonText(planJson(plan, { kinds })), encoding: 'utf8' });
}
