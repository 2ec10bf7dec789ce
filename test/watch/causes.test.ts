import { describe, expect, test } from 'vitest';
import type { WatchStatus } from '../../src/model/status/watch-status.ts';
import { address, addresses, certificate, partners, shop, shopForPartners } from './company-files.ts';
import { statusPage } from '../support/status-page.ts';
import { rig, type Rig } from './rig.ts';

const mqtt = 'ReservedAddr/mqtt';
const bastion = 'SSHHostCertificate/bastion';
const hour = 3_600_000;

describe('why a change is in the plan decides which switch it asks', () => {
  test.each([true, false])('what falls due is renewed with watch.renew, and waits without: %s', async (renew) => {
    const watch = rig({ 'a.yaml': certificate('3h', '1h') }, { renew });
    await watch.until(rests);
    const id = watch.account.state()?.entries[bastion]?.id;
    const before = await watch.pass(1.9 * hour);
    expect(watch.writes()).toHaveLength(1);
    expect(before.resources).toMatchObject([{ address: bastion, syncStatus: 'in-sync' }]);
    const status = await watch.pass(0.3 * hour);
    expect(watch.account.state()?.entries[bastion]?.id === id).toBe(!renew);
    if (renew) expect(status.history[0]).toMatchObject({ trigger: 'renewal', outcome: [{ address: bastion }] });
    else
      expect(status.pending).toMatchObject([
        { address: bastion, reason: 'manual', message: expect.stringContaining('watch.renew') as string },
      ]);
  });

  test('a renewal is no drift and no new revision: only its own switch stops it', async () => {
    const watch = rig({ 'a.yaml': certificate('3h', '1h') });
    await watch.until(rests);
    watch.set({ applyOnChange: false, healDrift: false, prune: false });
    const id = watch.account.state()?.entries[bastion]?.id;
    await watch.pass(2.2 * hour);
    expect(watch.account.state()?.entries[bastion]?.id).not.toBe(id);
  });

  test.each([true, false])(
    'a marker that somebody took away is drift; it is put back if drift is: %s',
    async (heals) => {
      const watch = rig({ 'a.yaml': address('mqtt', 'Sensors') }, { healDrift: heals });
      await watch.until(rests);
      await watch.byHand('PATCH', mqtt, { metadata: '' });
      const status = await watch.pass(400_000);
      expect(JSON.stringify(watch.spec(mqtt)).includes('sluice')).toBe(heals);
      if (!heals)
        expect(status.pending).toMatchObject([
          { address: mqtt, reason: 'manual', message: expect.stringContaining('heal_drift') as string },
        ]);
    },
  );

  test('a difference of which nothing is remembered is drift, until its manifest is touched', async () => {
    const watch = rig({ 'a.yaml': address('mqtt', 'Sensors') }, { healDrift: false });
    await watch.until(rests);
    await watch.stop();
    await watch.byHand('PATCH', mqtt, { description: 'by hand' });
    watch.account.loseState();
    const again = watch.another();
    expect((await again.rests()).pending).toMatchObject([
      { address: mqtt, reason: 'manual', message: expect.stringContaining('heal_drift') as string },
    ]);
    again.write({ 'a.yaml': address('mqtt', 'Meters') });
    await again.rests();
    expect(watch.account.emulator.snapshot().resources).toMatchObject([{ spec: { description: 'Meters' } }]);
  });

  test('a change that was not approved still requires approval after the rest was applied and the state is lost', async () => {
    const watch = rig({ 'a.yaml': shop(['example.com']) });
    await watch.until(rests);
    watch.set({ applyOnChange: false });
    await watch.byHand('PATCH', 'HTTPSEdge/shop', { hostports: ['other.example.com:443'] });
    watch.write({ 'a.yaml': shop(['example.com'], 'New') });
    await watch.rests();
    const asked = [{ address: 'HTTPSEdge/shop', reason: 'approval' }];
    expect(watch.spec('HTTPSEdge/shop')).toMatchObject({ description: 'Shop', hostports: ['shop.example.com:443'] });
    expect(watch.status().pending).toMatchObject(asked);
    const before = watch.writes();
    watch.account.loseState();
    expect((await watch.pass(400_000)).pending).toMatchObject(asked);
    expect(watch.writes()).toEqual(before);
  });

  test('what is taken over waits as any change of the manifests does', async () => {
    const watch = rig({ 'a.yaml': '' }, { applyOnChange: false });
    const body = JSON.stringify({ region: 'eu' });
    const headers = { authorization: 'Bearer somebody', 'example-version': '2', 'content-type': 'application/json' };
    await watch.account.emulator.handle({ method: 'POST', path: '/reserved_addrs', headers, body, actor: 'somebody' });
    const id = watch.account.emulator.snapshot().resources[0]?.id ?? '';
    watch.write({ 'a.yaml': address('mqtt', 'Sensors', `{protect: false, adopt: ${id}}`) });
    expect((await watch.rests()).pending).toMatchObject([{ address: mqtt, action: 'adopt', reason: 'approval' }]);
  });
});

