import { expect, test } from 'vitest';
import { createEmulator } from '../../../src/emulator/emulator.ts';
import { unverifiedSecrets } from '../../../src/plan/warnings/unverified-secrets.ts';
import { kinds } from '../../../src/kinds/index.ts';
import { planJson } from '../../../src/render/plan/plan-json.ts';
import { planSummary } from '../../../src/render/plan/plan-summary.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { planMarkdown } from '../../../src/render/plan/plan-markdown.ts';
import { harness, printed } from '../../support/harness.ts';

const manifest = (secret: string) => ({
  'shop.yaml': `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  routes:
    - {match_type: path_prefix, match: /, webhook_verification: {provider: GitHub, secret: ${secret}}}
`,
});

test('a secret that is masked and in no state is counted and listed, and with a state it is not', async () => {
  const walk = harness({ emulator: createEmulator({ seed: 1, secrets: 'masked' }) });
  await walk.converge(manifest('first-secret'));
  const { plan: known } = await walk.plan(manifest('first-secret'));
  expect(planSummary(known)).toBe('No changes. 2 resources in sync.');
  const { plan } = await walk.plan(manifest('other-secret'), { withoutState: true });
  expect(planSummary(plan)).toBe('No changes. 2 resources in sync. 1 secret not verified.');
  const unverified = [{ address: 'HTTPSEdgeRoute/shop:/', field: '/webhook_verification/secret' }];
  expect(unverifiedSecrets(plan)).toEqual(unverified);
  expect(planJson(plan, { kinds })).toMatchObject({
    unverified_secrets: unverified,
    summary: { unverified_secrets: 1 },
  });
});

test.each(['masked', 'empty'] as const)(
  'a secret that the service shows %s is never printed as not set',
  async (secrets) => {
    const walk = harness({ emulator: createEmulator({ seed: 1, secrets }) });
    await walk.converge(manifest('first-secret'));
    const { plan: changed } = await walk.plan(manifest('other-secret'));
    const { plan: sentAgain } = await walk.plan(manifest('other-secret'), { withoutState: true, resendSecrets: true });
    const difference = (plan: Plan) => /secret: (.* -> .*\))  /.exec(printed(plan))?.[1];
    expect([difference(changed), difference(sentAgain)]).toEqual(
      secrets === 'masked'
        ? ['(secret) -> (secret, changed)', '(value not readable) -> (secret)']
        : ['(value not readable) -> (secret, changed)', '(value not readable) -> (secret)'],
    );
    for (const plan of [changed, sentAgain])
      for (const text of [
        printed(plan),
        planMarkdown(plan, { kinds, platform: 'github', digest: '', time: '' }),
        JSON.stringify(planJson(plan, { kinds })),
      ])
        expect(text).not.toContain('(not set)');
  },
);

test('a secret that was left out before is printed as not set', async () => {
  const walk = harness({ emulator: createEmulator({ seed: 1, secrets: 'clear' }) });
  const text = manifest('first-secret')['shop.yaml'].replace('GitHub', 'SNS');
  await walk.converge({ 'shop.yaml': text.replace(/, secret: [\w-]+/, '') });
  const { plan } = await walk.plan({ 'shop.yaml': text });
  expect(printed(plan)).toContain('secret: (not set) -> (secret)');
});

test('a secret that could not be verified stays unverified, and is not taken for one that is new', async () => {
  const walk = harness({ emulator: createEmulator({ seed: 1, secrets: 'empty' }) });
  await walk.converge(manifest('first-secret'));
  walk.loseState();
  await walk.converge(manifest('first-secret'));
  const { plan } = await walk.plan(manifest('other-secret'));
  expect(planSummary(plan)).toBe('No changes. 2 resources in sync. 1 secret not verified.');
});
