/* A resource that only its marker, or an entry about another one, shows to be ours. */
import { expect, test } from 'vitest';
import { refusalAnswer, Refusal } from '../../src/emulator/answer.ts';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { asSomebody } from '../support/as-somebody.ts';
import { harness, type Harness } from '../support/harness.ts';
import { loadText } from '../support/load-text.ts';

const audit = `apiVersion: sluice/v1
kind: EventSubscription
metadata: {name: audit}
spec: {sources: [{type: a.v0}]}
`;
const address = `---
apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: db}
lifecycle: {protect: false}
spec: {region: eu}
`;

/** A service that refuses requests of a method for now, or those to a path. */
function refusing({ emulator }: Harness, refused: string, to = ''): () => void {
  return emulator.intercept(({ method, path }, next) =>
    method === refused && path.endsWith(to)
      ? refusalAnswer(new Refusal(400, undefined, 'not this time'), 'op_1')
      : next(),
  );
}

function kindsIn({ emulator }: Harness): string[] {
  return emulator.snapshot().resources.map(({ kind }) => kind);
}

function idsOfEdges({ emulator }: Harness): string[] {
  return emulator.snapshot().resources.flatMap(({ kind, id }) => (kind === 'HTTPSEdge' ? [id] : []));
}

test('is found again though the one that replaced it is deleted first, and was the last of its kind', async () => {
  const walk = harness();
  await walk.converge({ 'stack.yaml': audit + address });
  const old = walk.state()?.entries['ReservedAddr/db']?.id ?? '';
  const serveAgain = refusing(walk, 'DELETE', old);
  await walk.apply((await walk.plan({ 'stack.yaml': audit + address.replace('eu', 'us') })).plan);
  await walk.apply((await walk.plan({ 'stack.yaml': audit })).plan);
  expect(walk.state()?.entries['ReservedAddr/db']).toMatchObject({ id: old });
  expect(walk.state()?.entries['ReservedAddr/db']).not.toHaveProperty('deleting');
  serveAgain();
  const { plan } = await walk.converge({ 'stack.yaml': audit });
  expect(plan.changes).toContainEqual(
    expect.objectContaining({ address: 'ReservedAddr/db', action: 'delete', id: old }),
  );
  expect(Object.keys(walk.state()?.entries ?? {})).toEqual(['EventSubscription/audit']);
});

test.each([1, 10])('is gone from state with the one that replaced it, %i at a time', async (parallelism) => {
  const walk = harness();
  await walk.converge({ 'stack.yaml': audit + address });
  const serveAgain = refusing(walk, 'DELETE');
  await walk.apply((await walk.plan({ 'stack.yaml': audit + address.replace('eu', 'us') })).plan);
  serveAgain();
  await walk.apply((await walk.plan({ 'stack.yaml': audit })).plan, { parallelism });
  expect(Object.keys(walk.state()?.entries ?? {})).toEqual(['EventSubscription/audit']);
});

test('is known to state before it is deleted: the last of its kind is found again if that fails', async () => {
  const walk = harness();
  await walk.converge({ 'stack.yaml': audit + address });
  walk.loseState();
  const { plan } = await walk.plan({ 'stack.yaml': audit });
  const serveAgain = refusing(walk, 'DELETE');
  await walk.apply(plan);
  serveAgain();
  const { plan: next } = await walk.converge({ 'stack.yaml': audit });
  expect(next.changes).toContainEqual(expect.objectContaining({ address: 'ReservedAddr/db', action: 'delete' }));
  expect(walk.emulator.snapshot().resources.map(({ kind }) => kind)).toEqual(['EventSubscription']);
  expect(Object.keys(walk.state()?.entries ?? {})).toEqual(['EventSubscription/audit']);
});

test('is known to state before it is updated: it is found again if that fails, and its manifest is removed then', async () => {
  const walk = harness();
  await walk.converge({ 'stack.yaml': audit + address });
  walk.loseState();
  const described = address.replace('eu', 'eu, description: Database');
  const { plan } = await walk.plan({ 'stack.yaml': audit + described });
  const serveAgain = refusing(walk, 'PATCH');
  await walk.apply(plan);
  serveAgain();
  const next = await walk.plan({ 'stack.yaml': audit + described });
  expect(next.plan.changes).toMatchObject([
    { address: 'EventSubscription/audit', action: 'none' },
    { address: 'ReservedAddr/db', action: 'update', fields: [{ reason: 'unknown' }] },
  ]);
  await walk.converge({ 'stack.yaml': audit });
  expect(kindsIn(walk)).toEqual(['EventSubscription']);
});

