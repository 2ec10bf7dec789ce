import { expect, test } from 'vitest';
import { address } from './company-files.ts';
import { rig } from './rig.ts';

const mqtt = (lifecycle: string): string => address('mqtt', 'Sensors', lifecycle);

test.each([
  ['repairs', true, 'Sensors'],
  ['reports', false, 'By hand'],
])(
  'a field that is managed again is compared at once: a watch %s what has become of it meanwhile',
  async (_, applies, said) => {
    const watch = rig({ 'a.yaml': mqtt('{ignore: [/description]}') }, { applyOnChange: applies, healDrift: applies });
    await watch.rests();
    if (!applies) {
      await watch.approve();
      await watch.until(({ pending, nextRefresh }) => pending.length === 0 && nextRefresh !== undefined);
    }
    await watch.byHand('PATCH', 'ReservedAddr/mqtt', { description: 'By hand' });
    await watch.pass(600_000);
    expect([watch.status().pending, watch.spec('ReservedAddr/mqtt')?.['description']]).toEqual([[], 'By hand']);
    watch.write({ 'a.yaml': mqtt('{protect: false}') });
    const status = await watch.rests();
    expect(watch.spec('ReservedAddr/mqtt')?.['description']).toBe(said);
    expect(status.pending.map(({ address: one, action }) => `${action} ${one}`)).toEqual(
      applies ? [] : ['update ReservedAddr/mqtt'],
    );
  },
);
