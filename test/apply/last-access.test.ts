/* What requests had to satisfy before they reach nothing: remembered before anything is sent, forgotten once all is done. */
import { expect, test } from 'vitest';
import { refusalAnswer, Refusal } from '../../src/emulator/answer.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import type { LastAccess } from '../../src/model/state.ts';
import { harness, type Harness } from '../support/harness.ts';

const address = (name: string) => `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: ${name}}
spec: {region: eu}
`;
const both = { 'stack.yaml': `${address('a')}---\n${address('b')}` };
const access = { as: 'it was' } as unknown as LastAccess;

async function planned(walk: Harness, lastAccess: Plan['lastAccess']): Promise<Plan> {
  return { ...(await walk.plan(both)).plan, lastAccess };
}

test('it is remembered before anything is sent', async () => {
  const walk = harness();
  let before: unknown;
  walk.emulator.intercept(({ method }, next) => {
    if (method === 'POST') before ??= walk.state()?.lastAccess;
    return next();
  });
  await walk.apply(await planned(walk, { remember: { 'a.example.com': access }, forget: [] }));
  expect(before).toEqual({ 'a.example.com': access });
});

test('it is forgotten once every change is done', async () => {
  const walk = harness();
  const lastAccess = { remember: { 'a.example.com': access, 'b.example.com': access }, forget: ['b.example.com'] };
  await walk.apply(await planned(walk, lastAccess));
  expect(walk.state()?.lastAccess).toEqual({ 'a.example.com': access });
});

test('it is not forgotten where one of two changes fails', async () => {
  const walk = harness();
  walk.emulator.intercept((exchange, next) =>
    exchange.body.includes('ReservedAddr/b')
      ? refusalAnswer(new Refusal(400, undefined, 'not this time'), 'op_1')
      : next(),
  );
  const lastAccess = { remember: { 'b.example.com': access }, forget: ['b.example.com'] };
  const { changes } = await walk.apply(await planned(walk, lastAccess));
  expect(changes.map(({ ending }) => ending)).toEqual(['done', 'failed']);
  expect(walk.state()?.lastAccess).toEqual({ 'b.example.com': access });
});
