import { describe, expect, test } from 'vitest';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { asSomebody } from '../support/as-somebody.ts';
import { harness } from '../support/harness.ts';

test('an adoption is remembered with the nonce that was drawn for its marker', async () => {
  const walk = harness();
  await asSomebody(walk, 'POST', '/reserved_addrs', {});
  const id = walk.emulator.snapshot().resources[0]?.id ?? '';
  const { plan } = await walk.plan({
    'stack.yaml': `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: devices}
lifecycle: {adopt: ${id}}
spec: {description: ours}
`,
  });
  expect((await walk.apply(plan, { drawNonce: () => 'c0ffee012345' })).changes).toMatchObject([{ ending: 'done', id }]);
  expect(walk.state()?.entries['ReservedAddr/devices']).toMatchObject({ id, nonce: 'c0ffee012345' });
  expect(walk.emulator.snapshot().resources[0]?.spec['metadata']).toContain('c0ffee012345');
});

const others = `apiVersion: sluice/v1
kind: EventSubscription
metadata: {name: audit}
spec: {sources: [{type: edge_updated.v0}]}
---
`;
const managed = `${others}apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: devices}
spec: {description: ours}
`;
const adopting = (id: string, name = 'devices') => ({
  'stack.yaml': `${others}apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: ${name}}
lifecycle: {adopt: ${id}}
spec: {description: ours}
`,
});

test('an adoption under an address that has another resource is a warning: that one stays', async () => {
  const walk = harness();
  await walk.converge({ 'stack.yaml': managed });
  const { id } = walk.state()?.entries['ReservedAddr/devices'] ?? {};
  await asSomebody(walk, 'POST', '/reserved_addrs', {});
  const other =
    walk.emulator.snapshot().resources.find((one) => one.kind === 'ReservedAddr' && one.id !== id)?.id ?? '';
  const { plan } = await walk.converge(adopting(other));
  expect(plan.diagnostics).toMatchObject([
    {
      code: 'ADOPT_IGNORED',
      severity: 'warning',
      message: `ReservedAddr/devices is already ${id ?? ''}, so the plan does not adopt ${other}`,
    },
  ]);
});

test('an adoption under the address of a resource that is gone remembers the nonce of that: should it appear again, it belongs to this stack', async () => {
  const walk = harness();
  await walk.converge({ 'stack.yaml': managed });
  const { id: gone = '', nonce } = walk.state()?.entries['ReservedAddr/devices'] ?? {};
  await asSomebody(walk, 'DELETE', `/reserved_addrs/${gone}`);
  await asSomebody(walk, 'POST', '/reserved_addrs', {});
  const id = walk.emulator.snapshot().resources.find(({ kind }) => kind === 'ReservedAddr')?.id ?? '';
  await walk.converge(adopting(id));
  expect(walk.state()?.entries['ReservedAddr/devices']).toMatchObject({ id, formerNonces: [nonce] });
});

test('an adoption under the address of a resource that is gone leaves what is still to be deleted of that address', async () => {
  const walk = harness();
  const inRegion = (region: string) => ({
    'stack.yaml': managed.replace(
      'spec: {description: ours}',
      `lifecycle: {protect: false}\nspec: {region: ${region}}`,
    ),
  });
  await walk.converge(inRegion('eu'));
  const { id: old = '' } = walk.state()?.entries['ReservedAddr/devices'] ?? {};
  const end = walk.emulator.intercept(faulty(parseFault('status-before=400@DELETE:ReservedAddr:0')));
  await walk.apply((await walk.plan(inRegion('us'))).plan);
  end();
  const { id: gone = '' } = walk.state()?.entries['ReservedAddr/devices'] ?? {};
  await asSomebody(walk, 'DELETE', `/reserved_addrs/${gone}`);
  await asSomebody(walk, 'POST', '/reserved_addrs', {});
  const id = walk.emulator.snapshot().resources.find((one) => one.kind === 'ReservedAddr' && one.id !== old)?.id ?? '';
  walk.emulator.intercept(faulty(parseFault('status-before=400@DELETE:ReservedAddr:0')));
  await walk.apply((await walk.plan(adopting(id))).plan);
  expect(walk.state()?.entries['ReservedAddr/devices']).toMatchObject({ id, deposed: [old] });
});