describe('what waits for something else', () => {
  test('what is protected keeps what it lives in from going', async () => {
    const route = shop(['example.com']).replace('{name: front,', '{name: front, lifecycle: {protect: true},');
    const watch = rig({ 'a.yaml': route + addresses('mqtt') });
    await watch.until(rests);
    watch.write({ 'a.yaml': addresses('mqtt', 'ssh') });
    const status = await watch.rests();
    expect(status.pending.map(({ address, reason: what }) => [address, what])).toEqual([
      ['HTTPSEdge/shop', 'protected'],
      ['HTTPSEdgeRoute/shop:front', 'protected'],
    ]);
    expect(watch.spec('ReservedAddr/ssh')).toBeDefined();
    expect(watch.writes().filter((write) => write.startsWith('DELETE'))).toEqual([]);
  });

  test('what waits to be renamed is not deleted under the name it has', async () => {
    const watch = rig({ 'a.yaml': addresses('mqtt') });
    await watch.until(rests);
    const renamed = address('sensors', 'Sensors', '{protect: false, moved_from: ReservedAddr/mqtt}');
    watch.set({ applyOnChange: false });
    watch.write({ 'a.yaml': renamed });
    const status = await watch.rests();
    expect(status.pending).toMatchObject([{ address: 'ReservedAddr/sensors', reason: 'approval' }]);
    expect(watch.writes()).toEqual(['POST /reserved_addrs']);
    await watch.approve();
    await watch.rests();
    expect(
      watch
        .writes()
        .slice(1)
        .every((write) => write.startsWith('PATCH')),
    ).toBe(true);
    expect(watch.spec('ReservedAddr/sensors')).toMatchObject({ description: 'Sensors' });
  });

  test('what is needed by something that waits stays as long as that does', async () => {
    const watch = rig(
      { 'a.yaml': partners() + shopForPartners(['example.com']) },
      { policy: { maxDeletes: { count: 1 }, block: ['OPENS_ACCESS'] } },
    );
    await watch.until(rests);
    watch.write({ 'a.yaml': shop(['example.com']) });
    const status = await watch.rests();
    expect(status.pending).toMatchObject([
      {
        address: 'CertificateAuthority/partners',
        action: 'delete',
        reason: 'dependency',
        waitsFor: 'HTTPSEdge/shop',
        message: 'HTTPSEdge/shop still depends on this resource',
      },
      { address: 'HTTPSEdge/shop', reason: 'approval', hazards: [{ code: 'OPENS_ACCESS' }] },
    ]);
    expect(status.awaited).toMatchObject({
      summary: {
        changes: [{ action: 'update', kind: 'HTTPSEdge', count: 1 }],
        hazards: [{ code: 'OPENS_ACCESS', count: 1 }],
      },
      follows: [{ action: 'delete', address: 'CertificateAuthority/partners' }],
    });
    const edge = (one: WatchStatus): WatchStatus['resources'][number] | undefined =>
      one.resources.find(({ address }) => address === 'HTTPSEdge/shop');
    expect(edge(status)).toMatchObject({
      dependsOn: ['CertificateAuthority/partners'],
      removedDependencies: ['CertificateAuthority/partners'],
    });
    expect(statusPage(status).html).toMatch(/<path class="edge removed"/);
    await watch.approve();
    const after = await watch.rests();
    expect(watch.spec('CertificateAuthority/partners')).toBeUndefined();
    expect(edge(after)).toMatchObject({ dependsOn: [] });
    expect(edge(after)).not.toHaveProperty('removedDependencies');
    watch.set({ applyOnChange: false });
    watch.write({ 'a.yaml': partners() + shopForPartners(['example.com']) });
    const wanted = await watch.rests();
    expect(edge(wanted)).toMatchObject({ addedDependencies: ['CertificateAuthority/partners'] });
    expect(statusPage(wanted).html).toMatch(/<path class="edge added"/);
  });

  test('a document that is broken from the beginning holds back what refers to it, and nothing else', async () => {
    const edge = shopForPartners(['example.com']);
    const watch = rig({ 'a.yaml': edge, 'b.yaml': 'kind: [', 'c.yaml': addresses('mqtt') });
    const status = await watch.rests();
    expect(watch.writes()).toEqual(['POST /reserved_addrs']);
    expect(status.diagnostics.some(({ place }) => place?.file === 'b.yaml')).toBe(true);
    watch.write({ 'a.yaml': edge, 'b.yaml': partners(), 'c.yaml': addresses('mqtt') });
    await watch.rests();
    expect(watch.spec('HTTPSEdgeRoute/shop:front')).toBeDefined();
  });

  test('deletions that wait are forgotten when the next revision has them back', async () => {
    const watch = rig({ 'a.yaml': addresses('mqtt', 'ssh') }, { policy: { maxDeletes: { count: 1 }, block: [] } });
    await watch.until(rests);
    watch.write({ 'a.yaml': addresses('amqp') });
    const waiting = await watch.rests();
    expect(waiting.pending.map(({ action }) => action)).toEqual(['delete', 'delete']);
    watch.write({ 'a.yaml': addresses('amqp', 'mqtt', 'ssh') });
    const status = await watch.rests();
    expect([status.pending, status.awaited?.digest]).toEqual([[], undefined]);
    await watch.approve(waiting.awaited?.digest);
    await watch.rests();
    expect(watch.account.emulator.snapshot().resources).toHaveLength(3);
  });
});

