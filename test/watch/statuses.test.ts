/* Whoever looks at a made-up status must not find in it what no watch would say. */
import { describe, expect, test } from 'vitest';
import type { WatchStatus } from '../../src/model/status/watch-status.ts';
import { conditionsOf } from '../../src/watch/status/conditions.ts';
import { syncStatusOf } from '../../src/watch/decide/resource-statuses.ts';
import { statuses } from './statuses.ts';

const ready = ({ conditions }: WatchStatus): WatchStatus['conditions'][number] | undefined =>
  conditions.find(({ type }) => type === 'Ready');

describe.each(Object.entries(statuses))('the made-up status %s', (_, status) => {
  test('has the conditions of its facts', () => {
    const brief = (conditions: WatchStatus['conditions']): object[] =>
      conditions.map(({ type, status: is, reason, message }) => ({ type, is, reason, message }));
    expect(brief(status.conditions)).toEqual(brief(conditionsOf(status, [])));
  });

  test('was last in sync when it became out of sync, and nothing has been pending or failing for longer', () => {
    const since = ready(status)?.status === 'True' ? status.lastRefresh : ready(status)?.since;
    expect(status.lastSuccess).toBe(since);
    const times = [...status.pending, ...status.failures, ...status.driftConflicts].map((one) => one.since);
    expect(times.filter((one) => one < (status.lastSuccess ?? 0) || one > status.now)).toEqual([]);
  });

  test('has applied nothing after it went out of sync but what runs, and no revision that it applies or waits for', () => {
    const [last] = status.history;
    expect(last?.finishedAt ?? 0).toBeLessThanOrEqual(status.applying?.startedAt ?? status.now);
    const open = status.pending.flatMap(({ introduced }) =>
      introduced === undefined ? [] : [introduced.revision.commit],
    );
    expect(open).not.toContain(status.applied?.commit);
  });

  test('has for each resource the sync status of its pending change', () => {
    const waits = new Map(status.pending.map((one) => [one.address, one]));
    const known = status.resources.filter(({ syncStatus }) => syncStatus !== 'unknown');
    expect(
      known.filter(({ address, syncStatus }) => {
        const wait = waits.get(address);
        return wait !== undefined && syncStatus !== syncStatusOf(wait, { isDrifted: wait.cause === 'drift' });
      }),
    ).toEqual([]);
    const listed = new Set(status.resources.map(({ address }) => address));
    expect(status.pending.filter(({ address }) => !listed.has(address))).toEqual([]);
  });
});
