/* What the status page shows of an approval that cannot take effect at once. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stackText } from '../../src/cli/commands/watch/stack-text.ts';
import { statusJson } from '../../src/render/status/status-json.ts';
import type { StatusJson } from '../../src/render/status/status-json-schema.ts';
import { statusPage } from '../support/status-page.ts';
import { jsonText } from '../../src/render/text/json-text.ts';
import { address, shop } from './company-files.ts';
import { rig, type Rig } from './rig.ts';

const blocksOpening = { policy: { maxDeletes: { count: 1 }, block: ['OPENS_ACCESS'] as const } };

async function waiting(): Promise<Rig> {
  const watch = rig({ 'a.yaml': shop(['example.com']) }, blocksOpening);
  await watch.rests();
  watch.write({ 'a.yaml': shop(['example.com', 'example.net']) });
  expect((await watch.rests()).awaited).toBeDefined();
  return watch;
}

const isOpen = (watch: Rig): boolean => JSON.stringify(watch.spec('HTTPSEdgeRoute/shop:front')).includes('example.net');

test('what is approved during a pause is applied once it ends', async () => {
  const watch = await waiting();
  const { digest } = watch.status().awaited ?? { digest: '' };
  await watch.request((before) => ({ ...before, pause: { until: watch.now() + 600_000, by: 'ada' } }));
  await watch.until(({ role }) => role === 'paused');
  await watch.approve(digest);
  await watch.pass(300_000);
  expect(isOpen(watch)).toBe(false);
  const status = watch.status();
  expect(status.approvalGiven).toMatchObject({ digest, by: 'ada' });
  const printed = stackText(JSON.parse(jsonText(statusJson(status))) as StatusJson);
  expect(printed).toMatch(/\n {2}approved by ada at \S+; the changes are applied after the pause ends\n/);
  expect(printed).not.toContain('sluice approve');
  const page = statusPage(status)
    .html.replace(/<[^>]*>|\s+/g, ' ')
    .replace(/ +/g, ' ');
  expect(page).toMatch(/Approved by ada , [^.]* ago *\. Approved changes are applied after the pause ends\./);
  expect(page).not.toMatch(/To review and approve|If you approve/);
  await watch.until(({ pending, role }) => role === 'leader' && pending.length === 0);
  expect(isOpen(watch)).toBe(true);
});

test('what is approved while the account cannot be read is applied once it can', async () => {
  const watch = await waiting();
  const { digest } = watch.status().awaited ?? { digest: '' };
  const heal = watch.account.emulator.intercept(() => Promise.resolve({ status: 400, headers: {}, body: '{}' }));
  await watch.until(({ failures }) => failures.some(({ scope }) => scope === 'account'));
  await watch.approve(digest);
  await watch.pass(60_000);
  expect(isOpen(watch)).toBe(false);
  heal();
  await watch.until(({ pending, failures }) => failures.length === 0 && pending.length === 0);
  expect(isOpen(watch)).toBe(true);
});

test('what is approved while something else is applied is applied at once afterwards', async () => {
  const watch = await waiting();
  const letGo = watch.holdUp('POST');
  watch.write({ 'a.yaml': shop(['example.com', 'example.net']) + address('mqtt', 'Sensors') });
  const { awaited } = await watch.until(({ applying }) => applying !== undefined);
  await watch.approve(awaited?.digest);
  await watch.until(({ approvalGiven }) => approvalGiven !== undefined);
  expect(isOpen(watch)).toBe(false);
  letGo();
  const before = watch.now();
  await watch.until(({ pending, nextRefresh }) => pending.length === 0 && nextRefresh !== undefined);
  expect(isOpen(watch)).toBe(true);
  expect(watch.now() - before).toBeLessThan(10_000);
});

test('what is approved, and taken back before the approval was read, leaves an approval of nothing', async () => {
  const watch = await waiting();
  const { digest } = watch.status().awaited ?? { digest: '' };
  await watch.request((before) => ({ ...before, pause: { until: watch.now() + 600_000, by: 'ada' } }));
  await watch.until(({ role }) => role === 'paused');
  await watch.approve(digest);
  watch.write({ 'a.yaml': shop(['example.com']) });
  await watch.until(({ awaited, role }) => role === 'leader' && awaited === undefined);
  expect(watch.log).toContainEqual(
    `warn approval-unused: the approval by ada is not used: it approves ${digest}, and no changes require approval now`,
  );
});

test('what is approved, and replaced before the approval was read, requires approval again when it comes back', async () => {
  const watch = await waiting();
  const { digest } = watch.status().awaited ?? { digest: '' };
  await watch.request((before) => ({ ...before, pause: { until: watch.now() + 600_000, by: 'ada' } }));
  await watch.until(({ role }) => role === 'paused');
  await watch.approve(digest);
  watch.write({ 'a.yaml': shop(['example.com', 'example.org']) });
  await watch.until(({ awaited, role }) => role === 'leader' && awaited !== undefined && awaited.digest !== digest);
  expect(watch.log).toContainEqual(
    `warn approval-unused: the approval by ada is not used: it approves ${digest}, and other changes require approval now`,
  );
  watch.write({ 'a.yaml': shop(['example.com', 'example.net']) });
  await watch.until(({ awaited, nextRefresh }) => awaited?.digest === digest && nextRefresh !== undefined);
  expect(isOpen(watch)).toBe(false);
  await watch.pass(1000);
  await watch.approve(digest);
  await watch.until(({ pending, nextRefresh }) => pending.length === 0 && nextRefresh !== undefined);
  expect(isOpen(watch)).toBe(true);
});

/** Somebody puts back who may get in, as it was before the approved change. */
const undo = (watch: Rig): Promise<void> =>
  watch.byHand('PATCH', 'HTTPSEdgeRoute/shop:front', {
    oauth: { provider: { google: { email_domains: ['example.com'] } } },
  });

