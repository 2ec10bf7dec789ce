import type { WatchStatus } from '../../src/model/status/watch-status.ts';
import { createStackMetrics, stackMetricsText } from '../../src/watch/status/metrics.ts';
import { measureProcess } from '../../src/watch/status/process-gauges.ts';

/** What `/metrics` of a watch with this status answers. */
export function metricsTextOf(status: WatchStatus, metrics = createStackMetrics()): string {
  return stackMetricsText(metrics, status, measureProcess()());
}