/** A stack whose adoption of an address that was made elsewhere meets a fault. */
async function halfAdopted(fault: string, wasManaged = false) {
  const walk = harness();
  await walk.converge({ 'stack.yaml': wasManaged ? managed : others });
  const before = walk.state()?.entries['ReservedAddr/devices']?.id;
  if (before !== undefined) await asSomebody(walk, 'DELETE', `/reserved_addrs/${before}`);
  await asSomebody(walk, 'POST', '/reserved_addrs', { description: 'theirs' });
  const id = walk.emulator.snapshot().resources.find(({ kind }) => kind === 'ReservedAddr')?.id ?? '';
  const end = walk.emulator.intercept(faulty(parseFault(`${fault}@PATCH:ReservedAddr:0`)));
  const { changes } = await walk.apply((await walk.plan(adopting(id))).plan);
  end();
  const adoption = { ending: fault.endsWith('400') ? 'failed' : 'unknown', action: 'adopt' };
  expect(changes).toMatchObject([adoption]);
  const there = (): unknown => walk.emulator.snapshot().resources.find((one) => one.id === id)?.spec['metadata'] ?? '';
  return { walk, id, there };
}

describe.each(['reset-after', 'reset-before', 'status-before=400'])('an adoption that met %s', (fault) => {
  test('is planned as an adoption again', async () => {
    const { walk, id, there } = await halfAdopted(fault);
    const { plan } = await walk.converge(adopting(id));
    expect(plan.changes).toContainEqual(expect.objectContaining({ address: 'ReservedAddr/devices', action: 'adopt' }));
    expect(walk.state()?.entries['ReservedAddr/devices']).not.toHaveProperty('adopting');
    expect(there()).toContain('sluice');
  });

  test('is released though its address had another resource before, which is gone', async () => {
    const { walk, id, there } = await halfAdopted(fault, true);
    await walk.converge({ 'stack.yaml': others });
    expect(there()).toBe('');
    expect(walk.emulator.snapshot().resources.map((one) => one.id)).toContain(id);
  });

  test('is released once its manifest is removed, and not deleted', async () => {
    const { walk, there } = await halfAdopted(fault);
    const { plan } = await walk.converge({ 'stack.yaml': others });
    const released = plan.changes.find(({ action }) => action === 'forget');
    expect(released?.why.join()).toContain('the adoption of the resource was not completed');
    expect(there()).toBe('');
    expect(Object.keys(walk.state()?.entries ?? {})).toEqual(['EventSubscription/audit']);
  });
});

describe.each(['reset-before', 'status-before=400'])(
  'a resource whose adoption met %s, and which is not marked',
  (fault) => {
    test('is not changed by a manifest that adopts another one by now', async () => {
      const { walk, id } = await halfAdopted(fault);
      await asSomebody(walk, 'POST', '/reserved_addrs', { description: 'the right one' });
      const right =
        walk.emulator.snapshot().resources.find(({ spec }) => spec['description'] === 'the right one')?.id ?? '';
      const { plan } = await walk.converge(adopting(right));
      expect(plan.changes).toContainEqual(expect.objectContaining({ action: 'adopt', id: right }));
      expect(walk.emulator.snapshot().resources.find((one) => one.id === id)?.spec['description']).toBe('theirs');
    });

    test('is not changed by a manifest that adopts nothing by now', async () => {
      const { walk, id } = await halfAdopted(fault);
      const { plan } = await walk.converge({ 'stack.yaml': managed });
      const create = plan.changes.find(({ address }) => address === 'ReservedAddr/devices');
      expect(create).toMatchObject({ action: 'create' });
      expect(create).not.toHaveProperty('deletedOutside');
      expect(walk.emulator.snapshot().resources.find((one) => one.id === id)?.spec['description']).toBe('theirs');
    });

    test('is adopted under another name', async () => {
      const { walk, id } = await halfAdopted(fault);
      await walk.converge(adopting(id, 'sensors'));
      expect(Object.keys(walk.state()?.entries ?? {}).sort()).toEqual([
        'EventSubscription/audit',
        'ReservedAddr/sensors',
      ]);
    });
  },
);
