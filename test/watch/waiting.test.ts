import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WatchStatus } from '../../src/model/status/watch-status.ts';
import { address, addresses, shop } from './company-files.ts';
import { resumeRig } from './resume-rig.ts';
import { rig, type Rig } from './rig.ts';
import { runningIn } from './running-in.ts';

const mqtt = 'ReservedAddr/mqtt';
const front = 'HTTPSEdgeRoute/shop:front';
const blocksOpening = { policy: { maxDeletes: { count: 1 }, block: ['OPENS_ACCESS'] } };

describe('what a person must see first', () => {
  test('a blocked change waits, what does not need it goes on, and approval lets exactly it go on', async () => {
    const watch = rig({ 'a.yaml': shop(['example.com']) }, blocksOpening);
    await watch.until(rests);
    watch.write({ 'a.yaml': shop(['example.com', 'example.net'], 'The shop') + addresses('mqtt') });
    const status = await watch.rests();
    expect(status.pending).toMatchObject([{ address: front, reason: 'approval', hazards: [{ code: 'OPENS_ACCESS' }] }]);
    expect(watch.spec('HTTPSEdge/shop')).toMatchObject({ description: 'The shop' });
    expect(watch.spec(mqtt)).toBeDefined();
    expect(domains(watch)).toEqual(['example.com']);
    await watch.approve();
    await watch.rests();
    expect(domains(watch)).toEqual(['example.com', 'example.net']);
    expect(watch.status().pending).toEqual([]);
  });

  test('an approval of something else, or of what has changed since, lets nothing go on', async () => {
    const watch = rig({ 'a.yaml': shop(['example.com']) }, blocksOpening);
    await watch.until(rests);
    watch.write({ 'a.yaml': shop(['example.com', 'example.net']) });
    const { awaited } = await watch.rests();
    watch.write({ 'a.yaml': shop(['example.com', 'example.org']) });
    await watch.rests();
    await watch.approve(awaited?.digest);
    await watch.rests();
    expect(domains(watch)).toEqual(['example.com']);
    expect(watch.status().awaited?.digest).not.toBe(awaited?.digest);
  });

  test('an approval counts once: what somebody takes back and asks for again waits again', async () => {
    const watch = rig({ 'a.yaml': shop(['example.com']) }, blocksOpening);
    await watch.until(rests);
    const wide = { 'a.yaml': shop(['example.com', 'example.net']) };
    watch.write(wide);
    const { awaited } = await watch.rests();
    await watch.approve();
    await watch.rests();
    watch.write({ 'a.yaml': shop(['example.com']) });
    await watch.rests();
    watch.write(wide);
    expect((await watch.rests()).awaited?.digest).toBe(awaited?.digest);
    expect(domains(watch)).toEqual(['example.com']);
  });

  test('what was approved and failed is tried again without another word', async () => {
    const watch = rig({ 'a.yaml': shop(['example.com']) }, blocksOpening);
    await watch.until(rests);
    watch.write({ 'a.yaml': shop(['example.com', 'example.net']) });
    await watch.rests();
    const heal = watch.account.emulator.intercept(({ method }, next) =>
      method === 'GET' ? next() : Promise.resolve({ status: 422, headers: {}, body: '{}' }),
    );
    await watch.approve();
    await watch.until(({ failures }) => failures.length > 0);
    heal();
    await watch.until(({ failures, pending }) => failures.length === 0 && pending.length === 0);
    expect(domains(watch)).toEqual(['example.com', 'example.net']);
  });

  test('drift of an access control with healing off does not hold up the rest of its route', async () => {
    const watch = rig({ 'a.yaml': shop(['example.com']) }, { ...blocksOpening, healDrift: false });
    await watch.until(rests);
    await watch.byHand('PATCH', front, { oauth: { provider: { google: { email_domains: ['narrow.example'] } } } });
    watch.write({ 'a.yaml': shop(['example.com']).replace('bkd_1', 'bkd_2') });
    const status = await watch.rests();
    expect(watch.spec(front)).toMatchObject({ backend: { backend_id: 'bkd_2' } });
    expect(status.pending).toMatchObject([{ address: front, reason: 'manual' }]);
    expect(domains(watch)).toEqual(['narrow.example']);
  });

  test('more deletions than policy.max_deletes wait all together, a replacement among them', async () => {
    const watch = rig({ 'a.yaml': addresses('mqtt', 'ssh', 'amqp') }, blocksOpening);
    await watch.until(rests);
    watch.write({ 'a.yaml': address('ssh', 'ssh').replace('eu', 'us') });
    const status = await watch.rests();
    expect(status.pending.map(({ address, reason: cause }) => [address, cause])).toEqual([
      ['ReservedAddr/amqp', 'approval'],
      [mqtt, 'approval'],
      ['ReservedAddr/ssh', 'approval'],
    ]);
    expect(watch.writes()).toHaveLength(3);
    await watch.approve();
    await watch.rests();
    expect(watch.account.emulator.snapshot().resources).toHaveLength(1);
  });

  test('what was deleted is in no status any more, neither during its apply nor after it', async () => {
    const watch = rig({ 'a.yaml': addresses('mqtt', 'ssh', 'amqp') });
    await watch.until(rests);
    watch.write({ 'a.yaml': addresses('mqtt') });
    const statuses = new Set<string>();
    await watch.until(({ applying, resources }) => {
      const done = new Set(applying?.changes.flatMap((one) => (one.progress === 'done' ? [one.address] : [])));
      for (const { address, syncStatus } of resources) if (done.has(address)) statuses.add(syncStatus);
      return applying === undefined && watch.account.emulator.snapshot().resources.length === 1;
    });
    expect([...statuses]).toEqual([]);
    expect(watch.status().resources.map(({ address }) => address)).toEqual([mqtt]);
  });

  test('deletions that nobody means to make do not count', async () => {
    const watch = rig({ 'a.yaml': addresses('mqtt', 'ssh', 'amqp') }, { ...blocksOpening, prune: false });
    await watch.until(rests);
    watch.write({ 'a.yaml': address('ssh', 'ssh').replace('eu', 'us') });
    await watch.rests();
    expect(watch.spec('ReservedAddr/ssh')).toMatchObject({ region: 'us' });
    expect(watch.spec(mqtt)).toBeDefined();
  });

  test('what is protected waits for the manifests, and no approval helps', async () => {
    const watch = rig({ 'a.yaml': address('mqtt', 'Sensors', '{protect: true}') + addresses('ssh') });
    await watch.until(rests);
    watch.write({ 'a.yaml': addresses('ssh') });
    const status = await watch.rests();
    expect(status.pending).toMatchObject([{ address: mqtt, reason: 'protected' }]);
    expect(status.awaited?.digest).toBeUndefined();
    watch.write({ 'a.yaml': address('mqtt', 'Sensors') + addresses('ssh') });
    await watch.rests();
    watch.write({ 'a.yaml': addresses('ssh') });
    await watch.rests();
    expect(watch.spec(mqtt)).toBeUndefined();
  });

  test('what was deleted again and again is created again if its manifest has changed since, also while nobody watched', async () => {
    const watch = rig({ 'a.yaml': addresses('mqtt', 'ssh') });
    await watch.until(rests);
    for (let i = 0; i < 3; i++) {
      await watch.byHand('DELETE', mqtt);
      await watch.pass(400_000);
    }
    await watch.stop();
    await watch.byHand('DELETE', mqtt);
    watch.write({ 'a.yaml': address('mqtt', 'Sensors') + addresses('ssh') });
    const again = watch.another();
    expect((await again.rests()).driftConflicts).toEqual([]);
    expect(watch.spec(mqtt)).toMatchObject({ description: 'Sensors' });
  });

  test('a digest that waits can be approved while the apply beside it still runs', async () => {
    const watch = rig({ 'a.yaml': shop(['example.com']) }, blocksOpening);
    await watch.until(rests);
    const release = watch.holdUp('POST');
    watch.write({ 'a.yaml': shop(['example.com', 'example.net']) + addresses('mqtt') });
    await watch.until(({ applying }) => applying !== undefined);
    await watch.approve();
    release();
    await watch.until(({ pending, nextRefresh }) => pending.length === 0 && nextRefresh !== undefined);
    expect(domains(watch)).toEqual(['example.com', 'example.net']);
  });
});

