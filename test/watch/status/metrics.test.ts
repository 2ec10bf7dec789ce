import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WatchStatus } from '../../../src/model/status/watch-status.ts';
import { createStackMetrics, type StackMetrics } from '../../../src/watch/status/metrics.ts';
import { hostile } from '../../render/hostile-text.ts';
import { applyingApproved, conflicted, drifted, refused } from '../asking-statuses.ts';
import { day, hour, noon, resource } from '../company.ts';
import { statusOfTexts } from '../hostile-status.ts';
import { metricsTextOf } from '../metrics-text.ts';
import { readPrometheus } from '../prometheus-text.ts';
import { allWell, applying, awaiting, breached, inTrouble, paused, standingBy, statuses } from '../statuses.ts';

/** The value of a series: `name{label="value",…}`, labels in any order. */
function valueOf(metrics: StackMetrics, status: WatchStatus, name: string, labels = {}): number | undefined {
  const found = readPrometheus(metricsTextOf(status, metrics)).find(
    (sample) =>
      sample.name === name && JSON.stringify(sample.labels) === JSON.stringify({ stack: status.stack.name, ...labels }),
  );
  return found?.value;
}

const sinceReady = paused.conditions.find(({ type }) => type === 'Ready')!.since / 1000;
const lastApply = allWell.history[0]!;
const seconds = ({ startedAt, finishedAt }: typeof lastApply): number => (finishedAt - startedAt) / 1000;
const warned: WatchStatus = {
  ...allWell,
  diagnostics: inTrouble.diagnostics.map((one) => ({ ...one, severity: 'warning' })),
};
const expiring: WatchStatus = {
  ...allWell,
  resources: [resource('SSHHostCertificate/x', [], { expiresAt: noon + 1.2345 * day })],
};

