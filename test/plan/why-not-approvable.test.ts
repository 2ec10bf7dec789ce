import { expect, test } from 'vitest';
import { kinds } from '../../src/kinds/index.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import type { Verification } from '../../src/model/verification.ts';
import { whyNotApprovable } from '../../src/plan/why-not-approvable.ts';
import { planJson } from '../../src/render/plan/plan-json.ts';
import { planMarkdown } from '../../src/render/plan/plan-markdown.ts';
import { harness } from '../support/harness.ts';
import { loadText } from '../support/load-text.ts';

const hook = {
  'hook.yaml': `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  description: {from_env: NOTE}
  routes:
    - {match_type: path_prefix, match: /, webhook_verification: {provider: github, secret: {from_env: HOOK}}}
`,
};

test('a plan is approvable, and its comment reports that nothing blocks it, with the values that it writes, and not where they are not available', async () => {
  const walk = harness();
  const planned = async (env: Readonly<Record<string, string>>) => {
    const options = { kinds, profile: walk.profile, env, missingValues: 'warning' } as const;
    return (await walk.plan(await loadText(hook, options))).plan;
  };
  const comment = (plan: Plan, verified?: Verification): string =>
    planMarkdown(plan, { kinds, platform: 'github', digest: 'sha256:1', time: 'now', verified });
  const whole = await planned({ HOOK: 'k', NOTE: 'n' });
  expect(whyNotApprovable(whole)).toEqual([]);
  expect(comment(whole)).toContain('\n\nNothing blocks this plan.\n\nDigest');
  const fails = { converges: false, requests: 1, failures: [], remaining: [], assumptions: [] };
  for (const other of [comment(whole, fails), comment({ ...whole, changes: [] })])
    expect(other).not.toContain('Nothing blocks');

  const plan = await planned({ NOTE: 'n' });
  expect(whyNotApprovable(plan)).toEqual([{ code: 'VALUES_UNAVAILABLE', count: 1 }]);
  expect(planJson(plan, { kinds }).not_approvable).toEqual([
    { code: 'VALUES_UNAVAILABLE', message: '1 value is not available' },
  ]);
  expect(comment(plan)).toContain('Not approvable: 1 value is not available.\n\nDigest');
  expect(comment(plan)).not.toContain('Nothing blocks');
  expect(whyNotApprovable(await planned({}))).toEqual([{ code: 'VALUES_UNAVAILABLE', count: 2 }]);
});
