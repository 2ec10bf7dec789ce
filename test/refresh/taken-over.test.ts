import { expect, test } from 'vitest';
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
