import { describe, expect, test } from 'vitest';
import { clientOf } from '../support/client-of.ts';
import type { Clock } from '../../src/api/clock.ts';
import { createRetry } from '../../src/api/retry.ts';
import { exitCodeOfOutcome } from '../../src/cli/exit-code.ts';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { harness } from '../support/harness.ts';

const address = (name: string, more = '') => `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: ${name}}
lifecycle: {protect: false}
spec: {region: eu${more}}
---
`;

const requests = {
  DELETE: address('meters'),
  PATCH: address('devices', ', description: Devices') + address('meters'),
} as const;

const cases = [
  { method: 'DELETE', then: 'refused=0' },
  { method: 'DELETE', then: 'status-before=401' },
  { method: 'DELETE', then: 'status-before=400' },
  { method: 'PATCH', then: 'refused=0' },
  { method: 'PATCH', then: 'status-before=401' },
  { method: 'PATCH', then: 'status-before=400' },
  { method: 'PATCH', then: 'status-before=404' },
  { method: 'PATCH', then: 'status-before=405' },
] as const;

const impatient: Clock = { now: () => 0, sleep: () => Promise.resolve(), random: () => 0.5 };

/** Applies a change whose request loses its first answer; each time it is sent again it meets the other fault, if there is one. */
async function applied(method: keyof typeof requests, then?: string) {
  const walk = harness();
  await walk.converge({ 'stack.yaml': address('devices') + address('meters') });
  const { plan } = await walk.plan({ 'stack.yaml': requests[method] });
  const lost = faulty(parseFault(`reset-after@${method}:ReservedAddr:1`));
  const later = then === undefined ? undefined : faulty(parseFault(`${then}@${method}:ReservedAddr:0`));
  let sent = 0;
  walk.emulator.intercept((exchange, next, world) => {
    sent += exchange.method === method ? 1 : 0;
    return sent < 2 ? lost(exchange, next, world) : (later?.(exchange, next, world) ?? next());
  });
  const client = clientOf(walk.emulator.dispatcher(), { repeat: createRetry({ clock: impatient }) });
  const outcome = await walk.apply(plan, { client });
  expect(sent).toBeGreaterThan(1);
  return outcome;
}

describe('a request whose response was lost, and that fails when it is sent again', () => {
  test.each(cases)('may have been carried out: $method, then $then', async ({ method, then }) => {
    const outcome = await applied(method, then);
    expect(outcome.changes).toMatchObject([{ address: 'ReservedAddr/devices', ending: 'unknown' }]);
    expect(exitCodeOfOutcome(outcome)).toBe(6);
  });

  test.each(['DELETE', 'PATCH'] as const)('is done where it passes then: %s', async (method) => {
    const { changes } = await applied(method);
    expect(changes).toMatchObject([{ address: 'ReservedAddr/devices', ending: 'done' }]);
  });
});

test('an update whose response was lost is not sent again to what is gone by then', async () => {
  const walk = harness();
  await walk.converge({ 'stack.yaml': requests.DELETE });
  const { plan } = await walk.plan({ 'stack.yaml': address('meters', ', description: Meters') });
  const sent: string[] = [];
  walk.emulator.intercept(async (exchange, next) => {
    const { method, path, headers } = exchange;
    if (method === 'PATCH') sent.push(method);
    if (method !== 'PATCH' || sent.length > 1) return next();
    await walk.emulator.handle({ method: 'DELETE', path, headers });
    return { status: 503, headers: {}, body: '{}' };
  });
  expect((await walk.apply(plan)).changes).toMatchObject([{ ending: 'failed', code: 'NOT_FOUND' }]);
  expect(sent).toEqual(['PATCH']);
});

test.each([404, 405])(
  'a module whose response was lost, and that is then answered %i, may have been written',
  async (status) => {
    const walk = harness({ profile: 'documented' });
    const edge = (policy: string) => ({
      'stack.yaml': `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  routes: [{match_type: path_prefix, match: /, backend: {backend_id: bkd_1}, ip_restriction: {ip_policy_ids: [${policy}]}}]
`,
    });
    await walk.converge(edge('ipp_1'));
    const { plan } = await walk.plan(edge('ipp_2'));
    const sent: string[] = [];
    walk.emulator.intercept(async ({ method }, next) => {
      if (method !== 'PUT') return next();
      sent.push(method);
      if (sent.length === 1) await next();
      return { status: sent.length === 1 ? 503 : status, headers: {}, body: '{"msg": "not now"}' };
    });
    const client = clientOf(walk.emulator.dispatcher(), { repeat: createRetry({ clock: impatient }) });
    const { changes } = await walk.apply(plan, { client });
    expect(changes).toMatchObject([{ ending: 'unknown', code: 'EARLIER_ATTEMPT_LOST' }]);
    expect(sent).toEqual(['PUT', 'PUT']);
  },
);
