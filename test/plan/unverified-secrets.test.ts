import { expect, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { unverifiedSecrets } from '../../src/plan/unverified-secrets.ts';
import { kinds } from '../../src/kinds/index.ts';
import { planJson } from '../../src/render/plan/plan-json.ts';
import { planSummary } from '../../src/render/plan/plan-summary.ts';
import { harness } from '../support/harness.ts';

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
