import { describe, expect, test } from 'vitest';
import type { WatchStatus } from '../../src/model/status/watch-status.ts';
import { address, addresses, shop } from './company-files.ts';
import { rig } from './rig.ts';
import { runningIn } from './running-in.ts';

const mqtt = 'ReservedAddr/mqtt';
const front = 'HTTPSEdgeRoute/shop:front';

/** A watch that applies 30 creations, of which ten have begun and are held up until they are released. */
async function inTheMiddleOfAnApply(): Promise<{
  readonly watch: ReturnType<typeof rig>;
  readonly release: () => void;
}> {
  const watch = rig({ 'a.yaml': addresses('ssh') });
  await watch.until(isReady);
  const release = watch.holdUp('POST');
  const many = Array.from({ length: 30 }, (_, n) => `a${n}`);
  watch.write({ 'a.yaml': addresses('ssh', ...many) });
  await watch.until(({ applying }) => runningIn(applying).length === 10);
  return { watch, release };
}

describe('the switches', () => {
  test('a new revision is applied at once, and the status reports that', async () => {
    const watch = rig({ 'a.yaml': address('mqtt', 'Sensors') });
    const status = await watch.until(isReady);
    expect(watch.spec(mqtt)).toMatchObject({ description: 'Sensors' });
    expect(status).not.toHaveProperty('lastGood');
    expect(status.history).toMatchObject([{ trigger: 'revision', outcome: [{ address: mqtt, ending: 'done' }] }]);
    watch.write({ 'a.yaml': address('mqtt', 'Meters') });
    await watch.rests();
    expect(watch.spec(mqtt)).toMatchObject({ description: 'Meters' });
  });

  test('apply_on_change off: it waits for a person, and goes on once approved', async () => {
    const watch = rig({ 'a.yaml': address('mqtt', 'Sensors') }, { applyOnChange: false });
    const status = await watch.rests();
    expect(status.pending).toMatchObject([{ address: mqtt, action: 'create', reason: 'approval' }]);
    expect(conditionOf(status, 'Ready')).toMatchObject({ status: 'False', reason: 'WaitingForApproval' });
    expect(conditionOf(status, 'Reconciling')).toMatchObject({ status: 'False', reason: 'WaitingForApproval' });
    expect(conditionOf(status, 'Stalled')).toMatchObject({ status: 'False' });
    await watch.pass(3_600_000);
    expect(watch.writes()).toEqual([]);
    await watch.approve();
    expect((await watch.until(isReady)).history).toMatchObject([{ trigger: 'approval' }]);
    expect(watch.status().awaited?.digest).toBeUndefined();
  });

  test.each([
    { healDrift: true, kinds: {}, heals: true },
    { healDrift: false, kinds: {}, heals: false },
    { healDrift: false, kinds: { ReservedAddr: 'heal' as const }, heals: true },
    { healDrift: true, kinds: { ReservedAddr: 'report' as const }, heals: false },
    { healDrift: false, kinds: { HTTPSEdge: 'heal' as const }, heals: false },
  ])('drift with heal_drift $healDrift and kinds $kinds', async ({ heals, ...syncSettings }) => {
    const watch = rig({ 'a.yaml': address('mqtt', 'Sensors') }, syncSettings);
    await watch.until(isReady);
    await watch.byHand('PATCH', mqtt, { description: 'by hand' });
    const status = await watch.pass(400_000);
    expect(watch.spec(mqtt)).toMatchObject({ description: heals ? 'Sensors' : 'by hand' });
    if (heals) expect(status.history[0]).toMatchObject({ trigger: 'drift' });
    else {
      expect(status.pending).toMatchObject([{ address: mqtt, reason: 'manual' }]);
      expect(conditionOf(status, 'Ready')).toMatchObject({ status: 'False', reason: 'Drifted' });
    }
  });

  test('what somebody deleted is drift too, until its manifest is touched', async () => {
    const watch = rig({ 'a.yaml': address('mqtt', 'Sensors') }, { healDrift: false });
    await watch.until(isReady);
    await watch.byHand('DELETE', mqtt);
    expect((await watch.pass(400_000)).pending).toMatchObject([{ action: 'create', reason: 'manual' }]);
    watch.write({ 'a.yaml': address('mqtt', 'Meters') });
    await watch.until(isReady);
    expect(watch.spec(mqtt)).toMatchObject({ description: 'Meters' });
  });

  test('what somebody deleted is drift also where the latest revision had nothing to change', async () => {
    const watch = rig({ 'a.yaml': address('mqtt', 'Sensors') }, { healDrift: false });
    await watch.until(isReady);
    await watch.byHand('PATCH', mqtt, { description: 'Meters' });
    watch.write({ 'a.yaml': address('mqtt', 'Meters') });
    await watch.rests();
    await watch.byHand('DELETE', mqtt);
    expect((await watch.pass(400_000)).pending).toMatchObject([{ action: 'create', reason: 'manual' }]);
    expect(watch.writes()).toEqual(['POST /reserved_addrs']);
  });

  test('a revision is applied where others have moved something else, and that is left', async () => {
    const watch = rig({ 'a.yaml': shop(['example.com']) }, { healDrift: false });
    await watch.until(isReady);
    await watch.byHand('PATCH', 'HTTPSEdge/shop', { description: 'by hand' });
    watch.write({ 'a.yaml': shop(['example.com']).replace('hostports: [', 'hostports: [api.example.com:443, ') });
    const status = await watch.rests();
    expect(watch.spec('HTTPSEdge/shop')).toMatchObject({
      description: 'by hand',
      hostports: ['api.example.com:443', 'shop.example.com:443'],
    });
    expect(status.pending).toMatchObject([{ address: 'HTTPSEdge/shop', reason: 'manual' }]);
  });

  test('prune that the operator does not allow: what the manifests have no more stays', async () => {
    const watch = rig({ 'a.yaml': addresses('mqtt', 'ssh') }, { prune: 'forbidden' });
    await watch.until(isReady);
    watch.write({ 'a.yaml': addresses('ssh') });
    expect((await watch.rests()).pending).toMatchObject([
      {
        address: mqtt,
        message: 'the resource is no longer in the manifests, and the operator policy does not allow watch.prune',
      },
    ]);
  });

  test('prune off: what the manifests have no more stays; on: it goes', async () => {
    const watch = rig({ 'a.yaml': addresses('mqtt', 'ssh') }, { prune: false });
    await watch.until(isReady);
    watch.write({ 'a.yaml': addresses('ssh') });
    expect((await watch.rests()).pending).toMatchObject([{ address: mqtt, action: 'delete', reason: 'manual' }]);
    watch.set({ prune: true });
    await watch.until(isReady);
    expect(watch.spec(mqtt)).toBeUndefined();
  });
});

