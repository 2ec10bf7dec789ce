/* The deletion of a resource that has lost its ownership marker: a watch deletes it only once a person approves that. */
import { expect, test } from 'vitest';
import { rig } from './rig.ts';

const audit = `apiVersion: sluice/v1
kind: EventSubscription
metadata: {name: audit}
spec: {sources: [{type: edge_created.v0}]}
`;
const mqtt = `---
apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: mqtt}
`;

test('what no longer has its ownership marker is deleted once a person approves', async () => {
  const watch = rig({ 'a.yaml': audit + mqtt });
  await watch.rests();
  await watch.byHand('PATCH', 'EventSubscription/audit', { metadata: '' });
  watch.write({ 'a.yaml': mqtt });
  const { pending } = await watch.rests();
  expect(pending).toMatchObject([
    { address: 'EventSubscription/audit', action: 'delete', reason: 'approval', hazardCode: 'DELETES_UNMARKED' },
  ]);
  await watch.approve();
  expect((await watch.rests()).pending).toEqual([]);
  expect(watch.writes().at(-1)).toMatch(/^DELETE \/event_subscriptions/);
});
