import type { WatchStatus } from '../model/watch-status.ts';
import type { StackContext } from '../stack/stack-context.ts';
import { listenForStatus, type ListenOptions } from './listen-for-status.ts';
import { openBackend } from '../stack/open-backend.ts';
import { UsageError } from '../stack/usage-error.ts';
import { controlRequests } from './control/control-requests.ts';
import { recordApproval } from './operator-requests.ts';
import { pageApprovals, type PageApprovalFlags } from './page-approvals.ts';
import type { Ports } from './ports.ts';
import { readWatchedStack, runStack } from './run-stack.ts';
import { signedCommits } from './source/signed-commits.ts';
import { stackReporting } from './stack-reporting.ts';
import { approveOverHttp } from './status/approve-over-http.ts';
import { byPath, serveReplies } from './status/http-replies.ts';
import { stackMetricsText } from './status/metrics.ts';
import { probeReplies } from './status/probe-replies.ts';
import { measureProcess } from './status/process-gauges.ts';
import { serveStatus } from './status/status-server.ts';

/** How to watch a stack, in addition to the settings in `sluice.yaml`. */
export interface RunWatchOptions extends PageApprovalFlags, Partial<ListenOptions> {
  readonly parallelism: number;
  readonly poll?: boolean;
  /** Where others reach the status page; a standby links to it. By default the address it listens on, unless that is all of them. */
  readonly url?: string;
  /** A file of allowed signers, whose signed commits approve; without one, no commit does. */
  readonly approvalKeys?: string;
  /** Receives every event of the watch. */
  readonly log: Ports['log'];
  /** Receives the status after each change of it. */
  readonly onStatus?: (status: WatchStatus) => void;
}

/** Watches one stack and serves its status, until the signal of the context aborts. */
export async function runWatch(given: StackContext, options: RunWatchOptions): Promise<void> {
  const context: StackContext = { ...given, isUnattended: true };
  const { parallelism, poll, url, listenProbes, onStatus } = options;
  const open = await readWatchedStack(context);
  const { stack, watch } = open.settings;
  const listen = options.listen ?? watch.listen;
  const onPage = pageApprovals(options, { cwd: context.io.cwd, dir: open.dir });
  if (onPage !== undefined && listen === false)
    throw new UsageError('--approval-token-file requires the status page', 'omit --no-listen');
  // Of several stacks in one log, each line says which it is about.
  const log: Ports['log'] = (level, event, message, fields) =>
    options.log(level, event, message, { stack: stack.name, ...fields });
  const { approvalKeys: keys } = options;
  const inCommits =
    keys === undefined
      ? undefined
      : signedCommits(context, { dir: open.dir, keys }, (why) => log('warn', 'approval-refused', why));
  const backend = await openBackend(context, open);
  const control = controlRequests();
  const reporting = stackReporting(context, open, log);
  const { served } = reporting;
  const gauges = measureProcess();
  const posts = onPage && {
    '/approve': approveOverHttp({
      ...onPage,
      awaited: reporting.awaited,
      record: async (approval) => {
        await recordApproval(backend.document('watch-requests'), approval);
        control.wake();
      },
      onRefused: (reason) => log('warn', 'approval-refused', reason),
      now: served.now,
    }),
  };
  try {
    const listeners = await listenForStatus({
      listen,
      listenProbes: listenProbes ?? watch.listen_probes,
      serve: (at) =>
        serveStatus({
          ...at,
          ...served,
          metrics: (status) => stackMetricsText(reporting.metrics, status, gauges()),
          origins: url === undefined ? [] : [new URL(url).origin],
          ...(posts === undefined ? {} : { posts }),
        }),
      serveProbes: (at) => serveReplies({ ...at, onError: served.onError, find: byPath(probeReplies(served)) }),
      log,
    });
    try {
      await runStack(context, open, {
        parallelism,
        ...(poll === undefined ? {} : { poll }),
        overridden: [
          ...(options.listen === undefined ? [] : ['watch.listen' as const]),
          ...(listenProbes === undefined ? [] : ['watch.listen_probes' as const]),
          ...(poll === undefined ? [] : ['watch.poll' as const]),
        ],
        url: url ?? listeners.url,
        approvalWays: [
          ...(onPage === undefined ? [] : ['page' as const]),
          ...(inCommits === undefined ? [] : ['commit' as const]),
        ],
        ...(inCommits === undefined ? {} : { approvingCommits: inCommits }),
        backend,
        control,
        log,
        reporting,
        ...(onStatus === undefined ? {} : { onStatus }),
      });
    } finally {
      await listeners.close();
    }
  } finally {
    await reporting.close();
    await backend.close();
  }
}
