import type { WatchStatus } from '../../src/model/status/watch-status.ts';
import { createStackMetrics, stackMetricsText } from '../../src/watch/status/metrics.ts';
import { measureProcess } from '../../src/watch/status/process-gauges.ts';
import { statuses } from '../../test/watch/statuses.ts';
import { code, page, table } from './markdown.ts';

/** Every metric of `sluice watch`, as its processes expose them. */
export function metricPage(): string {
  const metrics = new Map<string, readonly string[]>();
  for (const status of Object.values(statuses)) for (const row of rowsOf(status)) metrics.set(row[0] ?? '', row);
  const rows = [...metrics.values()].sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1));
  return page(
    'Metrics',
    '`sluice watch` serves these at `/metrics`, in the text format of Prometheus. [Status page, metrics and webhooks](../status-page.md) says who may read them; `examples/deploy/prometheus` has alerts.',
    table(['Metric', 'Type', 'Labels', 'Meaning'], rows),
  );
}

function rowsOf(status: WatchStatus): string[][] {
  const metrics = createStackMetrics();
  metrics.onRequest({ method: 'GET', status: 200, ms: 1 });
  metrics.onRetry(1);
  metrics.onOutcome([{ address: 'Kind/name', action: 'update', ending: 'done' } as never]);
  const text = stackMetricsText(metrics, status, measureProcess()());
  return [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)\n((?:[^#\n].*\n)*)/gm)].map(
    ([, name = '', help = '', type = '', samples = '']) => {
      const labels = new Set([...samples.matchAll(/[{,]([a-z_]+)="/g)].map(([, label = '']) => label));
      return [code(name), type, [...labels].map(code).join(', '), help];
    },
  );
}
