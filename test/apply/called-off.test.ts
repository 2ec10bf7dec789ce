/* Requests that wait for their turn when the run is interrupted: they are not sent. */
import { expect, test } from 'vitest';
import { clientOf } from '../support/client-of.ts';
import { harness } from '../support/harness.ts';

const address = (name: string, more = '') => `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: ${name}}
spec: {region: eu${more}}
---
`;

test('a change whose request was not sent has not started, and nothing is left of it', async () => {
  const walk = harness();
  await walk.converge({ 'stack.yaml': address('devices') });
  const before = walk.state();
  const { plan } = await walk.plan({ 'stack.yaml': address('devices', ', description: Devices') + address('meters') });
  const stop = new AbortController();
  const client = clientOf(walk.emulator.dispatcher(), {
    calledOff: stop.signal,
    limiter: {
      admit: () => {
        stop.abort();
        return Promise.reject(new Error('the run was interrupted'));
      },
    },
  });
  const { changes, interrupted } = await walk.apply(plan, { client, signal: stop.signal });
  expect(interrupted).toBe(true);
  expect(changes.map(({ ending }) => ending)).toEqual(['not-started', 'not-started']);
  expect(walk.state()?.entries).toEqual(before?.entries);
  expect(walk.state()?.intents ?? {}).toEqual({});
});