test('what was approved and applied, and then undone by somebody before the next refresh, requires approval again', async () => {
  const watch = await waiting();
  const { digest } = watch.status().awaited ?? { digest: '' };
  await watch.approve(digest);
  await watch.until(({ pending, nextRefresh }) => pending.length === 0 && nextRefresh !== undefined);
  expect(isOpen(watch)).toBe(true);
  await undo(watch);
  const { awaited } = await watch.until(({ pending, nextRefresh }) => pending.length > 0 && nextRefresh !== undefined);
  expect(isOpen(watch)).toBe(false);
  expect(awaited?.digest).toBe(digest);
});

test('the same where the process was killed before it had recorded that the change is applied', async () => {
  const watch = await waiting();
  const [file, copy] = ['watch-state.json', 'copy.json'].map((name) => join(watch.dir, name)) as [string, string];
  watch.account.emulator.intercept((exchange, next) => {
    if (exchange.method === 'PATCH' && exchange.headers['authorization'] !== 'Bearer somebody')
      copyFileSync(file, copy);
    return next();
  });
  await watch.approve();
  await watch.until(({ pending, nextRefresh }) => pending.length === 0 && nextRefresh !== undefined);
  await watch.stop();
  copyFileSync(copy, file);
  await undo(watch);
  const next = watch.another();
  await next.until(({ pending, nextRefresh }) => pending.length > 0 && nextRefresh !== undefined);
  expect(isOpen(next)).toBe(false);
});

const unapproved = { applyOnChange: false, healDrift: true };

test.each(['restart', 'pause'] as const)(
  'what needs approval is no repair after a %s, although the resource was deleted in the account',
  async (how) => {
    const watch = rig({ 'a.yaml': address('mqtt', 'Sensors') }, unapproved);
    await watch.rests();
    await watch.approve();
    await watch.until(({ pending, nextRefresh }) => pending.length === 0 && nextRefresh !== undefined);
    watch.write({ 'a.yaml': address('mqtt', 'Meters') });
    await watch.rests();
    await watch.byHand('DELETE', 'ReservedAddr/mqtt');
    let next = watch;
    if (how === 'restart') {
      await watch.stop();
      next = watch.another();
    } else {
      await watch.request((before) => ({ ...before, pause: { until: watch.now() + 5_000, by: 'ada' } }));
      await watch.until(({ role }) => role === 'paused');
      await watch.until(({ role }) => role === 'leader');
    }
    const { pending } = await next.rests();
    expect(pending).toMatchObject([{ action: 'create', reason: 'approval' }]);
    expect(next.writes()).toEqual(['POST /reserved_addrs']);
  },
);

test('an approved creation of what was deleted in the account stays approved over failures and a restart', async () => {
  const watch = rig({ 'a.yaml': address('mqtt', 'Sensors') }, unapproved);
  await watch.rests();
  await watch.approve();
  await watch.until(({ pending, nextRefresh }) => pending.length === 0 && nextRefresh !== undefined);
  await watch.byHand('DELETE', 'ReservedAddr/mqtt');
  watch.write({ 'a.yaml': address('mqtt', 'Meters') });
  await watch.rests();
  const heal = watch.account.emulator.intercept(({ method }, next) =>
    method === 'POST' ? Promise.resolve({ status: 400, headers: {}, body: '{"msg": "not now"}' }) : next(),
  );
  await watch.approve();
  await watch.until(({ failures }) => failures.length > 0);
  await watch.stop();
  heal();
  const next = watch.another();
  await next.until(({ pending, nextRefresh }) => pending.length === 0 && nextRefresh !== undefined);
  expect(next.spec('ReservedAddr/mqtt')).toMatchObject({ description: 'Meters' });
  expect(next.status().history[0]?.approvals).toMatchObject([{ by: 'ada' }]);
});
