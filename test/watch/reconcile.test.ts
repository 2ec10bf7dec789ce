import { describe, expect, test } from 'vitest';
import type { ManifestFiles } from '../support/load-text.ts';
import type { WatchStatus } from '../../src/model/status/watch-status.ts';
import { address, addresses, shop } from './company-files.ts';
import { rig, type Rig } from './rig.ts';

const isIdle = ({ nextRefresh }: WatchStatus): boolean => nextRefresh !== undefined;
const front = 'HTTPSEdgeRoute/shop:front';
const linesOf = ({ log }: Rig, event: string): readonly string[] => log.filter((line) => line.includes(` ${event}: `));

describe('manifests without resources', () => {
  test.each([
    [['mqtt'], '1 resource of this stack exists'],
    [['mqtt', 'ssh'], '2 resources of this stack exist'],
  ])('are refused where the account has %j', async (names, what) => {
    const watch = rig({ 'a.yaml': addresses(...names) });
    await watch.until(isIdle);
    watch.write({ 'a.yaml': '' });
    const { failures } = await watch.rests();
    expect(failures).toMatchObject([
      {
        ...{ scope: 'account', code: 'NO_RESOURCES_DEFINED', hint: 'to delete them all, run `sluice destroy`' },
        message: `the manifests contain no resources, but ${what}; nothing is deleted`,
      },
    ]);
  });

  test('are not reported as empty where their only file cannot be read', async () => {
    const files = { 'a.yaml': addresses('mqtt') };
    const first = rig(files);
    await first.until(isIdle);
    await first.stop();
    first.write({ 'a.yaml': 'kind: [' });
    const { failures } = await first.another().rests();
    expect(failures.map(({ code }) => code)).not.toContain('NO_RESOURCES_DEFINED');
    expect(first.spec('ReservedAddr/mqtt')).toBeDefined();
  });

  test('are in order where there is nothing in the account either', async () => {
    const watch = rig({ 'a.yaml': '' });
    const status = await watch.until(isIdle);
    expect([status.failures, status.resources, status.lastSuccess]).toEqual([[], [], watch.now()]);
  });
});

describe('what anyone can reach', () => {
  const policy = { maxDeletes: { count: 9 }, block: [], public: [] };

  test('and is not meant to be public is reported until it is repaired, and the account is read again at once', async () => {
    const watch = rig({ 'a.yaml': shop(['example.com']) }, { policy });
    expect((await watch.until(isIdle)).exposures).toEqual([]);
    await watch.byHand('PATCH', front, { oauth: { provider: { google: {} }, enabled: false } });
    const { exposures } = await watch.until((status) => status.exposures.length > 0);
    expect(exposures).toEqual([
      {
        address: 'HTTPSEdge/shop',
        message: expect.stringContaining('https://shop.example.com/… is already public') as string,
        urls: ['https://shop.example.com/…'],
      },
    ]);
    const found = watch.now();
    await watch.until((status) => status.exposures.length === 0);
    expect(watch.now() - found).toBeLessThan(5_000);
  });

  test('after an apply is shown as it is then, with addresses that came and went', async () => {
    const watch = rig({ 'a.yaml': shop(['example.com']) + addresses('mqtt') });
    const before = await watch.until(isIdle);
    expect(before.exposure?.rows.map(({ audience }) => audience)).toEqual(['restricted']);
    expect(before.exposure?.addresses?.map(({ resource }) => resource)).toEqual(['ReservedAddr/mqtt']);
    watch.write({ 'a.yaml': shop([]) + addresses('ssh') });
    const after = await watch.until((status) => status.history.length === 2 && isIdle(status));
    expect(after.exposure?.rows.map(({ audience }) => audience)).toEqual(['public']);
    expect(after.exposure?.addresses?.map(({ resource }) => resource)).toEqual(['ReservedAddr/ssh']);
    expect(after.lastRefresh).toBe(after.history[0]?.startedAt);
  });
});

describe('an approval', () => {
  const waiting = async (): Promise<Rig> => {
    const watch = rig({ 'a.yaml': addresses('mqtt') }, { applyOnChange: false });
    await watch.until((status) => isIdle(status) && status.awaited !== undefined);
    return watch;
  };

  test('is logged with who gave it, why, and its digest, and counts once', async () => {
    const watch = await waiting();
    const { digest = '' } = watch.status().awaited ?? {};
    await watch.approve(digest, 'CHG-1042');
    await watch.until((status) => status.history.length === 1 && isIdle(status));
    expect(linesOf(watch, 'approved')).toEqual(['info approved: approved by ada: CHG-1042']);
    expect(watch.logged.find(({ event }) => event === 'approved')).toEqual({
      ...{ event: 'approved', digest, by: 'ada', reason: 'CHG-1042' },
    });
    // The same change is wanted again, and needs another approval.
    await watch.byHand('DELETE', 'ReservedAddr/mqtt');
    watch.set({ applyOnChange: false, healDrift: false });
    watch.write({ 'a.yaml': address('mqtt', 'other') });
    await watch.rests();
    watch.write({ 'a.yaml': addresses('mqtt') });
    await watch.rests();
    expect(watch.spec('ReservedAddr/mqtt')).toBeUndefined();
    expect(linesOf(watch, 'approved')).toHaveLength(1);
  });

  test('of anything else than what requires approval now does nothing', async () => {
    const watch = await waiting();
    await watch.approve(`sha256:${'0'.repeat(64)}`);
    await watch.pass(1_000_000);
    expect([watch.writes(), linesOf(watch, 'approved')]).toEqual([[], []]);
  });

  test('that was accepted is forgotten once the change is another one', async () => {
    const watch = await waiting();
    watch.account.emulator.intercept(({ method }, next) =>
      method === 'POST' ? { status: 422, headers: {}, body: '{"msg":"no"}' } : next(),
    );
    await watch.approve();
    await watch.until(({ failures }) => failures.length > 0);
    watch.write({ 'a.yaml': address('mqtt', 'other') });
    const status = await watch.rests();
    expect(status.pending).toMatchObject([{ address: 'ReservedAddr/mqtt', reason: 'approval' }]);
    expect(status.awaited?.digest).toBeDefined();
  });
});

test('a failure of a resource is dropped once it is in sync, and those of others stay', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt', 'ssh') });
  await watch.until(isIdle);
  watch.account.emulator.intercept(({ method }, next) =>
    method === 'PATCH' ? { status: 422, headers: {}, body: '{"msg":"no"}' } : next(),
  );
  watch.write({ 'a.yaml': address('mqtt', 'x') + address('ssh', 'x') });
  await watch.until(({ failures }) => failures.length === 2);
  watch.write({ 'a.yaml': addresses('mqtt') + address('ssh', 'x') });
  const { failures, resources } = await watch.rests();
  expect(failures.map(({ scope }) => scope)).toEqual(['ReservedAddr/ssh']);
  expect(resources.map(({ syncStatus }) => syncStatus)).toEqual(['in-sync', 'failed']);
});

test('what only state records is in sync as soon as it is recorded', async () => {
  const edge = (lifecycle: string): ManifestFiles => ({
    'a.yaml': `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
lifecycle: {${lifecycle}}
spec: {hostports: [shop.example.com:443]}
`,
  });
  const watch = rig(edge(''), { profile: 'documented' });
  await watch.rests();
  watch.write(edge('protect: true'));
  const { resources, history } = await watch.rests();
  expect(history[0]?.outcome).toMatchObject([{ action: 'record', ending: 'done' }]);
  expect(resources.map(({ syncStatus }) => syncStatus)).toEqual(['in-sync']);
});
