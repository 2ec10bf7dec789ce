import { expect, test } from 'vitest';
import { addresses } from './company-files.ts';
import { rig } from './rig.ts';

test('a line about drift names the resource, its place in the manifests, and the two values of each field', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') }, { healDrift: false });
  await watch.rests();
  await watch.byHand('PATCH', 'ReservedAddr/mqtt', { description: 'by hand' });
  await watch.until(({ pending }) => pending.length > 0);
  expect(watch.logged.filter(({ event }) => event === 'pending')).toEqual([
    {
      event: 'pending',
      address: 'ReservedAddr/mqtt',
      action: 'update',
      place: 'a.yaml:1',
      fields: '/description: "by hand" -> mqtt',
    },
  ]);
});

test('a line about a failure has its hint, and one about an invalid manifest its place', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.rests();
  const works = watch.account.emulator.intercept(() => ({ status: 401, headers: {}, body: '{}' }));
  await watch.until(({ failures }) => failures.length > 0);
  works();
  const failed = watch.logged.find(({ event }) => event === 'failed');
  expect(failed).toMatchObject({ code: 'ACCESS_DENIED', hint: expect.stringMatching(/key/) as string });
  watch.write({ 'a.yaml': `${addresses('mqtt')}kind: [` });
  await watch.until(({ diagnostics }) => diagnostics.length > 0);
  const invalid = watch.logged.find(({ event }) => event === 'manifest');
  expect(invalid).toMatchObject({ place: expect.stringMatching(/^a\.yaml:\d+:\d+$/) as string });
});
