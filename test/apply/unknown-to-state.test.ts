/* A resource that only its marker shows to be ours, since the state was lost, and that no manifest wants. */
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
