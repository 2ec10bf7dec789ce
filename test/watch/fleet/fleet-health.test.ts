import { expect, test } from 'vitest';
import type { FleetStatus } from '../../../src/model/status/fleet-status.ts';
import type { WatchStatus } from '../../../src/model/status/watch-status.ts';
import { whyFleetNotLive, whyFleetNotReady } from '../../../src/watch/fleet/fleet-health.ts';
import { fleetProbes } from '../../../src/watch/fleet/fleet-replies.ts';
import { allWell } from '../statuses.ts';

const now = allWell.now;
const running: WatchStatus = { ...allWell, dueBy: now + 1_000 };
const overdue: WatchStatus = { ...allWell, dueBy: now - 1_000 };

function fleet(statuses: readonly WatchStatus[], more: Partial<FleetStatus> = {}): FleetStatus {
  const stacks = statuses.map((status, index) => ({ path: `stack-${String(index)}`, status }));
  return { version: '1', startedAt: now, now, isStopping: false, searchDueBy: now + 1_000, stacks, ...more };
}

test('a fleet is live while the loop of any of its stacks runs', () => {
  expect(whyFleetNotLive(fleet([running, running]), now)).toBeUndefined();
  expect(whyFleetNotLive(fleet([overdue, running, overdue]), now)).toBeUndefined();
  const reason = 'the reconcile loops of all stacks are overdue';
  expect(whyFleetNotLive(fleet([overdue, overdue]), now)).toBe(reason);
});

test('a fleet of which no stack has started is live', () => {
  expect(whyFleetNotLive(fleet([]), now)).toBeUndefined();
  expect(whyFleetNotLive(fleet([], { stacks: [{ path: 'shop' }] }), now)).toBeUndefined();
});

test('a fleet whose search for stacks is overdue is not live, whatever its stacks do', () => {
  const reason = 'the search for stacks is overdue';
  expect(whyFleetNotLive(fleet([running], { searchDueBy: now - 1 }), now)).toBe(reason);
});

test('a fleet is ready once it has searched for stacks, until it stops', () => {
  const { searchDueBy: _, ...unsearched } = fleet([]);
  expect(whyFleetNotReady(unsearched, now)).toBe('the first search for stacks has not finished');
  expect(whyFleetNotReady(fleet([running]), now)).toBeUndefined();
  expect(whyFleetNotReady(fleet([overdue]), now)).toMatch('overdue');
  const reason = 'waiting for the shared store of the replicas (--replicas)';
  expect(whyFleetNotReady(fleet([], { isJoining: true }), now)).toBe(reason);
  expect(whyFleetNotReady(fleet([running], { isStopping: true }), now)).toBe('sluice is stopping');
});

test('each probe has its own answer: what is not ready yet is not restarted', async () => {
  const probed = async (path: string, given: FleetStatus): Promise<unknown> => {
    const reply = await fleetProbes({ fleet: () => given, now: () => now })(path)?.('');
    return reply && [reply.status, reply.body];
  };
  const joining = fleet([], { isJoining: true });
  expect(await probed('/healthz', joining)).toEqual([200, expect.stringContaining('ok')]);
  expect(await probed('/readyz', joining)).toEqual([503, expect.stringContaining('waiting for the shared store')]);
  const stopping = fleet([running], { isStopping: true });
  expect(await probed('/healthz', stopping)).toEqual([200, expect.stringContaining('ok')]);
  expect(await probed('/readyz', stopping)).toEqual([503, expect.stringContaining('sluice is stopping')]);
  expect(await probed('/readyz', fleet([running]))).toEqual([200, expect.stringContaining('ok')]);
  expect(await probed('/livez', joining)).toBeUndefined();
});
