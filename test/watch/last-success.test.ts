import { expect, test } from 'vitest';
import { addresses } from './company-files.ts';
import { rig } from './rig.ts';

test('a stack was in sync last before a change began to wait, however often it is compared meanwhile', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  const { lastSuccess } = await watch.until(
    (status) => status.lastSuccess !== undefined && status.pending.length === 0,
  );
  watch.set({ applyOnChange: false });
  watch.write({ 'a.yaml': addresses('mqtt', 'ssh') });
  const waiting = await watch.until(({ awaited }) => awaited !== undefined);
  const seen = waiting.lastRefresh ?? 0;
  await watch.until(({ lastRefresh = 0 }) => lastRefresh > seen);
  expect(watch.status().lastSuccess ?? 0).toBeLessThan(seen);
  expect(watch.status().lastSuccess ?? 0).toBeGreaterThanOrEqual(lastSuccess ?? 0);
  await watch.approve();
  await watch.until(({ pending, lastSuccess: last = 0 }) => pending.length === 0 && last > seen);
});
