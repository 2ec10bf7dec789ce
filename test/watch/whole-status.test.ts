/* A status shows all that is so, and nothing that is not: whoever reads it takes a field that is there for true. */
import { expect, test } from 'vitest';
import type { WatchStatus } from '../../src/model/status/watch-status.ts';
import { addresses } from './company-files.ts';
import { resumeRig } from './resume-rig.ts';
import { rig, start } from './rig.ts';

const isIdle = ({ nextRefresh }: WatchStatus): boolean => nextRefresh !== undefined;
const content = '000000000001';
const served = 'anyone, unless the endpoint configuration of the address restricts access';

const about = { stack: { name: 'prod', id: '7f3a9c21' }, dir: '/srv/prod', version: '0.0.0-test', startedAt: start };
const nothing = {
  ...{ pending: [], driftConflicts: [], exposures: [], ruleBreaches: [], failures: [], diagnostics: [] },
  approvalWays: [],
};
const mqtt = {
  ...{ address: 'ReservedAddr/mqtt', kind: 'ReservedAddr', syncStatus: 'in-sync', dependsOn: [], source: 'a.yaml:1' },
};
const condition = (type: string, status: string, reason: string, message: string, since = start) => ({
  ...{ type, status, reason, message, since },
});

test('of a leader at rest: what it manages, when it looked and looks again, and what is applied', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.until(isIdle);
  await watch.until((status) => isIdle(status) && status.lastRefresh !== start);
  const { now, history, nextRefresh, lastRefresh, ...status } = watch.status();
  expect(status).toStrictEqual({
    ...{ ...about, ...nothing, role: 'leader', resources: [mqtt] },
    exposure: {
      ...{ rows: [], variants: [] },
      addresses: [{ at: expect.any(String) as string, resource: mqtt.address, who: served }],
    },
    ...{ revision: { content }, observed: { content }, applied: { content } },
    ...{ lastSuccess: lastRefresh, dueBy: nextRefresh! + 60_000 },
    conditions: [
      condition('Ready', 'True', 'InSync', '1 resource in sync'),
      condition('Reconciling', 'False', 'Idle', 'waiting for new manifests or the next refresh', lastRefresh),
      condition('Stalled', 'False', 'NotStalled', 'nothing blocks reconciliation'),
    ],
  });
  expect(history).toHaveLength(1);
  expect([now, lastRefresh! > start, nextRefresh! > now]).toEqual([lastRefresh, true, true]);
});

test('of a standby: who leads, where and how well, and nothing of its own', async () => {
  const first = rig({ 'a.yaml': addresses('mqtt') });
  await first.until(isIdle);
  const second = first.another();
  await second.until(
    ({ leaderRecorded, leaderHeartbeat }) => leaderRecorded !== undefined && leaderHeartbeat !== undefined,
  );
  const { now: _, history, startedAt, leaderHeartbeat: __, ...status } = second.status();
  const waits = 'the leader reconciles the stack; this process waits';
  expect(status).toStrictEqual({
    ...{ stack: about.stack, dir: about.dir, version: about.version, ...nothing, role: 'standby', resources: [] },
    leader: expect.stringContaining('`sluice watch` of ') as string,
    leaderUrl: 'http://10.0.0.1:9470/',
    leaderRecorded: { ready: condition('Ready', 'True', 'InSync', '1 resource in sync'), asked: [] },
    applied: { content },
    conditions: [
      condition('Ready', 'Unknown', 'Standby', 'another process is the leader', startedAt),
      condition('Reconciling', 'False', 'Standby', waits, startedAt),
      condition('Stalled', 'False', 'NotStalled', waits, startedAt),
    ],
  });
  expect(history).toHaveLength(1);
});

test('of one that is paused: until when, why and by whom, and what was so before', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  const before = await watch.until(isIdle);
  const pause = { until: watch.now() + 600_000, at: watch.now(), reason: 'the migration', by: 'ada' };
  await watch.request((requests) => ({ ...requests, pause }));
  const { now: _, conditions, ...status } = await watch.until(({ role }) => role === 'paused');
  // Nothing is due, so it is not overdue either.
  const { now: __, conditions: ___, nextRefresh: ____, dueBy: _____, ...same } = before;
  expect(status).toStrictEqual({ ...same, role: 'paused', pause });
  expect(conditions.map(({ reason }) => reason)).toEqual(['InSync', 'Paused', 'NotStalled']);
  await resumeRig(watch);
  const after = await watch.until((one) => one.role === 'leader' && isIdle(one));
  expect(after).not.toHaveProperty('pause');
});

test('of a pause without end: that it has none', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.until(isIdle);
  await watch.request((requests) => ({ ...requests, pause: { until: 8.64e15, reason: 'for good' } }));
  const { pause } = await watch.until(({ role }) => role === 'paused');
  expect(pause).toStrictEqual({ reason: 'for good' });
  expect(watch.log.at(-1)).toBe('info paused: paused until it is resumed: for good');
  expect(watch.logged.at(-1)).toStrictEqual({ event: 'paused' });
});

test('of a pause without an end and a reason: that it is one', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.until(isIdle);
  await watch.request((requests) => ({ ...requests, pause: { until: 8.64e15 } }));
  const { pause } = await watch.until(({ role }) => role === 'paused');
  expect(pause).toStrictEqual({});
  expect(watch.log.at(-1)).toBe('info paused: paused until it is resumed');
  expect(watch.logged.at(-1)).toStrictEqual({ event: 'paused' });
});

test('of a revision with errors: the last good one beside it, until there is another', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.until(isIdle);
  watch.write({ 'a.yaml': 'kind: [' });
  expect(await watch.rests()).toMatchObject({
    ...{ revision: { content: '000000000002' }, lastGood: { content }, applied: { content } },
    observed: { content: '000000000002' },
  });
  watch.write({ 'a.yaml': addresses('mqtt') });
  const status = await watch.rests();
  expect(status).not.toHaveProperty('lastGood');
  expect(status).toMatchObject({ revision: { content: '000000000003' }, applied: { content: '000000000003' } });
});

test('of an approval in a commit that does not count: why, logged once, until nothing requires approval', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') }, { applyOnChange: false });
  const { awaited } = await watch.until((one) => isIdle(one) && one.awaited !== undefined);
  const signature = { problem: 'the commit has no SSH signature' };
  const digest = awaited!.digest;
  watch.commits([{ commit: 'c'.repeat(40), subject: 'Approve', digest, at: watch.now(), signature }]);
  const refusal = 'commit cccccccccccc does not approve these changes: the commit has no SSH signature';
  expect((await watch.until((one) => one.refusedApproval !== undefined)).refusedApproval).toBe(refusal);
  await watch.pass(1_000_000);
  expect(watch.log.filter((line) => line.includes('approval-refused'))).toEqual([`warn approval-refused: ${refusal}`]);
  await watch.approve();
  const after = await watch.until((one) => isIdle(one) && one.awaited === undefined);
  expect(after).not.toHaveProperty('refusedApproval');
});
