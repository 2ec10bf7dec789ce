/* What a watch does about a difference where state has no record of what was applied last (decisions/0034). */
import { describe, expect, test } from 'vitest';
import { address } from './company-files.ts';
import { rig, type Rig, type Settings } from './rig.ts';

const unapproved = { applyOnChange: false, healDrift: true };

/** An address that this stack has made, at rest. */
async function made(settings: Settings): Promise<Rig> {
  const watch = rig({ 'a.yaml': address('mqtt', 'Sensors') }, { applyOnChange: true });
  await watch.rests();
  watch.set(settings);
  await watch.rests();
  return watch;
}

const described = ({ account }: Rig): unknown => account.emulator.snapshot().resources[0]?.spec['description'];

describe('without a record of what was applied last', () => {
  test.each(['before', 'after'] as const)(
    'a manifest that changed %s the watch has restarted requires approval',
    async (when) => {
      const watch = await made(unapproved);
      watch.account.loseState();
      if (when === 'before') watch.write({ 'a.yaml': address('mqtt', 'Meters') });
      await watch.stop();
      const next = watch.another();
      if (when === 'after') watch.write({ 'a.yaml': address('mqtt', 'Meters') });
      const { pending } = await next.rests();
      expect(pending).toMatchObject([{ action: 'update', reason: 'approval', cause: 'revision' }]);
      expect(described(next)).toBe('Sensors');
      await next.approve();
      await next.rests();
      expect(described(next)).toBe('Meters');
    },
  );

  test('what waits for approval still does after a restart', async () => {
    const watch = await made(unapproved);
    watch.write({ 'a.yaml': address('mqtt', 'Meters') });
    await watch.rests();
    watch.account.loseState();
    await watch.stop();
    const next = watch.another();
    expect((await next.rests()).pending).toMatchObject([{ reason: 'approval' }]);
    expect(described(next)).toBe('Sensors');
  });

  test('a difference stays where drift is not repaired, until a newer revision changes the resource', async () => {
    const watch = await made({ applyOnChange: true, healDrift: false });
    await watch.byHand('PATCH', 'ReservedAddr/mqtt', { description: 'by hand' });
    watch.account.loseState();
    await watch.stop();
    const next = watch.another();
    expect((await next.rests()).pending).toMatchObject([{ reason: 'manual', cause: 'drift' }]);
    next.write({ 'a.yaml': address('mqtt', 'Meters') });
    await next.rests();
    expect(described(next)).toBe('Meters');
  });

  test('a difference is drift where the watch has seen the resource in sync with the manifest as it is', async () => {
    const watch = await made(unapproved);
    await watch.byHand('PATCH', 'ReservedAddr/mqtt', { description: 'by hand' });
    watch.account.loseState();
    await watch.pass(400_000);
    await watch.rests();
    expect(described(watch)).toBe('Sensors');
  });
});

test('what was applied without its unapproved fields was not in sync: created again, it requires approval', async () => {
  const both = (description: string, metadata: string): string =>
    address('mqtt', `${description}, metadata: ${metadata}`);
  const watch = rig({ 'a.yaml': both('Sensors', 'one') }, { applyOnChange: true });
  await watch.rests();
  watch.set(unapproved);
  await watch.rests();
  watch.write({ 'a.yaml': both('Sensors', 'two') });
  await watch.byHand('PATCH', 'ReservedAddr/mqtt', { description: 'by hand' });
  expect((await watch.rests()).pending).toMatchObject([{ action: 'update', reason: 'approval' }]);
  expect(described(watch)).toBe('Sensors');
  await watch.byHand('DELETE', 'ReservedAddr/mqtt');
  await watch.pass(400_000);
  expect((await watch.rests()).pending).toMatchObject([{ action: 'create', reason: 'approval' }]);
  expect(watch.account.emulator.snapshot().resources).toEqual([]);
});
