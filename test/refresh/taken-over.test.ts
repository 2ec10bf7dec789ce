import { expect, test } from 'vitest';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { harness } from '../support/harness.ts';

const audit = (lifecycle = '') =>
  `apiVersion: sluice/v1\nkind: EventSubscription\nmetadata: {name: audit}\n${lifecycle}spec: {description: audit, sources: [{type: edge_created.v0}], destination_ids: [ed_1]}\n`;

test('what one stack adopts from another is created a second time by neither, and given back on request', async () => {
  const first = harness({ stack: { name: 'first', id: '00000001' } });
  const { emulator } = first;
  const second = harness({ emulator, stack: { name: 'second', id: '00000002' } });
  await first.converge({ 'a.yaml': audit() });
  const id = first.state()?.entries['EventSubscription/audit']?.id ?? '';
  await second.converge({ 'a.yaml': audit(`lifecycle: {adopt: ${id}, adopt_from: "00000001"}\n`) });

  const { plan } = await first.plan({ 'a.yaml': audit() });
  expect(plan.diagnostics).toMatchObject([
    { code: 'OWNED_BY_OTHER_STACK', severity: 'error', place: { file: 'a.yaml', line: 1 } },
  ]);
  await first.converge({ 'a.yaml': audit(`lifecycle: {adopt: ${id}, adopt_from: "00000002"}\n`) });
  expect(emulator.log.filter(({ method, path }) => method === 'POST' && path.includes('event_sub'))).toHaveLength(1);
  await second.converge({ 'a.yaml': '' });
  expect(second.state()?.entries).toEqual({});
  expect((await first.plan({ 'a.yaml': audit() })).plan.steps).toEqual([]);
});

test('what a replacement has left, and another stack has adopted since, is not deleted', async () => {
  const address = (region: string, lifecycle = 'protect: false') =>
    `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: db}\nlifecycle: {${lifecycle}}\nspec: {region: ${region}}\n`;
  const first = harness({ stack: { name: 'first', id: '00000001' } });
  const { emulator } = first;
  await first.converge({ 'a.yaml': address('eu') });
  const old = first.state()?.entries['ReservedAddr/db']?.id ?? '';
  const end = emulator.intercept(faulty(parseFault('status-before=400@DELETE:ReservedAddr:0')));
  await first.apply((await first.plan({ 'a.yaml': address('us') })).plan);
  end();
  const second = harness({ emulator, stack: { name: 'second', id: '00000002' } });
  await second.converge({ 'a.yaml': address('eu', `protect: false, adopt: ${old}, adopt_from: "00000001"`) });
  expect((await first.plan({ 'a.yaml': address('us') })).plan.steps).toEqual([]);
  await first.apply((await first.plan({ 'a.yaml': audit() })).plan);
  await first.converge({ 'a.yaml': audit() });
  expect(Object.keys(first.state()?.entries ?? {})).toEqual(['EventSubscription/audit']);
  expect(emulator.snapshot().resources.map(({ id }) => id)).toContain(old);
});
