/* A resource that no manifest wants, and that only its marker or an entry about another one shows to be ours. */
import { expect, test } from 'vitest';
import { refusalAnswer, refuse } from '../../src/emulator/answer.ts';
import { harness } from '../support/harness.ts';

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

test('is found again though the one that replaced it is deleted first, and was the last of its kind', async () => {
  const walk = harness();
  await walk.converge({ 'stack.yaml': audit + address });
  const old = walk.state()?.entries['ReservedAddr/db']?.id ?? '';
  const serveAgain = walk.emulator.intercept(({ method, path }, next) =>
    method === 'DELETE' && path.endsWith(old) ? refusalAnswer(refuse(400, undefined, 'not this time'), 'op_1') : next(),
  );
  await walk.apply((await walk.plan({ 'stack.yaml': audit + address.replace('eu', 'us') })).plan);
  await walk.apply((await walk.plan({ 'stack.yaml': audit })).plan);
  expect(walk.state()?.entries['ReservedAddr/db']).toMatchObject({ id: old });
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
  const serveAgain = walk.emulator.intercept(({ method }, next) =>
    method === 'DELETE' ? refusalAnswer(refuse(400, undefined, 'not this time'), 'op_1') : next(),
  );
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
  const serveAgain = walk.emulator.intercept(({ method }, next) =>
    method === 'DELETE' ? refusalAnswer(refuse(400, undefined, 'not this time'), 'op_1') : next(),
  );
  await walk.apply(plan);
  serveAgain();
  const { plan: next } = await walk.converge({ 'stack.yaml': audit });
  expect(next.changes).toContainEqual(expect.objectContaining({ address: 'ReservedAddr/db', action: 'delete' }));
  expect(walk.emulator.snapshot().resources.map(({ kind }) => kind)).toEqual(['EventSubscription']);
  expect(Object.keys(walk.state()?.entries ?? {})).toEqual(['EventSubscription/audit']);
});
