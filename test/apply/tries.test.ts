import { expect, test } from 'vitest';
import type { Clock } from '../../src/api/clock.ts';
import { harness } from '../support/harness.ts';

const audit = (description: string) => ({
  'stack.yaml': `apiVersion: sluice/v1
kind: EventSubscription
metadata: {name: audit}
spec: {description: ${description}, sources: [{type: a.v0}]}
`,
});

/** What a run sends to a service that answers each request of a method in one way, and how its change ends. */
async function tried(method: 'POST' | 'PATCH', status: number, wait: Partial<Clock> = {}) {
  const walk = harness();
  if (method === 'PATCH') await walk.converge(audit('one'));
  const { plan } = await walk.plan(audit('two'));
  const sent: string[] = [];
  walk.emulator.intercept((exchange, next) => {
    // Whoever never stops is distinguished from whoever stops late.
    if (exchange.method !== method || sent.length === 50) return next();
    sent.push(exchange.body);
    return Promise.resolve({ status, headers: {}, body: '<html>' });
  });
  const clock: Clock = { now: () => 0, sleep: () => Promise.resolve(), random: () => 0, ...wait };
  const { changes } = await walk.apply(plan, { clock });
  return { ending: changes[0]?.ending, sent: sent.length, nonces: new Set(sent).size };
}

test('an update whose response is always lost is sent five times', async () => {
  expect(await tried('PATCH', 503)).toMatchObject({ ending: 'unknown', sent: 5 });
});

test('an update that was certainly not carried out is sent once: the client has repeated it as often as that helps', async () => {
  expect(await tried('PATCH', 429)).toMatchObject({ ending: 'failed', sent: 1 });
});

test('a creation whose response does not show what it made is sent five times, each with a nonce of its own', async () => {
  expect(await tried('POST', 200)).toEqual({ ending: 'unknown', sent: 5, nonces: 5 });
});

test('a creation that the service answers with 408 is sent twenty times with the same nonce', async () => {
  expect(await tried('POST', 408)).toEqual({ ending: 'unknown', sent: 20, nonces: 1 });
});

/** How often a creation is sent whose response is always lost, with a signal that ends the run at the first loss or never. */
async function lostCreation(isInterrupted: boolean) {
  const walk = harness();
  const { plan } = await walk.plan(audit('one'));
  const stop = new AbortController();
  let sent = 0;
  walk.emulator.intercept(({ method }, next) => {
    if (method !== 'POST' || sent === 50) return next();
    sent += 1;
    if (isInterrupted) stop.abort();
    return { status: 200, headers: {}, body: '<html>' };
  });
  const { changes } = await walk.apply(plan, { signal: stop.signal });
  return { ending: changes[0]?.ending, sent };
}

test('a creation whose response is lost as the run is interrupted is not sent again', async () => {
  expect(await lostCreation(true)).toEqual({ ending: 'unknown', sent: 1 });
});

test('a creation whose response is lost in a run that goes on is sent five times', async () => {
  expect(await lostCreation(false)).toEqual({ ending: 'unknown', sent: 5 });
});
