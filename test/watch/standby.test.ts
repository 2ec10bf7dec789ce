import { expect, test, vi } from 'vitest';
import { statusJson } from '../../src/render/status/status-json.ts';
import { statusPage } from '../support/status-page.ts';
import { address, addresses, shop } from './company-files.ts';
import { rig } from './rig.ts';

test('who has lost the lead tells nothing of what waits and fails any more: that is for the one who leads', async () => {
  const watch = rig(
    { 'a.yaml': shop(['example.com']) },
    { policy: { maxDeletes: { count: 1 }, block: ['OPENS_ACCESS'] } },
  );
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  watch.write({ 'a.yaml': `${shop(['example.com', 'example.net'])}kind: [` });
  expect((await watch.rests()).diagnostics).not.toEqual([]);
  watch.write({ 'a.yaml': shop(['example.com', 'example.net']) });
  expect((await watch.rests()).pending).not.toEqual([]);
  watch.rob();
  await watch.until(({ role }) => role === 'standby');
  await vi.waitFor(() => expect(watch.status().leader).toBeDefined(), { timeout: 120_000 });
  const status = watch.status();
  expect(status).toMatchObject({ pending: [], driftConflicts: [], failures: [], diagnostics: [], resources: [] });
  expect(status).not.toHaveProperty('awaited');
  expect(status.conditions.find(({ type }) => type === 'Stalled')).toMatchObject({ status: 'False' });
});

test('neither a standby nor a paused watch is overdue: nothing is due', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  const { dueBy } = await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  expect(dueBy).toBeDefined();
  watch.rob();
  expect(await watch.until(({ role }) => role === 'standby')).not.toHaveProperty('dueBy');
});

test('a lock that is lost is noticed at once, although nothing is due', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  watch.rob();
  const lost = watch.now();
  await watch.until(({ role }) => role === 'standby');
  expect(watch.now() - lost).toBeLessThan(5_000);
});

test('a standby links to the status page of the leader, also to that of the next one', async () => {
  const first = rig({ 'a.yaml': addresses('mqtt') });
  await first.until(({ nextRefresh }) => nextRefresh !== undefined);
  const second = first.another();
  await second.until(({ leaderUrl }) => leaderUrl === 'http://10.0.0.1:9470/');
  expect(first.status()).not.toHaveProperty('leaderUrl');
  const { html } = statusPage(second.status());
  expect(html).toContain('<a href="http://10.0.0.1:9470/">Status page of the leader</a>');
  expect(statusJson(second.status()).leader_url).toBe('http://10.0.0.1:9470/');
  await first.stop();
  await second.until(({ role }) => role === 'leader');
  expect(second.status()).not.toHaveProperty('leaderUrl');
});

test('a watch whose lock another stack has is no standby: nobody would reconcile its stack', async () => {
  const first = rig({ 'a.yaml': addresses('mqtt') });
  await first.until(({ nextRefresh }) => nextRefresh !== undefined);
  const second = first.another({ name: 'shop', id: '0badcafe' });
  const status = await second.until(({ failures }) => failures.some(({ scope }) => scope === 'lock'));
  expect(status.failures).toMatchObject([{ scope: 'lock', code: 'STATE_STACK_MISMATCH' }]);
  expect(status.failures[0]?.message).toMatch(/belongs to stack 7f3a9c21, not to 0badcafe$/);
  expect(status.conditions.find(({ type }) => type === 'Ready')?.reason).not.toBe('Standby');
});

test.each([
  ['sluice apply', 'the commands of people have no page, and what was recorded is of this process'],
  ['sluice watch', 'another watch has recorded nothing yet'],
])('a standby does not show its own page as that of the leader (%s: %s)', async (command) => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  watch.rob(command);
  await watch.until(({ role }) => role === 'standby');
  await vi.waitFor(() => expect(watch.status().leader).toContain(command), { timeout: 120_000 });
  await watch.pass(5_000);
  expect(watch.status()).not.toHaveProperty('leaderUrl');
  if (command === 'sluice apply') expect(watch.status()).not.toHaveProperty('leaderRecorded');
});

test('a standby shows the status that the leader recorded, and when its last heartbeat was', async () => {
  const first = rig({ 'a.yaml': addresses('mqtt') });
  await first.until(({ nextRefresh }) => nextRefresh !== undefined);
  const second = first.another();
  await second.until(({ leaderRecorded }) => leaderRecorded?.ready.reason === 'InSync');
  first.set({ applyOnChange: false });
  first.write({ 'a.yaml': addresses('mqtt', 'ssh') });
  const { leaderHeartbeat } = await second.until(
    ({ leaderRecorded }) => leaderRecorded?.ready.reason === 'WaitingForApproval',
  );
  expect(leaderHeartbeat).toBeDefined();
  expect(second.status().leaderRecorded?.asked).toEqual(['1 change requires approval']);
  const { html } = statusPage(second.status());
  expect(html).toContain('Last heartbeat of the leader');
  expect(html).toContain('1 change requires approval');
  expect(html).toContain('WaitingForApproval');
  await first.stop();
  await second.until(({ role }) => role === 'leader');
  expect(second.status()).not.toHaveProperty('leaderRecorded');
  expect(second.status()).not.toHaveProperty('leaderHeartbeat');
});

test('what failed under other manifests is tried at once, and has not recovered before it works', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.until(({ nextRefresh }) => nextRefresh !== undefined);
  const works = watch.account.emulator.intercept(({ method }, next) =>
    method === 'PATCH' ? { status: 422, headers: {}, body: '{}' } : next(),
  );
  watch.write({ 'a.yaml': address('mqtt', 'office') });
  await watch.rests();
  const failed = watch.log.length;
  watch.write({ 'a.yaml': address('mqtt', 'kitchen') });
  await watch.pass(1_000);
  expect(watch.log.slice(failed).join('\n')).toMatch(/failed: ReservedAddr\/mqtt: .*retry in [45] s/);
  expect(watch.log.join('\n')).not.toContain('recovered');
  works();
  watch.write({ 'a.yaml': address('mqtt', 'cellar') });
  await watch.rests();
  expect(watch.log.join('\n')).toContain('recovered: ReservedAddr/mqtt: recovered');
  expect(watch.status().failures).toEqual([]);
});

test('a new leader goes on with what was approved under the one before, and shows what that one did', async () => {
  const first = rig({ 'a.yaml': address('mqtt', 'Sensors') }, { applyOnChange: false });
  await first.rests();
  const second = first.another();
  await second.until(({ role }) => role === 'standby');
  const works = first.account.emulator.intercept(({ method }, next) =>
    method === 'POST' ? { status: 422, headers: {}, body: '{}' } : next(),
  );
  await first.approve();
  await first.until(({ failures }) => failures.length > 0);
  await first.stop();
  works();
  first.write({ 'a.yaml': addresses('ssh') + address('mqtt', 'Sensors') });
  const status = await second.until(({ history }) => history.length > 1);
  expect(status.history).toMatchObject([
    { outcome: [{ address: 'ReservedAddr/mqtt', ending: 'done' }] },
    { outcome: [{ address: 'ReservedAddr/mqtt', ending: 'failed' }], approvals: [{ by: 'ada' }] },
  ]);
  expect((await second.rests()).pending).toMatchObject([{ address: 'ReservedAddr/ssh', reason: 'approval' }]);
});