describe('when', () => {
  test('drift is looked for at an interval that is never quite the same', async () => {
    const watch = rig({ 'a.yaml': address('mqtt', 'Sensors') }, { intervalMs: 100_000 });
    await watch.until(isReady);
    const looks: number[] = [];
    for (let i = 0; i < 4; i++) {
      const before = watch.status().lastRefresh;
      looks.push(((await watch.until(({ lastRefresh }) => lastRefresh !== before)).lastRefresh ?? 0) - (before ?? 0));
    }
    for (const gap of looks) expect(gap).toBeGreaterThanOrEqual(89_000);
    for (const gap of looks) expect(gap).toBeLessThanOrEqual(112_000);
    expect(new Set(looks).size).toBeGreaterThan(1);
  });

  test('a service that is away is asked less and less often, up to a ceiling, and a new revision asks at once', async () => {
    const watch = rig({ 'a.yaml': address('mqtt', 'Sensors') });
    await watch.until(isReady);
    const heal = watch.account.emulator.intercept(({ method }, next) =>
      method === 'GET' ? Promise.resolve({ status: 401, headers: {}, body: '{}' }) : next(),
    );
    const status = await watch.until(({ failures }) => (failures[0]?.attempts ?? 0) >= 10);
    const [trouble] = status.failures;
    expect(trouble).toMatchObject({ scope: 'account', code: 'ACCESS_DENIED' });
    expect(conditionOf(status, 'Stalled')).toMatchObject({ status: 'True', reason: 'ActionRequired' });
    const wait = (trouble?.nextAttempt ?? 0) - status.now;
    expect(wait).toBeGreaterThan(450_000);
    expect(wait).toBeLessThanOrEqual(600_000);
    expect(watch.writes()).toHaveLength(1);
    heal();
    watch.write({ 'a.yaml': address('mqtt', 'Meters') });
    const asked = watch.now();
    await watch.until(isReady);
    expect(watch.now() - asked).toBeLessThan(10_000);
  });

  test('each cause has a backoff of its own, and what fails holds nothing else up', async () => {
    const watch = rig({ 'a.yaml': addresses('mqtt', 'ssh') });
    const heal = watch.account.emulator.intercept((exchange, next) =>
      exchange.method === 'POST' && exchange.body.includes('"mqtt"')
        ? Promise.resolve({ status: 422, headers: {}, body: '{"error_code":"NO","status_code":422,"msg":"no"}' })
        : next(),
    );
    const status = await watch.until(({ failures }) => (failures[0]?.attempts ?? 0) >= 3);
    expect(watch.spec('ReservedAddr/ssh')).toBeDefined();
    expect(status.failures.map(({ scope }) => scope)).toEqual([mqtt]);
    expect(status.pending).toMatchObject([{ address: mqtt, reason: 'refused' }]);
    const writes = watch.writes().length;
    await watch.pass(5_000);
    expect(watch.writes()).toHaveLength(writes);
    heal();
    expect((await watch.until(isReady)).history[0]).toMatchObject({ trigger: 'retry' });
  });

  test('a new revision in the middle of an apply: what runs is finished, nothing old begins, then the new one', async () => {
    const { watch, release } = await inTheMiddleOfAnApply();
    watch.write({ 'a.yaml': addresses('ssh', 'a0') });
    await watch.pass(2_000);
    release();
    const status = await watch.until(isReady);
    const created = watch.writes().filter((write) => write.startsWith('POST'));
    expect(created).toHaveLength(1 + 10);
    expect(status.history[1]?.outcome.filter(({ ending }) => ending === 'not-started')).toHaveLength(20);
    expect(watch.account.emulator.snapshot().resources).toHaveLength(2);
  });

  test('a commit of other files in the middle of an apply interrupts nothing, and is taken up after it', async () => {
    const { watch, release } = await inTheMiddleOfAnApply();
    watch.commitElsewhere();
    await watch.pass(2_000);
    release();
    const status = await watch.until((now) => isReady(now) && now.revision?.commit !== undefined);
    expect(status.history).toHaveLength(2);
    expect(status.history[0]?.outcome.filter(({ ending }) => ending === 'done')).toHaveLength(30);
    expect(status.applied).toEqual(status.revision);
  });
});

