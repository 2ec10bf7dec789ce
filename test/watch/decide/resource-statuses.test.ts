import { describe, expect, test } from 'vitest';
import { atOnce } from '../../../src/model/sliced.ts';
import type { PendingChange, ResourceStatus } from '../../../src/model/status/watch-status.ts';
import {
  addressesInOrder,
  resourceStatuses,
  syncStatusOf,
  type StatusInputs,
} from '../../../src/watch/decide/resource-statuses.ts';
import { harness } from '../../support/harness.ts';
import { address, addresses, certificate } from '../company-files.ts';

/** What is reported of the resources of an account after another revision of the manifests. */
async function statuses(before: string, after: string, known: Partial<StatusInputs> = {}): Promise<ResourceStatus[]> {
  const walk = harness({ time: () => Date.UTC(2026, 2, 14) });
  await walk.converge({ 'a.yaml': before });
  const { input, plan } = await walk.plan({ 'b.yaml': after });
  const all = atOnce(addressesInOrder(input));
  return atOnce(resourceStatuses(input, all, { plan, pending: [], drifted: new Map(), done: new Set(), ...known }));
}

const pending = (name: string, reason: PendingChange['reason']): PendingChange => ({
  ...{ address: `ReservedAddr/${name}`, action: 'update', reason, message: `it waits: ${reason}` },
  ...{ hazards: [], details: '', fields: [], since: 0 },
});

const [mqtt, ssh] = ['ReservedAddr/mqtt', 'ReservedAddr/ssh'];
const facts = { kind: 'ReservedAddr', dependsOn: [] };

describe('the status of a resource', () => {
  test('reports where it is written, unless it is to be removed', async () => {
    expect(await statuses(addresses('mqtt', 'ssh'), `---\n${addresses('ssh', 'web')}`)).toEqual([
      { ...facts, address: mqtt, syncStatus: 'out-of-sync' },
      { ...facts, address: ssh, syncStatus: 'in-sync', source: 'b.yaml:2' },
      { ...facts, address: 'ReservedAddr/web', syncStatus: 'out-of-sync', source: 'b.yaml:8' },
    ]);
  });

  test('is in sync once its change is done, and a removed one is gone', async () => {
    const done = new Set([mqtt, 'ReservedAddr/web']);
    const found = await statuses(addresses('mqtt', 'ssh'), addresses('ssh', 'web'), { done });
    expect(found.map(({ address: one, syncStatus }) => [one, syncStatus])).toEqual([
      [ssh, 'in-sync'],
      ['ReservedAddr/web', 'in-sync'],
    ]);
    const [updated] = await statuses(address('mqtt', 'old'), address('mqtt', 'new'), { done });
    expect(updated).toMatchObject({ address: mqtt, syncStatus: 'in-sync' });
  });

  test('is that of its pending change, with the message, and of drift only where fields have drifted', async () => {
    const found = await statuses(addresses('mqtt', 'ssh', 'web'), addresses('mqtt', 'ssh', 'web'), {
      pending: [pending('mqtt', 'manual'), pending('ssh', 'manual')],
      drifted: new Map([
        [mqtt, new Set(['/description'])],
        [ssh, new Set<string>()],
      ]),
    });
    expect(found.map(({ syncStatus, note }) => [syncStatus, note])).toEqual([
      ['drifted', 'it waits: manual'],
      ['requires-manual-apply', 'it waits: manual'],
      ['in-sync', undefined],
    ]);
  });

  test('reports when it expires once it is there', async () => {
    const renewed = certificate('30d', '5d');
    const [there] = await statuses(renewed, renewed);
    expect(there?.expiresAt).toBeGreaterThan(Date.UTC(2026, 2, 14));
    const [wanted] = await statuses('', renewed);
    expect(wanted).not.toHaveProperty('expiresAt');
  });
});

test('a change that waits has a status of its own for each reason, and drift is reported only of what waits for a person', () => {
  expect([syncStatusOf(undefined, {}), syncStatusOf(undefined, { isDrifted: true })]).toEqual(['in-sync', 'in-sync']);
  expect(syncStatusOf(undefined, { isChanging: true })).toBe('out-of-sync');
  expect(syncStatusOf({ reason: 'manual' }, { isChanging: true })).toBe('requires-manual-apply');
  expect(syncStatusOf({ reason: 'approval' }, { isDrifted: true })).toBe('requires-approval');
});
