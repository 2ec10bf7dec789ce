import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { gauge, type Metric } from './exposition.ts';

/** Measures this process; the names are those every client library of Prometheus uses. */
export function measureProcess(): () => readonly Metric[] {
  const lag = monitorEventLoopDelay({ resolution: 20 });
  lag.enable();
  const started = Date.now() / 1000 - process.uptime();
  return () => {
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const cpuSeconds = (user + system) / 1e6;
    const worst = lag.max / 1e9;
    lag.reset();
    return [
      {
        ...gauge('process_cpu_seconds_total', 'Total user and system CPU time in seconds.', cpuSeconds),
        type: 'counter',
      },
      gauge('process_start_time_seconds', 'Start time of the process.', Math.round(started * 1000) / 1000),
      gauge('process_resident_memory_bytes', 'Resident memory in bytes.', rss),
      gauge('process_open_fds', 'Open file descriptors.', openFiles()),
      gauge('nodejs_heap_size_used_bytes', 'Heap of Node.js in use, in bytes.', heapUsed),
      gauge('nodejs_heap_size_total_bytes', 'Heap of Node.js, in bytes.', heapTotal),
      gauge('nodejs_external_memory_bytes', 'Memory of Node.js outside its heap, in bytes.', external),
      gauge('nodejs_eventloop_lag_max_seconds', 'Longest event loop delay since the last scrape.', worst),
    ];
  };
}

/** Undefined where the system does not report it. */
function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}