describe('gauges', () => {
  test.each<[string, WatchStatus, string, Record<string, string>, number]>([
    ['when all was last well', allWell, 'sluice_last_success_timestamp_seconds', {}, noon / 1000 - 40],
    ['resources by kind and standing', allWell, 'sluice_resources', { kind: 'HTTPSEdge', sync_status: 'in-sync' }, 2],
    ['standings in which nothing stands', allWell, 'sluice_resources', { kind: 'HTTPSEdge', sync_status: 'failed' }, 0],
    ['drift by kind', drifted, 'sluice_drifted_resources', { kind: 'HTTPSEdge' }, 1],
    ['kinds without drift', allWell, 'sluice_drifted_resources', { kind: 'HTTPSEdge' }, 0],
    ['changes that wait for approval', awaiting, 'sluice_pending_approvals', {}, 2],
    ['that none waits for approval', inTrouble, 'sluice_pending_approvals', {}, 0],
    ['changes that wait for others', awaiting, 'sluice_pending_changes', { reason: 'dependency' }, 1],
    ['fights', inTrouble, 'sluice_drift_conflicts', {}, 1],
    ['troubles', inTrouble, 'sluice_failures', { scope: 'resource' }, 1],
    ['errors in manifests', inTrouble, 'sluice_manifest_errors', {}, 2],
    ['what is done of an apply', applyingApproved, 'sluice_applying_changes_done', {}, 1],
    ['what failed of it', applyingApproved, 'sluice_applying_changes_failed', {}, 1],
    ['the conditions', refused, 'sluice_condition', { type: 'Stalled' }, 1],
    ['that an approval lets others go on', awaiting, 'sluice_condition', { type: 'Stalled' }, 0],
    ['who leads', allWell, 'sluice_leader', {}, 1],
    ['who does not', standingBy, 'sluice_leader', {}, 0],
    ['the role', standingBy, 'sluice_role', { role: 'standby' }, 1],
    ['how far an apply is', applying(2), 'sluice_applying_changes_done', {}, 2],
    ['how many changes it has', applying(2), 'sluice_applying_changes', {}, 5],
    ['that nothing is applied', allWell, 'sluice_applying_changes', {}, 0],
    ['the other roles', standingBy, 'sluice_role', { role: 'leader' }, 0],
    ['that a paused process leads', paused, 'sluice_leader', {}, 1],
    ['a pause', paused, 'sluice_paused', {}, 1],
    ['that there is none', allWell, 'sluice_paused', {}, 0],
    ['when a condition changed', paused, 'sluice_condition_since_timestamp_seconds', { type: 'Ready' }, sinceReady],
    ['when it looks again', paused, 'sluice_next_refresh_timestamp_seconds', {}, paused.nextRefresh! / 1000],
    ['when it looked last', paused, 'sluice_last_refresh_timestamp_seconds', {}, (noon - hour) / 1000],
    ['when the last apply ended', allWell, 'sluice_last_apply_timestamp_seconds', {}, lastApply.finishedAt / 1000],
    ['how long it took', allWell, 'sluice_last_apply_duration_seconds', {}, seconds(lastApply)],
    ['URLs that are public', breached, 'sluice_exposed_urls', {}, 1],
    ['broken access rules', breached, 'sluice_access_rule_breaches', {}, 1],
    ['drift that others bring back', conflicted, 'sluice_drifted_resources', { kind: 'HTTPSEdgeRoute' }, 1],
    ['errors, and not warnings', warned, 'sluice_manifest_errors', {}, 0],
    ['days to expiry to the hundredth', expiring, 'sluice_expiry_days', { address: 'SSHHostCertificate/x' }, 1.23],
    ['days to expiry', allWell, 'sluice_expiry_days', { address: 'SSHHostCertificate/bastion' }, 12],
  ])('tell %s', (_, status, name, labels, value) => {
    expect(valueOf(createStackMetrics(), status, name, labels)).toBe(value);
  });

  test('of moments that are not known are left out', () => {
    const { lastSuccess: _, lastRefresh: __, nextRefresh: ___, ...unknown } = allWell;
    const names = new Set(readPrometheus(metricsTextOf({ ...unknown, history: [] })).map(({ name }) => name));
    for (const name of ['last_success', 'last_refresh', 'next_refresh', 'last_apply'])
      expect(names).not.toContain(`sluice_${name}_timestamp_seconds`);
    expect(names).not.toContain('sluice_last_apply_duration_seconds');
  });

  test('of a revision without a commit have empty labels', () => {
    const samples = readPrometheus(metricsTextOf({ ...standingBy, revision: { content: 'e01f55aa9c21' } }));
    expect(samples.filter(({ name }) => name === 'sluice_revision_info')[0]?.labels).toMatchObject({
      ...{ version: 'current', content: 'e01f55aa9c21', commit: '', branch: '' },
    });
  });

  test('say all of which stack they are', () => {
    const samples = readPrometheus(metricsTextOf(allWell));
    expect(new Set(samples.map(({ labels }) => labels['stack']))).toEqual(new Set(['company']));
  });

  test('report the current revision, the last good one, the observed and the applied', () => {
    const samples = readPrometheus(metricsTextOf(inTrouble)).filter(({ name }) => name === 'sluice_revision_info');
    expect(samples.map(({ labels }) => [labels['version'], labels['content'], labels['branch']])).toEqual([
      ['current', 'e01f55aa9c21', 'main'],
      ['last_good', '5c1e7a90d2b4', 'main'],
      ['observed', '5c1e7a90d2b4', 'main'],
      ['applied', '5c1e7a90d2b4', 'main'],
    ]);
  });

  test('name no more than 50 resources, those that end first, and say how many there are', () => {
    const resources = Array.from({ length: 500 }, (_, index) =>
      resource(`SSHHostCertificate/h${index}`, [], { expiresAt: noon + (500 - index) * day }),
    );
    const samples = readPrometheus(metricsTextOf({ ...allWell, resources }));
    const expiring = samples.filter(({ name }) => name === 'sluice_expiry_days');
    expect(expiring).toHaveLength(50);
    expect(Math.max(...expiring.map(({ value }) => value))).toBe(50);
    expect(samples.find(({ name }) => name === 'sluice_expiring_resources')?.value).toBe(500);
  });
});

