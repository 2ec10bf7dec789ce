/* A watch of resources that take values from others: what changes in the account changes what takes it. */
import { expect, test } from 'vitest';
import { address, shop } from './company-files.ts';
import { rig } from './rig.ts';

const mqtt = 'ReservedAddr/mqtt';
const edge = 'HTTPSEdge/shop';
const files = { 'a.yaml': address('mqtt', 'Sensors') + shop([], '{ref: mqtt, field: addr}') };

test('what was deleted is created again, and what takes a value of it gets the new one in the same apply', async () => {
  const watch = rig(files);
  await watch.rests();
  const before = watch.spec(edge)?.['description'];
  expect(before).toMatch(/^[\w.]+:\d+$/);
  await watch.byHand('DELETE', mqtt);
  await watch.pass(400_000);
  expect(watch.spec(edge)?.['description']).toMatch(/^[\w.]+:\d+$/);
  expect(watch.spec(edge)?.['description']).not.toBe(before);
  expect(watch.writes().slice(-2)).toEqual([expect.stringMatching(/^POST/), expect.stringMatching(/^PATCH/)]);
  expect((await watch.rests()).pending).toEqual([]);
});

test('while what was deleted may not be created again, what takes a value of it stays as it is', async () => {
  const watch = rig(files, { healDrift: false });
  await watch.rests();
  const before = watch.spec(edge)?.['description'];
  await watch.byHand('DELETE', mqtt);
  const { pending } = await watch.pass(400_000);
  expect(pending.map((one) => one.address)).toContain(mqtt);
  expect(watch.spec(edge)?.['description']).toBe(before);
  watch.set({ healDrift: true });
  await watch.pass(400_000);
  expect(watch.spec(edge)?.['description']).toMatch(/^[\w.]+:\d+$/);
  expect(watch.spec(edge)?.['description']).not.toBe(before);
});

test('a hostport that another resource gets at its creation is served in the round after it', async () => {
  const named = shop([]).replace('shop.example.com:443', '{ref: mqtt, field: addr}');
  const watch = rig({ 'a.yaml': address('mqtt', 'Sensors') + named });
  await watch.rests();
  await watch.pass(400_000);
  expect(watch.spec(edge)?.['hostports']).toEqual([expect.stringMatching(/^[\w.]+:\d+$/)]);
  expect((await watch.rests()).pending).toEqual([]);
});
