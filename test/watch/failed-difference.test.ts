import { expect, test } from 'vitest';
import { statusPage } from '../support/status-page.ts';
import { address } from './company-files.ts';
import { rig } from './rig.ts';

const shown = 'description: Brokers -';

test('what a failed update was to change is shown while it is retried, and during the retry', async () => {
  const watch = rig({ 'a.yaml': address('mqtt', 'Brokers') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  watch.account.emulator.intercept((exchange, next) =>
    exchange.method === 'PATCH' ? { status: 503, headers: {}, body: '{}' } : next(),
  );
  watch.write({ 'a.yaml': address('mqtt', 'Queues') });
  const failed = await watch.until(({ failures, pending }) => failures.length > 0 && pending.length > 0);
  expect(failed.failures[0]?.details).toContain(shown);
  expect(statusPage(failed).html).toContain(`<pre class="difference" tabindex="0">${shown}`);
  // During the retry it is not pending.
  expect(statusPage({ ...failed, pending: [] }).html).toContain(`<pre class="difference" tabindex="0">${shown}`);
});
