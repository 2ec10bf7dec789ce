import { expect, test } from 'vitest';
import { gapsIn } from '../../support/front-door.ts';
import { harness } from '../../support/harness.ts';
import { readAfterEachWrite } from '../../support/write-readings.ts';

const stack = (root: string, next: string, now: string) => ({
  'stack.yaml': `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  routes:
    - {match_type: path_prefix, match: /${root}}
    - {name: next, match_type: path_prefix, match: ${next}, backend: {backend_id: bkd_next}, ip_restriction: {ip_policy_ids: [ipp_office]}}
    - {name: now, match_type: path_prefix, match: ${now}, backend: {backend_id: bkd_now}, ip_restriction: {ip_policy_ids: [ipp_office]}}
`,
});

// So a run begins that takes up what another has left in the middle; the fault matrix found it.
test('what catches everything gets a backend only after two restricted routes have traded their matches', async () => {
  const walk = harness();
  await walk.converge(stack('', '/next', '/now'));
  const { plan } = await walk.plan(stack(', backend: {backend_id: bkd_shop}', '/now', '/next'));
  const watch = readAfterEachWrite(walk.emulator, 1);
  await walk.apply(plan);
  watch.stop();
  expect(plan.hazards.filter(({ code, temporary }) => code === 'OPENS_ACCESS' && temporary === true)).toEqual([]);
  expect(gapsIn(watch.readings)).toEqual([]);
});
