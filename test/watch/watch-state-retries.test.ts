import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { approvalObstacle } from '../../src/model/status/approval-obstacle.ts';
import type { WatchFailure } from '../../src/model/status/watch-status.ts';
import { addresses } from './company-files.ts';
import type { DocumentName, KeptDocument } from '../../src/state/backend.ts';
import { fileDocument } from '../../src/state/file/file-document.ts';
import { recordApproval } from '../../src/watch/operator-requests.ts';
import { rig, type Rig } from './rig.ts';

const failureOf = ({ status }: Rig): WatchFailure | undefined =>
  status().failures.find(({ scope }) => scope === 'watch-state');

const attemptsIn = ({ log }: Rig): number => log.filter((line) => line.includes('failed: watch state:')).length;

test('a watch state that cannot be written is written at the scheduled time, and not before', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  const path = join(watch.dir, 'watch-state.json');
  rmSync(path);
  mkdirSync(path);
  watch.write({ 'a.yaml': addresses('mqtt', 'smtp') });
  await watch.until(() => failureOf(watch) !== undefined);
  await watch.rests();
  expect(failureOf(watch)?.attempts).toBe(1);
  expect(attemptsIn(watch)).toBe(1);
  for (const attempts of [2, 3]) {
    const due = failureOf(watch)?.nextAttempt ?? 0;
    await watch.until(() => attemptsIn(watch) === attempts);
    expect(watch.now()).toBeGreaterThanOrEqual(due);
    expect(watch.now()).toBeLessThan(due + 1_000);
    await watch.rests();
    expect(attemptsIn(watch)).toBe(attempts);
  }
  rmSync(path, { recursive: true });
  await watch.until(() => failureOf(watch) === undefined);
  expect(readFileSync(path, 'utf8')).toContain('ReservedAddr/smtp');
});

test('what was to be written, and is as it was before, is no failure any more', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') }, { applyOnChange: false });
  await watch.until(({ nextRefresh, awaited }) => nextRefresh !== undefined && awaited !== undefined);
  const path = join(watch.dir, 'watch-state.json');
  rmSync(path);
  mkdirSync(path);
  watch.write({ 'a.yaml': addresses('mqtt', 'smtp') });
  await watch.until(() => failureOf(watch) !== undefined);
  rmSync(path, { recursive: true });
  watch.write({ 'a.yaml': addresses('mqtt') });
  await watch.rests();
  expect(failureOf(watch)).toBeUndefined();
});

test('what was approved takes effect when the watch state can be written again, and not before', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  const path = join(watch.dir, 'watch-state.json');
  const text = readFileSync(path, 'utf8');
  rmSync(path);
  mkdirSync(path);
  watch.set({ applyOnChange: false });
  watch.write({ 'a.yaml': addresses('mqtt', 'smtp') });
  await watch.until(() => failureOf(watch) !== undefined);
  const waiting = await watch.rests();
  expect(approvalObstacle(waiting)).toBe('unsaved');
  await expect(watch.approve()).rejects.toMatchObject({ code: 'WATCH_STATE_UNREADABLE' });
  const requests = fileDocument(join(watch.dir, 'watch-requests.json'));
  const document = (name: DocumentName): KeptDocument =>
    name === 'watch-requests' ? requests : { ...requests, read: () => Promise.resolve({ text }) };
  await recordApproval({ document }, { digest: waiting.awaited?.digest ?? '', by: 'ada', at: watch.now() });
  await watch.rests();
  expect(watch.spec('ReservedAddr/smtp')).toBeUndefined();
  rmSync(path, { recursive: true });
  const due = failureOf(watch)?.nextAttempt ?? 0;
  await watch.until(() => watch.spec('ReservedAddr/smtp') !== undefined);
  expect(watch.now()).toBeLessThan(due + 2_000);
});

