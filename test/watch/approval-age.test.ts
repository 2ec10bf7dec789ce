import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileDocument } from '../../src/state/file/file-document.ts';
import { recordApproval } from '../../src/watch/operator-requests.ts';
import { address, addresses } from './company-files.ts';
import { rig, start, type Rig } from './rig.ts';

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

test.each([
  ['command', 'damaged', '{'],
  ['commit', 'damaged', '{'],
  ['commit', 'removed', undefined],
])('an approval by %s does not count again after the record of used approvals was %s', async (way, _, left) => {
  const files = { 'a.yaml': addresses('mqtt') };
  const first = rig(files, { applyOnChange: false });
  const digest = (await first.until(({ awaited }) => awaited !== undefined)).awaited?.digest ?? '';
  const approve = async (watch: typeof first): Promise<void> => {
    const commit = { commit: 'c'.repeat(40), subject: 'Approve', digest, at: first.now(), signature: { by: 'ada' } };
    if (way === 'commit') watch.commits([commit]);
    else await watch.approve(digest);
  };
  await first.pass(60_000);
  await approve(first);
  await first.until(({ pending, nextRefresh }) => pending.length === 0 && nextRefresh !== undefined);
  await first.stop();
  const path = join(first.dir, 'watch-state.json');
  if (left === undefined) rmSync(path);
  else writeFileSync(path, left);
  await first.byHand('DELETE', 'ReservedAddr/mqtt');
  await first.pass(60_000);
  first.write({ 'a.yaml': `${addresses('mqtt')}# the same again\n` });
  first.account.loseState();
  const watch = first.another();
  const status = await watch.rests();
  expect(status.awaited?.digest).toBe(digest);
  expect(status.approvalGiven).toBeUndefined();
  expect(status.refusedApproval).toMatch(
    /^(?:the approval by|commit c+) .*older than the record of used approvals, .*; approve the changes again$/,
  );
  await watch.pass(60_000);
  await approve(watch);
  await watch.until(({ pending, nextRefresh }) => pending.length === 0 && nextRefresh !== undefined);
});

test('a record that was lost by a clock that was ahead keeps no approval from counting once the clock is right', async () => {
  const first = rig({ 'a.yaml': addresses('mqtt') }, { applyOnChange: false });
  await first.until(({ awaited, nextRefresh }) => awaited !== undefined && nextRefresh !== undefined);
  await first.stop();
  writeFileSync(join(first.dir, 'watch-state.json'), '{');
  first.setWall(365 * day);
  const watch = first.another();
  await watch.rests();
  first.setWall(-365 * day);
  await watch.pass(600_000);
  await watch.approve();
  await watch.until(() => watch.spec('ReservedAddr/mqtt') !== undefined);
});

/** A watch whose change from A to B was approved by `way`, and from B to A by a command, so that A to B is the same change again. */
async function thereAndBack(way: (watch: Rig, digest: string) => void | Promise<void>): Promise<[Rig, string]> {
  const watch = rig({ 'a.yaml': address('mqtt', 'A') }, { applyOnChange: false });
  await watch.rests();
  await watch.approve();
  await watch.until(({ awaited, nextRefresh }) => awaited === undefined && nextRefresh !== undefined);
  watch.write({ 'a.yaml': address('mqtt', 'B') });
  const digest = (await watch.rests()).awaited?.digest ?? '';
  await way(watch, digest);
  await watch.until(() => watch.spec('ReservedAddr/mqtt')?.['description'] === 'B');
  watch.write({ 'a.yaml': address('mqtt', 'A') });
  await watch.rests();
  await watch.approve();
  await watch.until(() => watch.spec('ReservedAddr/mqtt')?.['description'] === 'A');
  return [watch, digest];
}

const commitOf = (digest: string, at: number) => ({
  ...{ commit: 'c'.repeat(40), subject: 'Approve', digest, at, signature: { by: 'ada' } },
});

test('a command approves the same changes again, though the clock of its machine is behind the time of the first approval', async () => {
  const [watch, digest] = await thereAndBack((one) => one.approve());
  watch.write({ 'a.yaml': address('mqtt', 'B') });
  expect((await watch.rests()).awaited?.digest).toBe(digest);
  const document = (name: string) => fileDocument(join(watch.dir, `${name}.json`));
  await recordApproval({ document }, { digest, by: 'ada', at: watch.now() - 3_600_000 });
  await watch.until(() => watch.spec('ReservedAddr/mqtt')?.['description'] === 'B');
});

test('a commit that approves what was approved and applied after it was made is reported as unused', async () => {
  const [watch, digest] = await thereAndBack((one) => one.approve());
  watch.commits([commitOf(digest, start)]);
  await watch.rests();
  expect(watch.log.filter((line) => line.startsWith('warn approval-unused'))).toHaveLength(1);
});

test('a commit that was dated ahead does not count again in the last hour of its week', async () => {
  const [first, digest] = await thereAndBack((watch, one) => watch.commits([commitOf(one, watch.now() + 1_800_000)]));
  await first.stop();
  await first.pass(7 * day - 600_000);
  first.write({ 'a.yaml': address('mqtt', 'B') });
  const watch = first.another();
  expect((await watch.rests()).awaited?.digest).toBe(digest);
  await watch.pass(1_200_000);
  expect(watch.status().awaited?.digest).toBe(digest);
});
