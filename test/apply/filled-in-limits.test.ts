/* A service that answers limits of its own where requests leave them out: nothing is left to do after the first apply. */
import { expect, test } from 'vitest';
import { isEmptyPlan } from '../../src/model/plan/plan.ts';
import { harness } from '../support/harness.ts';

const manifests = (more = '', breaker = '') => ({
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
      circuit_breaker: {${breaker}}
      oauth: {provider: {google: {}}${more}}
`,
});

test.each([
  { path: 'oauth.maximum_duration', usual: 0 },
  { path: 'circuit_breaker.rolling_window', usual: 10 },
])('$path that the service fills in is applied once, and is drift once it is another', async ({ path, usual }) => {
  const walk = harness();
  const [module = '', name = ''] = path.split('.');
  let limit = 1800;
  walk.emulator.intercept(async (_exchange, next) => {
    const answer = await next();
    return { ...answer, body: answer.body.replaceAll(`"${name}":${usual}`, `"${name}":${limit}`) };
  });
  await walk.converge(manifests());
  expect(walk.state()?.entries['HTTPSEdgeRoute/shop:/']?.filledIn).toEqual({ [`/${module}/${name}`]: 1800 });
  await walk.converge(manifests(', options_passthrough: true'));
  limit = 9999;
  const { plan } = await walk.plan(manifests(', options_passthrough: true'));
  expect(isEmptyPlan(plan)).toBe(false);
  expect(plan.changes.flatMap(({ fields }) => fields.map(({ path, reason }) => `${reason} ${path.join('.')}`))).toEqual(
    [`drifted ${path}`],
  );
});

test('the usual number of a circuit breaker is applied where a manifest writes it out, whatever the service fills in', async () => {
  const walk = harness();
  let filledIn = 30;
  walk.emulator.intercept(async ({ body }, next) => {
    const answer = await next();
    if (body.includes('rolling_window')) filledIn = 10;
    return { ...answer, body: answer.body.replaceAll('"rolling_window":10', `"rolling_window":${filledIn}`) };
  });
  await walk.converge(manifests());
  const written = manifests('', 'rolling_window: 10');
  const { plan } = await walk.plan(written);
  expect(plan.changes.flatMap(({ fields }) => fields.map(({ path }) => path.join('.')))).toEqual([
    'circuit_breaker.rolling_window',
  ]);
  await walk.converge(written);
  expect(walk.state()?.entries['HTTPSEdgeRoute/shop:/']?.filledIn).toBeUndefined();
});
