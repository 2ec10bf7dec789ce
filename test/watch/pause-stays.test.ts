import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { fileDocument } from '../../src/state/file/file-document.ts';
import type { OperatorRequests } from '../../src/watch/operator-requests.ts';
import { recordPause } from '../../src/watch/operator-requests.ts';
import { resumeRig } from './resume-rig.ts';
import { rig, type Rig } from './rig.ts';

const files = { 'a.yaml': 'apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: mqtt}\nspec: {}\n' };
const hour = 3_600_000;

const pauseRig = ({ dir, now }: Rig, pause: OperatorRequests['pause'] = { until: now() + hour, at: now() }) =>
  recordPause({ document: (name) => fileDocument(join(dir, `${name}.json`)) }, pause, now());

/** A watch that is paused, and the file of its requests. */
async function paused(): Promise<{ readonly watch: Rig; readonly requests: string }> {
  const watch = rig(files);
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  await pauseRig(watch);
  await watch.until(({ role }) => role === 'paused');
  return { watch, requests: join(watch.dir, 'watch-requests.json') };
}

test('a pause whose file is deleted continues after a restart, until somebody resumes', async () => {
  const { watch, requests } = await paused();
  await watch.stop();
  rmSync(requests);
  const again = watch.another();
  expect((await again.rests()).role).toBe('paused');
  expect(again.log.join('\n')).toContain('warn pause-kept: the pause was removed from ');
  await resumeRig(again);
  expect((await again.pass(10_000)).role).toBe('leader');
});

test('a pause that ended while no watch ran does not continue', async () => {
  const { watch } = await paused();
  await watch.stop();
  await resumeRig(watch);
  await watch.another().until(({ nextRefresh }) => nextRefresh !== undefined);
});

test('a pause whose time is over does not continue after a restart', async () => {
  const { watch, requests } = await paused();
  await watch.stop();
  rmSync(requests);
  watch.setWall(2 * hour);
  await watch.another().until(({ nextRefresh }) => nextRefresh !== undefined);
});

test('the end of an earlier pause ends no later one, not even after a restart', async () => {
  const { watch, requests } = await paused();
  const old = join(watch.dir, 'old');
  await resumeRig(watch);
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  copyFileSync(requests, old);
  await pauseRig(watch);
  await watch.until(({ role }) => role === 'paused');
  copyFileSync(old, requests);
  expect((await watch.pass(10_000)).role).toBe('paused');
  await watch.stop();
  const again = watch.another();
  expect((await again.rests()).role).toBe('paused');
  await resumeRig(again);
  expect((await again.pass(10_000)).role).toBe('leader');
});

test('an earlier, longer pause that is put back does not let the end of an earlier pause count', async () => {
  const watch = rig(files);
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  const [requests, long, end] = ['watch-requests.json', 'long', 'end'].map((name) => join(watch.dir, name)) as [
    string,
    string,
    string,
  ];
  await pauseRig(watch, { until: watch.now() + 24 * hour });
  await watch.until(({ role }) => role === 'paused');
  copyFileSync(requests, long);
  await resumeRig(watch);
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  copyFileSync(requests, end);
  await pauseRig(watch);
  await watch.until(({ role }) => role === 'paused');
  for (const file of [long, end]) {
    copyFileSync(file, requests);
    expect((await watch.pass(10_000)).role).toBe('paused');
  }
  await resumeRig(watch);
  expect((await watch.pass(10_000)).role).toBe('leader');
});

test('a standby that takes over knows of a pause whose file was deleted', async () => {
  const { watch, requests } = await paused();
  rmSync(requests);
  const standby = watch.another();
  expect((await standby.rests()).role).toBe('paused');
  await resumeRig(standby);
  await standby.until(({ role }) => role === 'leader' || role === 'standby');
});

test.each(['deleted', 'replaced by an older copy'])(
  '`resume` ends a pause that was made longer twice before its file was %s',
  async (how) => {
    const { watch, requests } = await paused();
    const old = join(watch.dir, 'old');
    copyFileSync(requests, old);
    for (const hours of [12, 24]) {
      await pauseRig(watch, { until: watch.now() + hours * hour });
      await watch.pass(10_000);
    }
    if (how === 'deleted') rmSync(requests);
    else copyFileSync(old, requests);
    expect((await watch.pass(10_000)).role).toBe('paused');
    await resumeRig(watch);
    expect((await watch.pass(10_000)).role).toBe('leader');
  },
);

test('`resume` ends a pause after somebody who cannot read the watch state has paused', async () => {
  const { watch, requests } = await paused();
  await pauseRig(watch, { until: watch.now() + 2 * hour });
  await watch.pass(10_000);
  const pause = { until: watch.now() + 24 * hour };
  writeFileSync(requests, JSON.stringify({ format: 1, pause, pauseSerial: 1, pauseProof: 'none', approvals: [] }));
  expect((await watch.pass(10_000)).role).toBe('paused');
  await resumeRig(watch);
  expect((await watch.pass(10_000)).role).toBe('leader');
});

test('a pause that no watch has read before its file was deleted is in force when a watch starts', async () => {
  const watch = rig(files);
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  await watch.stop();
  await pauseRig(watch);
  rmSync(join(watch.dir, 'watch-requests.json'));
  expect((await watch.another().rests()).role).toBe('paused');
});

test('a pause that was made longer while no watch ran keeps its end after its file is deleted', async () => {
  const { watch, requests } = await paused();
  await watch.stop();
  await pauseRig(watch, { until: watch.now() + 24 * hour });
  rmSync(requests);
  watch.setWall(2 * hour);
  expect((await watch.another().rests()).role).toBe('paused');
});

test('a pause that was made longer just before its file was deleted keeps its end', async () => {
  const { watch, requests } = await paused();
  await pauseRig(watch, { until: watch.now() + 24 * hour });
  rmSync(requests);
  expect((await watch.pass(2 * hour)).role).toBe('paused');
});

test('the end of a pause that no watch has read ends no later pause', async () => {
  const { watch, requests } = await paused();
  await watch.stop();
  await resumeRig(watch);
  const end = join(watch.dir, 'end');
  copyFileSync(requests, end);
  await pauseRig(watch);
  copyFileSync(end, requests);
  const again = watch.another();
  expect((await again.rests()).role).toBe('paused');
  await resumeRig(again);
  expect((await again.pass(10_000)).role).toBe('leader');
});

test('`resume` ends a pause during which the watch state was deleted', async () => {
  const { watch } = await paused();
  const state = join(watch.dir, 'watch-state.json');
  rmSync(state);
  await watch.pass(10_000);
  await vi.waitUntil(() => existsSync(state));
  await resumeRig(watch);
  expect((await watch.pass(10_000)).role).toBe('leader');
  expect(watch.log.filter((line) => line.startsWith('warn watch-state: '))).toHaveLength(1);
});

test('`resume` ends a pause during which the watch state was deleted while the disk was full', async () => {
  const { watch } = await paused();
  const state = join(watch.dir, 'watch-state.json');
  watch.fillDisk(true);
  rmSync(state);
  await watch.until(({ failures }) => failures.length > 0);
  watch.fillDisk(false);
  expect((await watch.until(({ failures }) => failures.length === 0)).role).toBe('paused');
  expect(existsSync(state)).toBe(true);
  await resumeRig(watch);
  expect((await watch.pass(10_000)).role).toBe('leader');
  expect(watch.log.filter((line) => line.startsWith('warn watch-state: '))).toHaveLength(1);
});