describe('what cannot be read', () => {
  test('an invalid manifest keeps its last good version in force, and reports that; the others go on', async () => {
    const watch = rig({ 'a.yaml': address('mqtt', 'Sensors'), 'b.yaml': address('ssh', 'Shell') });
    await watch.until(isReady);
    watch.write({ 'a.yaml': 'kind: [', 'b.yaml': address('ssh', 'Jump host') });
    const status = await watch.rests();
    expect(watch.spec('ReservedAddr/ssh')).toMatchObject({ description: 'Jump host' });
    expect(conditionOf(status, 'Stalled')).toMatchObject({ status: 'True', reason: 'InvalidManifests' });
    expect(status.diagnostics[0]).toMatchObject({ severity: 'error', place: { file: 'a.yaml' } });
    expect([status.revision?.content, status.lastGood?.content]).toEqual(['000000000002', '000000000001']);
    await watch.byHand('PATCH', mqtt, { description: 'by hand' });
    await watch.pass(400_000);
    expect(watch.spec(mqtt)).toMatchObject({ description: 'Sensors' });
  });

  test('what has another name in a file with an error is renamed, and not created a second time', async () => {
    const route = (name: string, from: string) => shop([]).replace('{name: shop}', `{name: ${name}}\n${from}`);
    const watch = rig({ 'a.yaml': `${address('ssh', 'Shell')}${route('shop', '')}` });
    await watch.until(isReady);
    const [before, ids] = [watch.writes().length, watch.account.emulator.snapshot().resources.map(({ id }) => id)];
    const renamed = route('store', 'lifecycle: {moved_from: HTTPSEdge/shop}');
    watch.write({ 'a.yaml': `${address('ssh', '[1]')}${renamed}` });
    await watch.rests();
    await watch.pass(400_000);
    expect(
      watch
        .writes()
        .slice(before)
        .filter((write) => !write.startsWith('PATCH')),
    ).toEqual([]);
    expect(watch.account.emulator.snapshot().resources.map(({ id }) => id)).toEqual(ids);
    expect(watch.spec('HTTPSEdgeRoute/store:front')).toBeDefined();
  });

  test('a process that never saw a good version of it leaves it alone', async () => {
    const watch = rig({ 'a.yaml': address('mqtt', 'Sensors'), 'b.yaml': address('ssh', 'Shell') });
    await watch.until(isReady);
    await watch.stop();
    watch.write({ 'a.yaml': 'kind: [', 'b.yaml': address('ssh', 'Jump host') });
    const again = watch.another();
    await again.rests();
    expect(watch.spec(mqtt)).toMatchObject({ description: 'Sensors' });
    expect(watch.spec('ReservedAddr/ssh')).toMatchObject({ description: 'Jump host' });
  });

  test.each([
    ['is broken', 'apiVersion: sluice/v1\nkind: ModuleSet\nmetadata: {name: sso}\nspec: {oauth: {provider: 1}}\n'],
    ['cannot be parsed', 'kind: ModuleSet\nspec: [\n'],
    ['is gone', ''],
  ])('a route whose module set %s is never applied without its access controls', async (_, broken) => {
    const set =
      'apiVersion: sluice/v1\nkind: ModuleSet\nmetadata: {name: sso}\nspec: {oauth: {provider: {google: {email_domains: [example.com]}}}}\n';
    const edge = shop([]).replace('backend: {backend_id: bkd_1}', 'backend: {backend_id: bkd_1}, module_sets: [sso]');
    const watch = rig({ 'edge.yaml': edge, 'set.yaml': set });
    await watch.until(isReady);
    const before = watch.writes().length;
    watch.write({ 'edge.yaml': edge.replace('bkd_1', 'bkd_2'), 'set.yaml': broken, 'c.yaml': address('mqtt', 'New') });
    await watch.rests();
    expect(watch.spec(front)).toHaveProperty('oauth');
    expect(watch.writes().slice(before)).toEqual(['POST /reserved_addrs']);
  });

  test.each([
    ['nothing at all', {}],
    ['one empty file', { 'a.yaml': '' }],
  ])('a tree that holds %s deletes nothing', async (_, files) => {
    const watch = rig({ 'a.yaml': address('mqtt', 'Sensors') });
    await watch.until(isReady);
    watch.write(files);
    const status = await watch.pass(2_000_000);
    expect(watch.spec(mqtt)).toBeDefined();
    expect(conditionOf(status, 'Ready').status).toBe('False');
    expect(watch.writes()).toHaveLength(1);
  });

  test('a directory that vanished deletes nothing, drift is still put right, and it goes on when it is back', async () => {
    const watch = rig({ 'a.yaml': address('mqtt', 'Sensors') });
    await watch.until(isReady);
    watch.vanish();
    await watch.byHand('PATCH', mqtt, { description: 'by hand' });
    const status = await watch.pass(2_000_000);
    expect(status.failures).toMatchObject([{ scope: 'manifests', code: 'SOURCE_MISSING' }]);
    expect(watch.spec(mqtt)).toMatchObject({ description: 'Sensors' });
    watch.write({ 'a.yaml': address('mqtt', 'Meters') });
    await watch.until(isReady);
    expect(watch.spec(mqtt)).toMatchObject({ description: 'Meters' });
  });
});

function isReady(status: WatchStatus): boolean {
  return status.nextRefresh !== undefined && conditionOf(status, 'Ready').status === 'True';
}

function conditionOf({ conditions }: WatchStatus, type: string): WatchStatus['conditions'][number] {
  const found = conditions.find((condition) => condition.type === type);
  if (found === undefined) throw new Error(`there is no condition ${type}`);
  return found;
}