test('is known to state before it is replaced: it is deleted though the run ends before it knows of the new one', async () => {
  const walk = harness();
  await walk.converge({ 'stack.yaml': address });
  walk.loseState();
  const there = { 'stack.yaml': address.replace('eu', 'us') };
  const { plan } = await walk.plan(there);
  const serveAgain = walk.emulator.intercept(async ({ method }, next) => {
    if (method === 'POST') await next();
    return { status: 500, headers: {}, body: '{}' };
  });
  await walk.apply(plan);
  serveAgain();
  const { plan: next } = await walk.converge(there);
  expect(next.steps.map(({ request }) => request.method)).toEqual(['DELETE']);
  expect(kindsIn(walk)).toEqual(['ReservedAddr']);
});

test('is known to state after a run of a part of the manifests, and deleted by the next run of all', async () => {
  const walk = harness();
  await walk.converge({ 'stack.yaml': audit + address });
  walk.loseState();
  const part = { ...(await loadText({ 'stack.yaml': audit }, walk)), complete: false };
  const { plan, account } = await walk.plan(part);
  expect(plan.changes.map((change) => change.address)).toEqual(['EventSubscription/audit']);
  await walk.apply(plan, { account });
  const { plan: next } = await walk.converge({ 'stack.yaml': audit });
  expect(next.changes).toContainEqual(expect.objectContaining({ address: 'ReservedAddr/db', action: 'delete' }));
  expect(kindsIn(walk)).toEqual(['EventSubscription']);
});

test('is found again though it is a duplicate, and only what it is a duplicate of is deleted', async () => {
  const walk = harness();
  const once = walk.emulator.intercept(faulty(parseFault('executed-twice@POST:ReservedAddr:1')));
  await walk.apply((await walk.plan({ 'stack.yaml': audit + address })).plan);
  once();
  const { plan } = await walk.plan({ 'stack.yaml': audit });
  const duplicate = plan.changes.find(({ cleanup }) => cleanup === 'duplicate')?.id ?? 'none';
  const serveAgain = refusing(walk, 'DELETE', duplicate);
  const { changes } = await walk.apply(plan);
  expect(changes.map(({ ending }) => ending)).toEqual(['done', 'failed']);
  serveAgain();
  await walk.converge({ 'stack.yaml': audit });
  expect(kindsIn(walk)).toEqual(['EventSubscription']);
  expect(Object.keys(walk.state()?.entries ?? {})).toEqual(['EventSubscription/audit']);
});

test.each(['completed', 'documented'] as const)(
  'is deleted by the next run though it is a duplicate of what is released (%s)',
  async (profile) => {
    const walk = harness({ profile });
    const edge = (name: string, lifecycle = '') =>
      `---\napiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: ${name}}\nlifecycle: {${lifecycle}}\nspec: {hostports: ['${name}.example.com:443']}\n`;
    await walk.converge({ 'stack.yaml': audit + edge('shop', 'on_remove: retain') });
    const { id = '', nonce } = walk.state()?.entries['HTTPSEdge/shop'] ?? {};
    const sluice = { s: 'prod/7f3a9c21', a: 'HTTPSEdge/shop', p: 'r', n: nonce };
    const metadata = JSON.stringify({ sluice });
    await asSomebody(walk, 'POST', '/edges/https', { metadata, hostports: ['www.example.com:443'] });
    const duplicate = idsOfEdges(walk).find((one) => one !== id) ?? '';
    // Under `documented`, edges are searched for where one is new.
    const { plan } = await walk.plan({ 'stack.yaml': audit + edge('new') });
    expect(plan.changes).toContainEqual(expect.objectContaining({ action: 'delete', id: duplicate }));
    const serveAgain = refusing(walk, 'DELETE', duplicate);
    await walk.apply(plan);
    serveAgain();
    await walk.converge({ 'stack.yaml': audit + edge('new') });
    expect(idsOfEdges(walk)).toContain(id);
    expect(idsOfEdges(walk)).not.toContain(duplicate);
    expect(Object.keys(walk.state()?.entries ?? {}).sort()).toEqual(['EventSubscription/audit', 'HTTPSEdge/new']);
  },
);

test.each(['', ', also where no marker can be changed'])(
  'has no former address that another resource takes%s',
  async (isRefused) => {
    const walk = harness();
    const named = (name: string, from?: string) =>
      `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: ${name}}\nlifecycle: {protect: false${from === undefined ? '' : `, moved_from: [ReservedAddr/${from}]`}}\nspec: {region: eu}\n---\n`;
    await walk.converge({ 'stack.yaml': named('a') + named('b') });
    walk.loseState();
    const moved = { 'stack.yaml': named('b', 'a') + named('c', 'b') };
    if (isRefused === '') await walk.converge(moved);
    else {
      refusing(walk, 'PATCH');
      await walk.apply((await walk.plan(moved)).plan);
    }
    expect(walk.state()?.entries).toMatchObject({ 'ReservedAddr/b': { formerAddresses: ['ReservedAddr/a'] } });
    expect(walk.state()?.entries['ReservedAddr/c']).not.toHaveProperty('formerAddresses');
  },
);
