import { expect, test } from 'vitest';
import { measureProcess } from '../../../src/watch/status/process-gauges.ts';

test('the gauges of a process are in the units of their names', () => {
  const measured = measureProcess()();
  const valueOf = (name: string): number => measured.find((one) => one.name === name)?.samples[0]?.value ?? Number.NaN;
  const { user, system } = process.cpuUsage();
  expect(valueOf('process_cpu_seconds_total')).toBeLessThanOrEqual((user + system) / 1e6);
  expect(valueOf('process_cpu_seconds_total')).toBeGreaterThan((user + system) / 2e6);
  const started = valueOf('process_start_time_seconds');
  expect(started).toBeCloseTo(Date.now() / 1000 - process.uptime(), 0);
  expect(started * 1000).toBeCloseTo(Math.round(started * 1000), 2);
  expect(valueOf('process_open_fds')).toBeGreaterThan(2);
  expect(valueOf('nodejs_heap_size_used_bytes')).toBeLessThanOrEqual(valueOf('nodejs_heap_size_total_bytes'));
  expect(measured.filter(({ type }) => type === 'counter').map(({ name }) => name)).toEqual([
    'process_cpu_seconds_total',
  ]);
});
