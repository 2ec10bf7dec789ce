/* A service that answers limits of its own where requests leave them out: nothing is left to do after the first apply. */
import { expect, test } from 'vitest';
import { isEmptyPlan } from '../../src/model/plan/plan.ts';
import { harness } from '../support/harness.ts';

const manifests = (more = '') => ({
  'shop.yaml': `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  tls_termination: {}
  routes:
    - match_type: path_prefix
      match: /
      backend: {backend_id: bkd_1}
      oauth: {provider: {google: {}}${more}}
`,
});

test('a session limit that the service fills in is applied once, and is drift once it is another', async () => {
  const walk = harness();
  let limit = 1800;
  walk.emulator.intercept(async (_exchange, next) => {
    const answer = await next();
    return { ...answer, body: answer.body.replaceAll('"maximum_duration":0', `"maximum_duration":${String(limit)}`) };
  });
  await walk.converge(manifests());
  expect(walk.state()?.entries['HTTPSEdgeRoute/shop:/']?.filledIn).toEqual({ '/oauth/maximum_duration': 1800 });
  await walk.converge(manifests(', options_passthrough: true'));
  limit = 9999;
  const { plan } = await walk.plan(manifests(', options_passthrough: true'));
  expect(isEmptyPlan(plan)).toBe(false);
  expect(plan.changes.flatMap(({ fields }) => fields.map(({ path, reason }) => `${reason} ${path.join('.')}`))).toEqual(
    ['drifted oauth.maximum_duration'],
  );
});
