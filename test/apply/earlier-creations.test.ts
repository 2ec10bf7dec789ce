/* What becomes of the record of creations that an earlier run has begun. */
import { describe, expect, test } from 'vitest';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import type { Intent } from '../../src/model/state.ts';
import { emptyState } from '../../src/state/store.ts';
import { asSomebody } from '../support/as-somebody.ts';
import { harness, type Harness } from '../support/harness.ts';

const address = 'apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: devices}\nspec: {region: eu}\n';
const intents: Readonly<Record<string, Intent>> = {
  'ReservedAddr/devices': { kind: 'ReservedAddr', nonces: ['0123456789ab'] },
};

/** A service that creates what it is asked to, and answers nothing. */
function interrupted({ emulator }: Harness): () => void {
  return emulator.intercept(async ({ method }, next) => {
    if (method === 'POST') await next();
    return { status: 500, headers: {}, body: '{}' };
  });
}

function begun() {
  return harness({ state: { ...emptyState('7f3a9c21', 'http://127.0.0.1'), intents } });
}

describe('a creation that the plan takes for resolved', () => {
  const resolved = ['ReservedAddr/devices'];

  test('is open no longer once the plan is carried out', async () => {
    const walk = begun();
    const { plan } = await walk.plan({ 'stack.yaml': '' });
    await walk.apply({ ...plan, resolvedCreations: resolved });
    expect(walk.state()?.intents).toEqual({});
  });

  test('is open still where it appears late: a list may lag behind', async () => {
    const walk = harness();
    const created = { 'stack.yaml': address.replace('spec:', 'lifecycle: {protect: false}\nspec:') };
    const { plan } = await walk.plan(created);
    const serveAgain = interrupted(walk);
    await walk.apply(plan);
    serveAgain();
    const catchUp = walk.emulator.intercept(async ({ method }, next) => {
      const answer = await next();
      return method === 'GET'
        ? { ...answer, body: JSON.stringify({ reserved_addrs: [], next_page_uri: null }) }
        : answer;
    });
    const { plan: reverted } = await walk.plan({ 'stack.yaml': '' });
    expect(reverted).toMatchObject({ changes: [], resolvedCreations: resolved });
    catchUp();
    await walk.apply(reverted);
    const { plan: next } = await walk.converge({ 'stack.yaml': '' });
    expect(next.changes).toMatchObject([{ address: 'ReservedAddr/devices', action: 'delete' }]);
    expect(walk.emulator.snapshot().resources).toEqual([]);
  });

  test('is open still where its change fails', async () => {
    const walk = begun();
    const { plan } = await walk.plan({ 'stack.yaml': address });
    walk.emulator.intercept(faulty(parseFault('status-before=400@POST:ReservedAddr:0')));
    const { changes } = await walk.apply({ ...plan, resolvedCreations: resolved });
    expect(changes).toMatchObject([{ ending: 'failed' }]);
    expect(walk.state()?.intents).toMatchObject(intents);
  });
});

describe('a creation that only a person can resolve', () => {
  const unresolved = [{ address: 'ReservedAddr/devices', kind: 'ReservedAddr' }];

  test('is reported beside the changes, where none of them is about it', async () => {
    const walk = begun();
    const { plan } = await walk.plan({ 'stack.yaml': '' });
    expect((await walk.apply({ ...plan, unresolved, resolvedCreations: [] })).unresolved).toEqual(unresolved);
  });

  test('is reported as its change, where that is not done', async () => {
    const walk = begun();
    const { plan } = await walk.plan({ 'stack.yaml': address });
    walk.emulator.intercept(faulty(parseFault('status-before=400@POST:ReservedAddr:0')));
    expect((await walk.apply({ ...plan, unresolved, resolvedCreations: [] })).unresolved).toEqual([]);
  });

  test('is no longer reported once it is made', async () => {
    const walk = begun();
    const { plan } = await walk.plan({ 'stack.yaml': address });
    const outcome = await walk.apply({ ...plan, unresolved, resolvedCreations: [] });
    expect(outcome).toMatchObject({ changes: [{ ending: 'done' }], unresolved: [] });
  });
});

test('a refusal after which the look for an earlier creation fails is unknown, for the reason of the look', async () => {
  const walk = begun();
  const { plan } = await walk.plan({ 'stack.yaml': address });
  let posts = 0;
  const refused = faulty(parseFault('status-before=400@POST:ReservedAddr:0'));
  const broken = faulty(parseFault('status-before=500@GET:ReservedAddr:0'));
  walk.emulator.intercept((exchange, next, world) => {
    posts += exchange.method === 'POST' ? 1 : 0;
    return exchange.method === 'POST'
      ? refused(exchange, next, world)
      : posts > 0
        ? broken(exchange, next, world)
        : next();
  });
  expect((await walk.apply(plan)).changes).toMatchObject([{ ending: 'unknown', status: 500 }]);
  expect(walk.state()?.intents).toMatchObject({
    'ReservedAddr/devices': { nonces: ['0123456789ab', expect.any(String)] },
  });
});

test('what an interrupted run created, and this one replaces, is not taken for its own replacement', async () => {
  const walk = harness();
  const there = (region: string) => ({
    'stack.yaml': address.replace('spec: {region: eu}', `lifecycle: {protect: false}\nspec: {region: ${region}}`),
  });
  const { plan } = await walk.plan(there('eu'));
  const serveAgain = interrupted(walk);
  expect((await walk.apply(plan)).changes).toMatchObject([{ ending: 'unknown' }]);
  serveAgain();
  const { plan: next } = await walk.converge(there('us'));
  expect(next.changes).toMatchObject([{ action: 'replace-create-first' }]);
  expect(walk.emulator.snapshot().resources.map(({ id }) => id)).toEqual([
    walk.state()?.entries['ReservedAddr/devices']?.id,
  ]);
});

test('what it made is recognised when it appears late, though a change of another with the same marker has failed', async () => {
  const walk = begun();
  const made = async (n: string): Promise<string | undefined> => {
    const sluice = { s: 'prod/7f3a9c21', a: 'ReservedAddr/devices', p: '', n };
    await asSomebody(walk, 'POST', '/reserved_addrs', { region: 'eu', metadata: JSON.stringify({ sluice }) });
    return walk.emulator.snapshot().resources.at(-1)?.id;
  };
  await made('fedcba987654');
  const wanted = {
    'stack.yaml': address.replace('spec: {', 'lifecycle: {protect: false}\nspec: {description: Devices, '),
  };
  const serveAgain = walk.emulator.intercept(faulty(parseFault('status-before=400@PATCH:ReservedAddr:0')));
  expect((await walk.apply((await walk.plan(wanted)).plan)).changes).toMatchObject([{ ending: 'failed' }]);
  serveAgain();
  const own = await made('0123456789ab');
  await walk.converge(wanted);
  expect(walk.state()?.entries['ReservedAddr/devices']?.id).toBe(own);
});
