/*
 * A rename whose run ends between state and marker. State has the new address before the first request, so that of the marker
 * is older.
 */
import { expect, test } from 'vitest';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { harness } from '../support/harness.ts';

const address = (name: string, lifecycle = '', description = 'MQTT') => `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: ${name}}
lifecycle: {protect: false${lifecycle}}
spec: {region: eu, description: ${description}}
---
`;
const renamed = address('sensors', ', moved_from: ReservedAddr/devices');

/** A stack whose resource has its new address in state, and the former one in its marker. */
async function halfRenamed() {
  const walk = harness();
  await walk.converge({ 'stack.yaml': address('devices') });
  const id = walk.state()?.entries['ReservedAddr/devices']?.id;
  const end = walk.emulator.intercept(faulty(parseFault('status-before=400@PATCH:ReservedAddr:0')));
  await walk.apply((await walk.plan({ 'stack.yaml': renamed })).plan);
  end();
  expect(Object.keys(walk.state()?.entries ?? {})).toEqual(['ReservedAddr/sensors']);
  return { walk, id };
}

test('a resource keeps its new address though another one gets the former address before its marker is written', async () => {
  const { walk, id } = await halfRenamed();
  await walk.converge({ 'stack.yaml': renamed + address('devices', '', 'New devices') });
  expect(walk.state()?.entries['ReservedAddr/sensors']?.id).toBe(id);
  expect(walk.state()?.entries['ReservedAddr/devices']?.id).not.toBe(id);
});

test('it keeps that also if a run fails with both', async () => {
  const { walk, id } = await halfRenamed();
  const both = { 'stack.yaml': renamed + address('devices', '', 'New devices') };
  const faults = ['POST', 'PATCH'].map((method) => faulty(parseFault(`status-before=400@${method}:ReservedAddr:0`)));
  const ends = faults.map((fault) => walk.emulator.intercept(fault));
  const { changes } = await walk.apply((await walk.plan(both)).plan);
  expect(changes.map(({ ending }) => ending)).toEqual(['failed', 'failed']);
  for (const end of ends) end();
  await walk.converge(both);
  expect(walk.state()?.entries['ReservedAddr/sensors']?.id).toBe(id);
  for (const entry of Object.values(walk.state()?.entries ?? {})) expect(entry).not.toHaveProperty('formerAddresses');
});

test('a rename that is taken back leaves what was applied known, and nothing to do', async () => {
  const { walk, id } = await halfRenamed();
  const { plan } = await walk.plan({ 'stack.yaml': address('devices') });
  expect(plan.changes).toMatchObject([{ address: 'ReservedAddr/devices', action: 'none', id }]);
  const { plan: other } = await walk.plan({ 'stack.yaml': address('devices', '', 'Devices') });
  expect(other.changes).toMatchObject([{ fields: [{ path: ['description'], reason: 'changed' }] }]);
  await walk.converge({ 'stack.yaml': address('devices', '', 'Devices') });
  expect(Object.keys(walk.state()?.entries ?? {})).toEqual(['ReservedAddr/devices']);
});

test('a resource whose rename was interrupted is deleted as what it was last', async () => {
  const { walk } = await halfRenamed();
  await walk.converge({ 'stack.yaml': address('meters') });
  expect(Object.keys(walk.state()?.entries ?? {})).toEqual(['ReservedAddr/meters']);
});

test('a row of renames that was interrupted is completed, and nothing of it is called drift', async () => {
  const walk = harness();
  await walk.converge({ 'stack.yaml': address('a') + address('b') });
  const ids = Object.values(walk.state()?.entries ?? {}).map(({ id }) => id);
  const row = {
    'stack.yaml': address('b', ', moved_from: ReservedAddr/a') + address('c', ', moved_from: ReservedAddr/b'),
  };
  const end = walk.emulator.intercept(faulty(parseFault('status-before=400@PATCH:ReservedAddr:0')));
  await walk.apply((await walk.plan(row)).plan);
  end();
  for (const change of (await walk.plan(row)).plan.changes) expect(change).not.toHaveProperty('markerDrifted');
  await walk.converge(row);
  const { 'ReservedAddr/b': b, 'ReservedAddr/c': c } = walk.state()?.entries ?? {};
  expect([b?.id, c?.id]).toEqual(ids);
});