describe('how long what failed waits', () => {
  test('each cause has a backoff of its own that doubles up to a ceiling, and what is well again begins anew', async () => {
    const watch = rig({ 'a.yaml': addresses('ssh') });
    await watch.until(rests);
    const heal = refuse(watch, '"mqtt"');
    watch.write({ 'a.yaml': addresses('ssh', 'mqtt') });
    const waits: number[] = [];
    for (let tries = 1; tries <= 10; tries++) {
      const { now, failures } = await watch.until(({ failures }) => failures[0]?.attempts === tries);
      waits.push((failures[0]?.nextAttempt ?? 0) - now);
    }
    for (const [n, wait] of waits.entries()) {
      const most = Math.min(600_000, 5_000 * 2 ** n);
      expect(wait).toBeLessThanOrEqual(most);
      expect(wait).toBeGreaterThanOrEqual(0.79 * most);
    }
    const healSecond = refuse(watch, '"amqp"');
    watch.write({ 'a.yaml': addresses('ssh', 'mqtt', 'amqp') });
    const both = await watch.until(({ failures }) => failures.length === 2);
    expect(both.failures.map(({ scope, attempts }) => [scope, attempts])).toEqual([
      ['ReservedAddr/amqp', 1],
      [mqtt, 1],
    ]);
    heal();
    healSecond();
    const well = await watch.until(({ failures }) => failures.length === 0);
    expect(well.pending).toEqual([]);
  });

  test('a new revision tries at once what an older one still waits to try again', async () => {
    const watch = rig({ 'a.yaml': addresses('ssh') });
    await watch.until(rests);
    const heal = refuse(watch, '"mqtt"');
    watch.write({ 'a.yaml': addresses('ssh', 'mqtt') });
    const { now, pending } = await watch.until(({ failures }) => (failures[0]?.attempts ?? 0) >= 8);
    expect((pending[0]?.until ?? 0) - now).toBeGreaterThan(400_000);
    heal();
    watch.write({ 'a.yaml': addresses('ssh') + address('mqtt', 'Sensors') });
    const status = await watch.rests();
    expect(status.now - now).toBeLessThan(5_000);
    expect(watch.spec(mqtt)).toMatchObject({ description: 'Sensors' });
  });
});

test('a wrong sluice.yaml leaves the last good one in force, and reports that', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.until(rests);
  watch.spoil();
  await watch.byHand('PATCH', mqtt, { description: 'by hand' });
  const status = await watch.pass(400_000);
  expect(watch.spec(mqtt)).toMatchObject({ description: 'mqtt' });
  expect(status.failures).toMatchObject([{ scope: 'manifests' }]);
  expect(status.conditions).toMatchObject([{ type: 'Ready', status: 'False', reason: 'InvalidManifests' }, {}, {}]);
  watch.set({ healDrift: false });
  expect((await watch.rests()).failures).toEqual([]);
  expect(watch.status().diagnostics).toEqual([]);
});

/** The service refuses whatever holds some text. */
function refuse({ account }: Rig, text: string): () => void {
  return account.emulator.intercept(({ method, body }, next) =>
    method === 'POST' && body.includes(text)
      ? Promise.resolve({ status: 422, headers: {}, body: '{"error_code":"NO","status_code":422,"msg":"no"}' })
      : next(),
  );
}

function rests({ nextRefresh, resources }: WatchStatus): boolean {
  return (
    nextRefresh !== undefined &&
    resources.length > 0 &&
    resources.every(({ syncStatus }) => syncStatus !== 'out-of-sync')
  );
}
