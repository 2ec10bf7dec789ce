/* A failure is of a change that is tried again; what replaced that change, and waits for a person, has not failed. */
import { expect, test } from 'vitest';
import { address } from './start-watch.ts';
import { rig } from './rig.ts';

test('the failure of a change that a newer one replaced, which requires approval, is over', async () => {
  const watch = rig({ 'a.yaml': address('A') }, { applyOnChange: false });
  await watch.until(({ awaited, nextRefresh }) => awaited !== undefined && nextRefresh !== undefined);
  await watch.approve();
  await watch.until(({ awaited, nextRefresh }) => awaited === undefined && nextRefresh !== undefined);
  watch.write({ 'a.yaml': address('B') });
  await watch.until(({ awaited, nextRefresh }) => awaited !== undefined && nextRefresh !== undefined);
  const heal = watch.account.emulator.intercept((exchange, next) =>
    exchange.method === 'PATCH' ? Promise.resolve({ status: 503, headers: {}, body: '{}' }) : next(),
  );
  await watch.approve();
  await watch.until(({ failures }) => failures.some(({ scope }) => scope === 'ReservedAddr/mqtt'));
  watch.write({ 'a.yaml': address('C') });
  const status = await watch.until(({ awaited, nextRefresh }) => awaited !== undefined && nextRefresh !== undefined);
  heal();
  expect(status.failures).toEqual([]);
  expect(status.conditions.find(({ type }) => type === 'Ready')).toMatchObject({ reason: 'WaitingForApproval' });
});
