/* What a watch knows of where its changes come from, as it learns it itself. */
import { expect, test } from 'vitest';
import { activityOf, activityText } from '../../src/render/status/status-activity.ts';
import { address, addresses } from './company-files.ts';
import { rig, start } from './rig.ts';

const mqtt = 'ReservedAddr/mqtt';

test('a pending change names the revision that brought it, and drift names none', async () => {
  const watch = rig({ 'a.yaml': address('mqtt', 'Sensors') }, { applyOnChange: false, healDrift: false });
  expect((await watch.rests()).pending).toMatchObject([{ cause: 'revision', introduced: { isExact: false } }]);
  await watch.approve();
  await watch.until(({ pending, lastSuccess }) => pending.length === 0 && lastSuccess !== undefined);
  watch.write({ 'a.yaml': address('mqtt', 'Meters') });
  const { pending, revision } = await watch.rests();
  expect(pending).toMatchObject([{ address: mqtt, cause: 'revision', introduced: { revision, isExact: true } }]);
  watch.write({ 'a.yaml': address('mqtt', 'Sensors') });
  await watch.until((status) => status.pending.length === 0);
  await watch.byHand('PATCH', mqtt, { description: 'by hand' });
  const found = await watch.pass(400_000);
  const [drifted] = found.pending;
  expect(activityText(activityOf(found))).toBe('Waiting for the required action');
  expect(drifted).toMatchObject({ address: mqtt, cause: 'drift', reason: 'manual' });
  expect(drifted?.introduced).toBeUndefined();
});

test('an apply reports what triggered it, and what each of its changes has come to', async () => {
  const watch = rig({ 'a.yaml': addresses('ssh') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  const letGo = watch.holdUp('POST');
  watch.write({ 'a.yaml': addresses('ssh', 'mqtt') });
  const status = await watch.until(({ applying }) => applying?.changes[0]?.progress === 'running');
  expect(status.applying).toMatchObject({
    trigger: 'revision',
    revision: status.revision,
    approvals: [],
    changes: [{ address: mqtt, action: 'create', progress: 'running' }],
  });
  expect(activityText(activityOf(status))).toBe('Applying: 0 of 1 done');
  letGo();
  expect((await watch.rests()).history[0]).toMatchObject({ trigger: 'revision' });
});

test('an apply that follows `sluice reconcile` reports that', async () => {
  const watch = rig({ 'a.yaml': address('mqtt', 'Sensors') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  await watch.byHand('PATCH', mqtt, { description: 'by hand' });
  const answer = watch.control.reconcile();
  await watch.until(({ history }) => history[0]?.trigger === 'drift');
  expect((await answer).history[0]).toMatchObject({ trigger: 'drift', isRequested: true });
});

test('a refusal that no retry mends is refused, stalled and retried; once it is mended, nothing of it is left', async () => {
  const watch = rig({ 'a.yaml': address('mqtt', 'Sensors') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  const heal = watch.account.emulator.intercept(({ method }, next) =>
    method === 'PATCH' ? { status: 422, headers: {}, body: '{"msg":"unknown signer"}' } : next(),
  );
  watch.write({ 'a.yaml': address('mqtt', 'Meters') });
  const status = await watch.until(({ pending }) => pending.length > 0);
  expect(status.failures).toMatchObject([{ scope: mqtt, status: 422 }]);
  expect(status.pending).toMatchObject([{ reason: 'refused', message: status.failures[0]?.message }]);
  expect(status.conditions).toMatchObject([{}, {}, { type: 'Stalled', status: 'True', reason: 'ChangeRefused' }]);
  const since = status.pending[0]?.since;
  expect((await watch.rests()).pending).toMatchObject([{ reason: 'refused', since }]);
  heal();
  const after = await watch.until(({ failures }) => failures.length === 0);
  expect(after.pending).toEqual([]);
});

test('a service that is away for a moment leaves a change to its retry', async () => {
  const watch = rig({ 'a.yaml': address('mqtt', 'Sensors') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  watch.account.emulator.intercept(({ method }, next) =>
    method === 'PATCH' ? { status: 500, headers: {}, body: '{}' } : next(),
  );
  watch.write({ 'a.yaml': address('mqtt', 'Meters') });
  const { pending, conditions } = await watch.until((status) => status.pending.length > 0);
  expect(pending).toMatchObject([{ reason: 'retry' }]);
  expect(conditions).toMatchObject([{}, {}, { type: 'Stalled', status: 'False' }]);
});

test('a pause reports who asked for it, when and why', async () => {
  const watch = rig({ 'a.yaml': address('mqtt', 'Sensors') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  const pause = { until: start + 3_600_000, at: start, by: 'ada', reason: 'migration' };
  await watch.request((before) => ({ ...before, pause }));
  const status = await watch.until(({ role }) => role === 'paused');
  expect(status.pause).toEqual(pause);
  expect(activityText(activityOf(status))).toBe('Paused until 2026-03-14 13:00 UTC');
});
