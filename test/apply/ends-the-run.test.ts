/* What keeps a run from starting anything more, and what becomes of the rest. */
import { describe, expect, test } from 'vitest';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import type { LastAccess } from '../../src/model/state.ts';
import { asSomebody } from '../support/as-somebody.ts';
import { harness } from '../support/harness.ts';

const address = (name: string) => `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: ${name}}
lifecycle: {protect: false}
spec: {region: eu}
---
`;
const both = { 'stack.yaml': address('a') + address('b') };

/** How two changes end, one after the other, where the requests meet these faults in turn. */
async function endings(from: string, to: string, ...faults: readonly string[]): Promise<unknown[]> {
  const walk = harness();
  await walk.converge({ 'stack.yaml': from });
  const { plan } = await walk.plan({ 'stack.yaml': to });
  const left = [...faults];
  walk.emulator.intercept((exchange, next, world) => {
    const fault = left.shift();
    return fault === undefined || fault === 'none'
      ? next()
      : faulty(parseFault(`${fault}@*:*:1`))(exchange, next, world);
  });
  const { changes } = await walk.apply(plan, { parallelism: 1 });
  return changes.map(({ ending }) => ending);
}

describe('401 ends the run', () => {
  const all = address('a') + address('b');

  test('also to a request that was sent again because its first response was lost', async () => {
    const updated = all.replaceAll('region: eu', 'region: eu, description: new');
    expect(await endings(all, updated, 'status-after=503', 'none', 'status-before=401')).toEqual([
      'unknown',
      'not-started',
    ]);
  });

  test('also to the look-up of what may have been created', async () => {
    expect(await endings('', all, 'reset-after', 'status-before=401')).toEqual(['unknown', 'not-started']);
  });
});

test('a run starts nothing more once it may not', async () => {
  const walk = harness();
  const { plan } = await walk.plan(both);
  let sent = 0;
  walk.emulator.intercept(({ method }, next) => {
    sent += method === 'POST' ? 1 : 0;
    return next();
  });
  const { changes } = await walk.apply(plan, { parallelism: 1, mayStart: () => sent === 0 });
  expect(changes.map(({ ending }) => ending)).toEqual(['done', 'not-started']);
  expect(sent).toBe(1);
});

test('what takes no request has failed where state could not be saved before', async () => {
  const walk = harness();
  await walk.converge(both);
  await asSomebody(walk, 'DELETE', `/reserved_addrs/${walk.state()?.entries['ReservedAddr/b']?.id ?? ''}`);
  const { plan } = await walk.plan({ 'stack.yaml': address('a').replace('eu', 'eu, description: new') });
  // What is remembered first is waited for.
  const lastAccess = { remember: { 'a.example.com': {} as unknown as LastAccess }, forget: [] };
  const save = (): Promise<never> => Promise.reject(new Error('disk full'));
  expect((await walk.apply({ ...plan, lastAccess }, { save })).changes).toMatchObject([
    { address: 'ReservedAddr/a', action: 'update', ending: 'not-started' },
    { address: 'ReservedAddr/b', action: 'forget', ending: 'failed', message: 'disk full' },
  ]);
});

test('a creation whose second intent cannot be saved stays unknown: its first try may have been carried out', async () => {
  const walk = harness();
  const { plan } = await walk.plan({ 'stack.yaml': address('a') });
  walk.emulator.intercept(faulty(parseFault('reset-before@POST:ReservedAddr:1')));
  let intents = 0;
  const { changes } = await walk.apply(plan, {
    record: (change) => {
      intents += Object.keys(change.intents).length;
      return intents > 1 ? Promise.reject(new Error('disk full')) : Promise.resolve();
    },
  });
  expect(changes).toMatchObject([{ ending: 'unknown' }]);
});
