import { isLoopback } from '../model/host-in-url.ts';
import { quoted } from '../diagnostics/quoted.ts';
import type { StackContext } from '../stack/stack-context.ts';
import { listenForStatus, type ListenOptions } from './listen-for-status.ts';
import { openBackend } from '../stack/open-backend.ts';
import { optionName, UsageError, type Caller } from '../stack/usage-error.ts';
import { controlRequests } from './control/control-requests.ts';
import type { Ports } from './ports.ts';
import { present } from '../model/present.ts';
import { readWatchedStack, runStack, type RunStackOptions } from './run-stack.ts';
import { takeApprovals, type WatchApprovalFlags } from './take-approvals.ts';
import { stackReporting } from './stack-reporting.ts';
import { byPath, serveReplies } from './status/http-replies.ts';
import { stackMetricsText } from './status/metrics.ts';
import { probeReplies } from './status/health.ts';
import { measureProcess } from './status/process-gauges.ts';
import { serveStatus } from './status/status-server.ts';

/** How to watch a stack, in addition to the settings in `sluice.yaml`. */
export interface RunWatchOptions
  extends
    WatchApprovalFlags,
    Partial<ListenOptions>,
    Pick<RunStackOptions, 'parallelism' | 'poll' | 'log' | 'onStatus'> {
  /** Where others reach the status page; a standby links to it. By default the address it listens on, unless that is all of them. */
  readonly url?: string;
}

/** Watches one stack and serves its status, until the signal of the context aborts. */
export async function runWatch(given: StackContext, options: RunWatchOptions): Promise<void> {
  const context: StackContext = { ...given, isUnattended: true };
  const { parallelism, poll, url, listenProbes, onStatus } = options;
  const open = await readWatchedStack(context);
  const { stack, watch } = open.settings;
  const listen = options.listen ?? localAddress(watch.listen, context);
  // In a log of several stacks, each line names its stack.
  const log: Ports['log'] = (level, event, message, fields) =>
    options.log(level, event, message, { stack: stack.name, ...fields });
  const approvals = takeApprovals(context, options, { dir: open.dir, isServed: listen !== false })(open.dir, log);
  const backend = await openBackend(context, open);
  const control = controlRequests();
  const reporting = stackReporting(context, open, log);
  const { served } = reporting;
  const gauges = measureProcess();
  try {
    const listeners = await listenForStatus({
      listen,
      listenProbes: listenProbes ?? watch.listen_probes,
      serve: (at) =>
        serveStatus({
          ...at,
          ...served,
          metrics: (status) => stackMetricsText(reporting.metrics, status, gauges()),
          proxyUrl: url,
          findPost: approvals.posts(backend, control, reporting),
        }),
      serveProbes: (at) => serveReplies({ ...at, onError: served.onError, find: byPath(probeReplies(served)) }),
      caller: context,
      log,
    });
    try {
      await runStack(context, open, {
        parallelism,
        ...present({ poll, onStatus }),
        overridden: [
          ...(options.listen === undefined ? [] : ['watch.listen' as const]),
          ...(listenProbes === undefined ? [] : ['watch.listen_probes' as const]),
          ...(poll === undefined ? [] : ['watch.poll' as const]),
        ],
        url: url ?? listeners.url,
        ...approvals.taken,
        backend,
        control,
        log,
        reporting,
      });
    } finally {
      await listeners.close();
    }
  } finally {
    await reporting.close();
    await backend.close();
  }
}

/** The address that `sluice.yaml` sets, which whoever can push can change: it must not serve the status page to other machines. */
function localAddress(listen: string | false, caller: Caller): string | false {
  if (listen === false || isLoopback(listen.replace(/:\d+$/, ''))) return listen;
  const option = optionName(caller, '--listen', 'listen');
  throw new UsageError(
    `watch.listen in sluice.yaml must be an address of this machine, such as 127.0.0.1:9470, not ${quoted(listen, 80)}`,
    `to serve the status page to other machines, set the address with ${option}, which no commit can change`,
  );
}