describe('a fight', () => {
  test('a field that others put back again and again is left to them, both sides are reported, others are still healed', async () => {
    const watch = rig({ 'a.yaml': addresses('mqtt', 'ssh') });
    await watch.until(rests);
    await fight(watch);
    const status = watch.status();
    expect(status.driftConflicts).toMatchObject([
      { address: mqtt, pointer: '/description', desired: 'mqtt', actual: '"by hand"', count: 3 },
    ]);
    expect(status.pending).toMatchObject([{ address: mqtt, reason: 'drift-conflict' }]);
    const writes = watch.writes().length;
    await watch.byHand('PATCH', 'ReservedAddr/ssh', { description: 'by hand' });
    await watch.pass(400_000);
    expect(watch.spec('ReservedAddr/ssh')).toMatchObject({ description: 'ssh' });
    expect(watch.spec(mqtt)).toMatchObject({ description: 'by hand' });
    await watch.pass(4_000_000);
    expect(watch.writes()).toHaveLength(writes + 1);
  });

  test('it ends when the other gives in', async () => {
    const watch = rig({ 'a.yaml': addresses('mqtt', 'ssh') });
    await watch.until(rests);
    await fight(watch);
    await watch.byHand('PATCH', mqtt, { description: 'mqtt' });
    expect((await watch.pass(400_000)).driftConflicts).toEqual([]);
    expect(watch.status().pending).toEqual([]);
  });

  test('it ends when the manifest is touched, also while nobody watched', async () => {
    const watch = rig({ 'a.yaml': addresses('mqtt', 'ssh') });
    await watch.until(rests);
    await fight(watch);
    await watch.stop();
    watch.write({ 'a.yaml': address('mqtt', 'Sensors') + addresses('ssh') });
    const again = watch.another();
    expect((await again.rests()).driftConflicts).toEqual([]);
    expect(watch.spec(mqtt)).toMatchObject({ description: 'Sensors' });
  });

  test('it survives a restart', async () => {
    const watch = rig({ 'a.yaml': addresses('mqtt', 'ssh') });
    await watch.until(rests);
    await fight(watch);
    await watch.stop();
    const again = watch.another();
    expect((await again.pass(400_000)).driftConflicts).toMatchObject([{ address: mqtt }]);
    expect(watch.spec(mqtt)).toMatchObject({ description: 'by hand' });
  });

  test('what is deleted again and again is a fight too', async () => {
    const watch = rig({ 'a.yaml': addresses('mqtt', 'ssh') });
    await watch.until(rests);
    for (let i = 0; i < 4; i++) {
      await watch.byHand('DELETE', mqtt);
      await watch.pass(400_000);
    }
    expect(watch.status().driftConflicts).toMatchObject([{ address: mqtt, pointer: '' }]);
    expect(watch.spec(mqtt)).toBeUndefined();
  });

  test('about the ownership marker it is not about the whole resource', async () => {
    const watch = rig({ 'a.yaml': addresses('mqtt') });
    await watch.until(rests);
    for (let i = 0; i < 4; i++) {
      await watch.byHand('PATCH', mqtt, { metadata: '' });
      await watch.pass(400_000);
    }
    const { driftConflicts, pending } = watch.status();
    expect(driftConflicts).toMatchObject([
      {
        address: mqtt,
        pointer: '/metadata',
        desired: 'ownership marker as written by sluice',
        actual: 'other ownership marker',
      },
    ]);
    expect(pending[0]?.message).toBe('another client keeps reverting the field, so sluice no longer corrects it');
  });
});

