import { expect, test } from 'vitest';
import type { Policy } from '../../src/model/stack.ts';
import type { WatchStatus } from '../../src/model/status/watch-status.ts';
import { statusJson } from '../../src/render/status/status-json.ts';
import { statusPage } from '../support/status-page.ts';
import { createNotificationDedup } from '../../src/watch/notify/notification-dedup.ts';
import { metricsTextOf } from './metrics-text.ts';

import { shop } from './company-files.ts';
import { rig, type Rig } from './rig.ts';

const front = 'HTTPSEdgeRoute/shop:front';
const broken = `access rule staff (set by the operator policy) is broken: GET https://shop.example.com/x reaches ${front} without authentication`;
const policy: Policy = {
  maxDeletes: { count: 9 },
  block: [],
  access: [
    {
      source: 'operator',
      rules: [{ name: 'staff', urls: ['*.example.com/*'], require: ['authentication'], exceptMethods: [] }],
      exceptions: [],
      strict: false,
      placeOf: () => ({ file: 'policy.yaml', line: 3, col: 7 }),
    },
  ],
};

/** A watch of a shop whose rule holds, until somebody disables the sign-in in the account. */
async function opened(healDrift: boolean): Promise<{ readonly watch: Rig; readonly reported: readonly string[] }> {
  const watch = rig({ 'a.yaml': shop(['example.com']) }, { policy, healDrift });
  await watch.rests();
  expect(watch.status().ruleBreaches).toEqual([]);
  const dedup = createNotificationDedup();
  const reported: string[] = [];
  const tell = (): void => {
    for (const { event, items } of dedup(watch.status(), watch.now()))
      reported.push(...items.map(({ message }) => `${event}: ${message}`));
  };
  tell();
  await watch.byHand('PATCH', front, { oauth: { provider: { google: {} }, enabled: false } });
  await watch.until(({ ruleBreaches }) => ruleBreaches.length > 0);
  tell();
  return { watch, reported };
}

test('a rule that drift breaks is on the page, in JSON and in the metrics, with a request that shows it', async () => {
  const { watch } = await opened(false);
  const status = watch.status();
  expect(statusJson(status).rule_breaches).toEqual([
    {
      rule: 'staff',
      set_by: 'operator',
      address: front,
      request: 'GET https://shop.example.com/x',
      message: broken,
      source: { file: 'a.yaml', line: expect.any(Number) as number, column: expect.any(Number) as number },
      rule_source: { file: 'policy.yaml', line: 3, column: 7 },
    },
  ]);
  expect(metricsTextOf(status)).toMatch(/^sluice_access_rule_breaches\{stack="[^"]+"\} 1$/m);
  const { html } = statusPage(status);
  expect(html).toContain('1 access rule is broken');
  expect(html).toContain('<section id="rules" class="panel bad">');
  expect(html).toMatch(/Route: <code class="place">a\.yaml:\d+<\/code>/);
  expect(html).toContain('Rule: <code class="place">policy.yaml:3</code>');
  expect(html).toMatch(/<section id="reach">.*anyone.*https:\/\/shop.example.com\/…/s);
});

test('a rule that drift breaks is notified once', async () => {
  const { watch, reported } = await opened(false);
  const first = `rule-broken: ${broken}`;
  expect(reported).toContain(first);
  await watch.pass(3_600_000);
  expect(watch.status().ruleBreaches).toHaveLength(1);
  expect(reported.filter((line) => line === first)).toHaveLength(1);
});

test('once the drift is repaired, the account is read again at once, and the rule holds', async () => {
  const { watch, reported } = await opened(true);
  expect(reported).toContain(`rule-broken: ${broken}`);
  const since = watch.now();
  const repaired: WatchStatus = await watch.until(({ ruleBreaches }) => ruleBreaches.length === 0);
  expect(repaired.now - since).toBeLessThan(5_000);
  expect(watch.spec(front)).not.toMatchObject({ oauth: { enabled: false } });
});
