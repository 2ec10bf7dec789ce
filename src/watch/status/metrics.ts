import { areAllDone, type ChangeOutcome } from '../../model/outcome.ts';
import type { WatchStatus } from '../../model/status/watch-status.ts';
import { exposition, type Labels, type Metric, type Sample } from './exposition.ts';
import { statusGauges } from './status-gauges.ts';
import { counter, histogram } from './counters.ts';
import { writeMethods } from '../../model/plan/plan.ts';
import type { CompletedRequest } from '../../api/client.ts';

/** The metrics of one watched stack. */
export interface StackMetrics {
  readonly onRequest: (request: Pick<CompletedRequest, 'method' | 'status' | 'ms'>) => void;
  /** A request waits so long before it is sent again. */
  readonly onRetry: (ms: number) => void;
  /** An apply has ended. */
  readonly onOutcome: (changes: readonly ChangeOutcome[]) => void;
  /** All of them, with the gauges of a status. */
  readonly of: (status: WatchStatus) => readonly Metric[];
}

const bounds = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const methods = new Set<string>(['GET', ...writeMethods]);

/** Makes the counters of a stack. Labels take few values, whatever the service answers. */
export function createStackMetrics(): StackMetrics {
  const requests = counter(
    'sluice_api_requests_total',
    'Requests to the API, by method and status; `none`: no response.',
    [],
  );
  const latency = histogram(
    'sluice_api_request_duration_seconds',
    'Duration of API requests, by method and status class.',
    bounds,
  );
  const waits = counter(
    'sluice_api_request_retries_total',
    'API requests that were sent again, after a failure or because of a rate limit.',
  );
  const waited = counter(
    'sluice_api_request_retry_wait_seconds_total',
    'Time for which API requests waited before they were sent again.',
  );
  const changes = counter('sluice_changes_total', 'Changes in finished applies, by action and outcome.', []);
  const applies = counter('sluice_applies_total', 'Applies, by outcome.', [
    { outcome: 'done' },
    { outcome: 'incomplete' },
  ]);

  return {
    onRequest: ({ method, status, ms }) => {
      const word = methods.has(method) ? method : 'other';
      const known = status !== undefined && Number.isInteger(status) && status >= 100 && status <= 599;
      requests.add(1, { method: word, status: known ? String(status) : 'none' });
      latency.add(ms / 1000, { method: word, status: known ? `${String(Math.floor(status / 100))}xx` : 'none' });
    },
    onRetry: (ms) => {
      waits.add(1);
      waited.add(ms / 1000);
    },
    onOutcome: (outcomes) => {
      for (const { action, ending } of outcomes) changes.add(1, { action, outcome: ending });
      applies.add(1, { outcome: areAllDone(outcomes) ? 'done' : 'incomplete' });
    },
    of: (status) => [
      ...statusGauges(status),
      ...[changes, applies, requests, latency, waits, waited].map((each) => each.metric()),
    ],
  };
}

/** Metrics with the labels that all their samples have, as Prometheus reads them: the samples of one name are together. */
export function metricsText(labelled: readonly (readonly [labels: Labels, metrics: readonly Metric[]])[]): string {
  const byName = new Map<string, Metric & { readonly samples: Sample[] }>();
  for (const [labels, metrics] of labelled)
    for (const metric of metrics) {
      const samples = metric.samples.map((sample) => ({ ...sample, labels: { ...labels, ...sample.labels } }));
      const known = byName.get(metric.name);
      if (known === undefined) byName.set(metric.name, { ...metric, samples });
      else known.samples.push(...samples);
    }
  return exposition([...byName.values()]);
}

/** The metrics of one stack and of its process, as Prometheus reads them. */
export function stackMetricsText(
  metrics: Pick<StackMetrics, 'of'>,
  status: WatchStatus,
  ofProcess: readonly Metric[],
): string {
  return metricsText([[{ stack: status.stack.name }, [...metrics.of(status), ...ofProcess]]]);
}