describe('a pause', () => {
  const until = (watch: Rig, minutes: number): Promise<void> =>
    watch.request((before) => ({
      ...before,
      pause: { until: watch.now() + minutes * 60_000, by: 'ada', reason: 'moving' },
    }));

  test('nothing is done, the lock is free meanwhile, and it ends automatically', async () => {
    const watch = rig({ 'a.yaml': addresses('mqtt') });
    await watch.until(rests);
    await until(watch, 30);
    const status = await watch.until(({ role }) => role === 'paused');
    expect(conditionOf(status, 'Reconciling')).toMatchObject({ status: 'False', reason: 'Paused' });
    expect(conditionOf(status, 'Stalled')).toMatchObject({ status: 'False' });
    expect(status.pause).toMatchObject({ by: 'ada', reason: 'moving' });
    watch.write({ 'a.yaml': addresses('mqtt', 'ssh') });
    await watch.pass(20 * 60_000);
    expect(watch.spec('ReservedAddr/ssh')).toBeUndefined();
    await watch.pass(11 * 60_000);
    expect(watch.spec('ReservedAddr/ssh')).toBeDefined();
  });

  test('it survives a restart, can be made longer without a word that it is over, and is ended by resume', async () => {
    const watch = rig({ 'a.yaml': addresses('mqtt') });
    await watch.until(rests);
    await until(watch, 30);
    await watch.until(({ role }) => role === 'paused');
    await watch.stop();
    const again = watch.another();
    await again.until(({ role }) => role === 'paused');
    await until(again, 300);
    await again.pass(100 * 60_000);
    expect(again.status().role).toBe('paused');
    expect(again.log.filter((line) => line.includes('resumed'))).toEqual([]);
    await resumeRig(again);
    expect((await again.until(({ role }) => role === 'leader')).pause).toBeUndefined();
    await again.pass(10 * 60_000);
    expect(again.log.filter((line) => line.includes('resumed'))).toHaveLength(1);
  });

  test('it ends an apply that runs: what was sent is finished, nothing more begins', async () => {
    const watch = rig({ 'a.yaml': addresses('ssh') });
    await watch.until(rests);
    const release = watch.holdUp('POST');
    watch.write({ 'a.yaml': addresses('ssh', ...Array.from({ length: 30 }, (_, n) => `a${n}`)) });
    await watch.until(({ applying }) => runningIn(applying).length === 10);
    await until(watch, 30);
    await watch.pass(3_000);
    release();
    await watch.until(({ role }) => role === 'paused');
    expect(watch.writes()).toHaveLength(11);
  });

  test('nor does what removes it while the requests in flight are finished', async () => {
    const watch = rig({ 'a.yaml': addresses('ssh') });
    await watch.until(rests);
    const release = watch.holdUp('POST');
    watch.write({ 'a.yaml': addresses('ssh', ...Array.from({ length: 30 }, (_, n) => `a${n}`)) });
    await watch.until(({ applying }) => runningIn(applying).length === 10);
    await until(watch, 30);
    await watch.pass(3_000);
    writeFileSync(join(watch.dir, 'watch-requests.json'), JSON.stringify({ format: 1, approvals: [] }));
    await watch.pass(3_000);
    release();
    expect((await watch.pass(60_000)).role).toBe('paused');
    expect(watch.writes()).toHaveLength(11);
  });

  test('what else removes or shortens it, such as a commit that contains the file, does not end it', async () => {
    const watch = rig({ 'a.yaml': addresses('mqtt') });
    await watch.until(rests);
    await until(watch, 30);
    await watch.until(({ role }) => role === 'paused');
    const path = join(watch.dir, 'watch-requests.json');
    const [none, shorter] = [{}, { pause: { until: watch.now() + 1 } }];
    for (const requests of [none, shorter]) {
      writeFileSync(path, JSON.stringify({ format: 1, ...requests, approvals: [] }));
      expect((await watch.pass(60_000)).role).toBe('paused');
    }
    rmSync(path);
    expect((await watch.pass(60_000)).role).toBe('paused');
    expect(watch.log.filter((line) => line.startsWith('warn pause-kept: '))).toHaveLength(3);
    await resumeRig(watch);
    await watch.until(({ role }) => role === 'leader');
  });

  test('unreadable operator requests count as a pause, until they are readable again', async () => {
    const watch = rig({ 'a.yaml': addresses('mqtt') });
    await watch.until(rests);
    writeFileSync(join(watch.dir, 'watch-requests.json'), '{"pau');
    const status = await watch.until(({ role }) => role === 'paused');
    expect(status.failures).toMatchObject([{ scope: 'requests', code: 'OPERATOR_REQUESTS_UNREADABLE' }]);
    expect(status.pause).toEqual({ reason: 'the pauses and approvals cannot be read' });
    await watch.pass(10_000_000);
    expect(watch.status().role).toBe('paused');
    writeFileSync(join(watch.dir, 'watch-requests.json'), '{"format":1,"approvals":[]}');
    await watch.until(({ role }) => role === 'leader');
  });
});

/** Somebody puts a description back as often as it is put right. */
async function fight(watch: Rig): Promise<void> {
  for (let i = 0; i < 4; i++) {
    await watch.byHand('PATCH', mqtt, { description: 'by hand' });
    await watch.pass(400_000);
  }
}

function domains(watch: Rig): unknown {
  return (watch.spec(front) as { oauth?: { provider?: { google?: { email_domains?: unknown } } } } | undefined)?.oauth
    ?.provider?.google?.email_domains;
}

function rests({ nextRefresh, resources }: WatchStatus): boolean {
  return (
    nextRefresh !== undefined &&
    resources.length > 0 &&
    resources.every(({ syncStatus }) => syncStatus !== 'out-of-sync')
  );
}

function conditionOf({ conditions }: WatchStatus, type: string): WatchStatus['conditions'][number] | undefined {
  return conditions.find((condition) => condition.type === type);
}
