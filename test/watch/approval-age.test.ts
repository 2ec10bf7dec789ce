import { expect, test } from 'vitest';
import { addresses } from './company-files.ts';
import { rig } from './rig.ts';

const day = 86_400_000;

test.each([
  ['counts for a watch that starts within a week', 6, true],
  ['does not count for one that starts later', 8, false],
])('an approval that no watch has read %s', async (_, days, counts) => {
  const first = rig({ 'a.yaml': addresses('mqtt') }, { applyOnChange: false });
  const { awaited } = await first.until(
    ({ nextRefresh, awaited: one }) => nextRefresh !== undefined && one !== undefined,
  );
  await first.stop();
  await first.approve(awaited?.digest);
  await first.pass(days * day);
  const watch = first.another();
  const status = await watch.rests();
  expect(watch.spec('ReservedAddr/mqtt') !== undefined).toBe(counts);
  expect([status.awaited?.digest, status.approvalGiven]).toEqual([counts ? undefined : awaited?.digest, undefined]);
});
