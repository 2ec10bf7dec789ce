import { describe, expect, test } from 'vitest';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { harness } from '../support/harness.ts';

const address = (name: string, more = '') => `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: ${name}}
spec: {region: eu${more}}
---
`;

describe('an answer that shows another resource', () => {
  test('is not what was created: what refers to it would lead to the wrong one', async () => {
    const walk = harness();
    walk.emulator.intercept(faulty(parseFault('other-answer@POST:ReservedAddr:2')));
    const { plan } = await walk.plan({ 'stack.yaml': address('devices') + address('meters') });
    const { changes } = await walk.apply(plan);
    expect(changes.map(({ ending }) => ending)).toEqual(['done', 'done']);
    const made = walk.emulator.snapshot().resources;
    for (const [name, { id }] of Object.entries(walk.state()?.entries ?? {}))
      expect(made.find((one) => one.id === id)?.spec['metadata']).toContain(`"a":"${name}"`);
  });

  test('does not say that a text was kept', async () => {
    const walk = harness();
    const others = address('meters', ', description: Meters');
    await walk.converge({ 'stack.yaml': address('devices', ', description: Devices') + others });
    walk.emulator.intercept(faulty(parseFault('other-answer@PATCH:ReservedAddr:1')));
    const { plan } = await walk.plan({ 'stack.yaml': address('devices') + others });
    expect((await walk.apply(plan)).changes).toMatchObject([{ address: 'ReservedAddr/devices', ending: 'done' }]);
  });
});