test('an approval that cannot be recorded as used does not take effect, or it would count a second time', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') }, { applyOnChange: false });
  await watch.until(({ nextRefresh, awaited }) => nextRefresh !== undefined && awaited !== undefined);
  await watch.rests();
  const path = join(watch.dir, 'watch-state.json');
  await watch.approve();
  renameSync(path, `${path}-away`);
  mkdirSync(path);
  await watch.until(() => failureOf(watch) !== undefined);
  expect((await watch.rests()).awaited).toBeDefined();
  expect(watch.writes()).toEqual([]);
  expect(watch.log.filter((line) => line.includes('approved by'))).toEqual([]);
  rmSync(path, { recursive: true });
  renameSync(`${path}-away`, path);
  await watch.until(() => watch.spec('ReservedAddr/mqtt') !== undefined);
  expect(watch.status().history[0]?.approvals).toMatchObject([{ by: 'ada' }]);
});

test('a watch state that can be read only later shows at once what waits for approval now, and not what did when it was written', async () => {
  const first = rig({ 'a.yaml': addresses('mqtt') }, { applyOnChange: false });
  const before = await first.until(({ nextRefresh, awaited }) => nextRefresh !== undefined && awaited !== undefined);
  await first.stop();
  const path = join(first.dir, 'watch-state.json');
  renameSync(path, `${path}-away`);
  mkdirSync(path);
  first.write({ 'a.yaml': addresses('mqtt', 'smtp') });
  const watch = first.another();
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined && failureOf(watch) !== undefined);
  rmSync(path, { recursive: true });
  renameSync(`${path}-away`, path);
  await watch.until(() => failureOf(watch) === undefined);
  const { awaited } = await watch.rests();
  expect(awaited?.digest).not.toBe(before.awaited?.digest);
  // Not the page of the process before it.
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ url: 'http://10.0.0.2:9470/' });
  await watch.approve();
  await watch.rests();
  expect(watch.spec('ReservedAddr/smtp')).toBeDefined();
});

test('a watch state that is as it was is not written again', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  await watch.rests();
  const path = join(watch.dir, 'watch-state.json');
  const { ino, mtimeMs } = statSync(path);
  const before = watch.status().lastRefresh;
  await watch.until(({ lastRefresh }) => lastRefresh !== before);
  await watch.rests();
  expect(statSync(path)).toMatchObject({ ino, mtimeMs });
});

test.each(['removed', 'damaged', 'replaced by that of an earlier time'])(
  'a watch state that was %s is written again at the next refresh, so that what waits can be approved',
  async (what) => {
    const watch = rig({ 'a.yaml': addresses('mqtt') }, { applyOnChange: false });
    await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
    const refreshed = async (): Promise<void> => {
      const { lastRefresh: before } = watch.status();
      await watch.until(({ lastRefresh, nextRefresh }) => nextRefresh !== undefined && lastRefresh !== before);
      await watch.rests();
    };
    for (const _ of [1, 2]) await refreshed();
    const path = join(watch.dir, 'watch-state.json');
    const text = readFileSync(path, 'utf8');
    rmSync(path);
    if (what === 'damaged') writeFileSync(path, '{');
    else if (what !== 'removed') writeFileSync(path, text.replace(/"salt":"./, '"salt":"_'));
    await refreshed();
    await watch.approve();
    await watch.rests();
    expect(watch.spec('ReservedAddr/mqtt')).toBeDefined();
    expect(readFileSync(path, 'utf8')).toContain(/"salt":"\w+"/.exec(text)?.[0]);
  },
);

test('who has lost the lock during an apply leaves the watch state to the next leader', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  const release = watch.holdUp('POST');
  watch.write({ 'a.yaml': addresses('mqtt', 'smtp') });
  await watch.until(({ applying }) => applying !== undefined);
  const path = join(watch.dir, 'watch-state.json');
  const saved = readFileSync(path, 'utf8');
  watch.rob();
  release();
  await watch.until(({ role }) => role === 'standby');
  expect(readFileSync(path, 'utf8')).toBe(saved);
});
