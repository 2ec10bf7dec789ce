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

  test('is not what was created where it shows what the stack had before', async () => {
    const walk = harness();
    await walk.converge({ 'stack.yaml': address('devices') });
    const had = walk.state()?.entries['ReservedAddr/devices']?.id;
    walk.emulator.intercept(faulty(parseFault('other-id@POST:ReservedAddr:1')));
    const { plan } = await walk.plan({ 'stack.yaml': address('devices') + address('meters') });
    await walk.apply(plan);
    const { entries = {} } = walk.state() ?? {};
    expect(entries['ReservedAddr/devices']?.id).toBe(had);
    expect(entries['ReservedAddr/meters']?.id).toBe(walk.emulator.snapshot().resources[1]?.id);
  });

  test('does not say that a text was kept', async () => {
    const walk = harness();
    const others = address('meters', ', description: Meters');
    await walk.converge({ 'stack.yaml': address('devices', ', description: Devices') + others });
    walk.emulator.intercept(faulty(parseFault('other-answer@PATCH:ReservedAddr:1')));
    const { plan } = await walk.plan({ 'stack.yaml': address('devices') + others });
    expect((await walk.apply(plan)).changes).toMatchObject([{ address: 'ReservedAddr/devices', ending: 'done' }]);
  });

  test('and an empty one to an update proves nothing: it is sent again', async () => {
    const walk = harness();
    await walk.converge({ 'stack.yaml': address('devices') });
    const { plan } = await walk.plan({ 'stack.yaml': address('devices', ', description: Devices') });
    let sent = 0;
    walk.emulator.intercept(({ method }, next) =>
      method === 'PATCH' && ++sent === 1 ? { status: 204, headers: {}, body: '' } : next(),
    );
    expect((await walk.apply(plan)).changes).toMatchObject([{ ending: 'done' }]);
    expect(sent).toBe(2);
  });

  test.each(['{}', '{"login": "https://portal.example.net"}'])(
    'and one that shows none does not say that what was asked for is done: %s',
    async (page) => {
      const walk = harness();
      const loose = (text: string): string => text.replaceAll('spec:', 'lifecycle: {protect: false}\nspec:');
      await walk.converge({ 'stack.yaml': loose(address('devices', ', description: Devices') + address('meters')) });
      const met = new Set<string>();
      walk.emulator.intercept(({ method }, next) => {
        if (method === 'GET' || met.has(method)) return next();
        met.add(method);
        return { status: 200, headers: {}, body: page };
      });
      const wanted = { 'stack.yaml': loose(address('devices')) };
      const { changes } = await walk.apply((await walk.plan(wanted)).plan);
      // An update is sent again here, a deletion by the client, which repeats nothing in these tests.
      expect(changes.map(({ ending }) => ending)).toEqual(['done', 'unknown']);
      expect(met).toEqual(new Set(['PATCH', 'DELETE']));
      await walk.converge(wanted);
    },
  );
});