describe('counters', () => {
  test('count requests by method and status, and how long they took', () => {
    const metrics = createStackMetrics();
    for (const ms of [20, 40, 70_000]) metrics.onRequest({ method: 'GET', status: 200, ms });
    metrics.onRequest({ method: 'POST', status: undefined, ms: 5 });
    const value = (name: string, labels: Record<string, string>) => valueOf(metrics, allWell, name, labels);
    expect(value('sluice_api_requests_total', { method: 'GET', status: '200' })).toBe(3);
    expect(value('sluice_api_requests_total', { method: 'POST', status: 'none' })).toBe(1);
    const get = { method: 'GET', status: '2xx' };
    expect(value('sluice_api_request_duration_seconds_bucket', { ...get, le: '0.025' })).toBe(1);
    expect(value('sluice_api_request_duration_seconds_bucket', { ...get, le: '0.05' })).toBe(2);
    expect(value('sluice_api_request_duration_seconds_bucket', { ...get, le: '60' })).toBe(2);
    expect(value('sluice_api_request_duration_seconds_bucket', { ...get, le: '+Inf' })).toBe(3);
    expect(value('sluice_api_request_duration_seconds_count', get)).toBe(3);
    expect(value('sluice_api_request_duration_seconds_sum', get)).toBeCloseTo(70.06);
  });

  test('count waits, changes and applies', () => {
    const metrics = createStackMetrics();
    metrics.onRetry(1500);
    metrics.onOutcome(allWell.history[0]!.outcome);
    metrics.onOutcome(allWell.history[2]!.outcome);
    const value = (name: string, labels = {}) => valueOf(metrics, allWell, name, labels);
    expect(value('sluice_api_request_retries_total')).toBe(1);
    expect(value('sluice_api_request_retry_wait_seconds_total')).toBe(1.5);
    expect(value('sluice_changes_total', { action: 'update', outcome: 'done' })).toBe(2);
    expect(value('sluice_changes_total', { action: 'update', outcome: 'failed' })).toBe(1);
    expect(value('sluice_applies_total', { outcome: 'incomplete' })).toBe(1);
  });

  test('take few labels, whatever methods and statuses come', () => {
    const metrics = createStackMetrics();
    for (let n = 0; n < 5_000; n++) metrics.onRequest({ method: `M${n}`, status: n * 7, ms: n });
    const samples = readPrometheus(metricsTextOf(allWell, metrics));
    expect(samples.filter(({ name }) => name.startsWith('sluice_api_requests')).length).toBeLessThan(510);
    expect(samples.filter(({ name }) => name.startsWith('sluice_api_request_duration')).length).toBeLessThan(100);
  });
});

describe('the text', () => {
  test.each(Object.entries(statuses))('is what Prometheus reads: %s', (_, status) => {
    const names = new Set(readPrometheus(metricsTextOf(status)).map(({ name }) => name));
    for (const name of ['sluice_build_info', 'process_resident_memory_bytes', 'process_start_time_seconds'])
      expect(names).toContain(name);
  });

  test('is so whatever names hold', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 40 }), (texts) => {
        // Kinds come from the program, not from outside: here they only need to be distinct.
        const status = statusOfTexts(texts);
        const resources = status.resources.map((one, index) => ({ ...one, address: `${one.address}${index}` }));
        expect(readPrometheus(metricsTextOf({ ...status, resources })).length).toBeGreaterThan(50);
      }),
      { numRuns: 50 },
    );
  });
});

test.each([
  'a 1',
  'a{b="c} 1\n',
  'a 1\n',
  '# HELP a x\n# TYPE a gauge\na 1\na 1\n',
  '# HELP a x\n# TYPE a counter\na 1\n',
  '# HELP a x\n# TYPE a gauge\na{b="\\x"} 1\n',
])('the reader of these tests refuses %j', (text) => {
  expect(() => readPrometheus(text)).toThrow();
});
