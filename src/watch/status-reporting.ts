import type { StackContext } from '../stack/stack-context.ts';
import type { Clock } from '../api/clock.ts';
import { systemReason } from '../diagnostics/system-reason.ts';
import type { WatchStatus } from '../model/watch-status.ts';
import { jsonText } from '../render/text/json-text.ts';
import { statusJson } from '../render/status/status-json.ts';
import { statusDetails } from '../render/status/status-details.ts';
import { statusPage } from '../render/status/status-page.ts';
import { createMetrics, type Metrics } from './status/metrics.ts';
import { createNotifier } from './notify/notifier.ts';
import type { Ports } from './ports.ts';
import { serveReplies, type HttpRepliesOptions, type RepliesServer } from './status/http-replies.ts';
import { approveOverHttp, type ApproveOverHttpOptions, type PageApprovals } from './status/approve-over-http.ts';
import { probeReplies } from './status/probe-replies.ts';
import { serveStatus } from './status/status-server.ts';
import { latestCredential } from '../stack/settings/credential.ts';
import { connectionsBy } from '../stack/settings/network-settings.ts';
import type { StackConfig } from '../stack/settings/stack-config.ts';
import { UsageError } from '../stack/usage-error.ts';

/** The outputs of a watch, beside its log. */
export interface StatusReporting {
  readonly metrics: Pick<Metrics, 'onRequest' | 'onRetry'>;
  /** Where others reach the status page, if that is known. */
  readonly url: string | undefined;
  readonly publish: (status: WatchStatus) => void;
  readonly close: () => Promise<void>;
}

/** Options of the status reporting. */
export interface StatusReportingOptions {
  readonly open: StackConfig;
  /** The environment with the URLs, and the network to reach them. */
  readonly io: Pick<StackContext['io'], 'env' | 'cwd' | 'network'>;
  /** `host:port`; false: no server. */
  readonly listen: string | false;
  /** `host:port` of a listener for probes alone; false: none. */
  readonly listenProbes: string | false;
  /** Who may approve on the status page, and what records it; undefined: nobody. */
  readonly approvals: (PageApprovals & Pick<ApproveOverHttpOptions, 'record'>) | undefined;
  /** The URL of the status page, where a proxy serves it. */
  readonly url: string | undefined;
  readonly clock: Clock;
  readonly now: () => number;
  readonly log: Ports['log'];
}

/** Serves the status page, JSON, metrics and probes, and sends notifications. */
export async function startStatusReporting({
  open,
  io,
  listen,
  listenProbes,
  approvals,
  url,
  clock,
  now,
  log,
}: StatusReportingOptions): Promise<StatusReporting> {
  const metrics = createMetrics();
  let status: WatchStatus | undefined;
  const current = (): WatchStatus => {
    if (status === undefined) throw new Error('no status is available yet');
    return { ...status, now: now() };
  };
  const onError = (error: unknown): void =>
    log('warn', 'server', error instanceof Error ? error.message : 'a request failed');
  const facts = { status: current, now, onError };
  const posts = approvals && {
    '/approve': approveOverHttp({
      ...approvals,
      awaited: () => status?.awaited?.digest,
      onRefused: (reason) => log('warn', 'approval-refused', reason),
      now,
    }),
  };
  const server =
    listen === false
      ? undefined
      : await listenOn(listen, 'listen', (at) =>
          serveStatus({
            ...at,
            ...facts,
            page: statusPage,
            details: statusDetails,
            json: (one, search) => jsonText(statusJson(one, search)),
            metrics: metrics.text,
            origins: url === undefined ? [] : [new URL(url).origin],
            ...(posts === undefined ? {} : { posts }),
          }),
        );
  if (server !== undefined) log('info', 'serving', `status page at ${server.url}`, { url: server.url });
  const probes =
    listenProbes === false
      ? undefined
      : await listenOn(listenProbes, 'listen-probes', (at) =>
          serveReplies({ ...at, onError, replies: probeReplies(facts) }),
        );
  if (probes !== undefined) log('info', 'serving', `probes at ${probes.url}`, { url: probes.url });
  const connections = connectionsBy(open.network, { connections: 2, headersTimeout: 10_000, bodyTimeout: 10_000 });
  const notifier = createNotifier({
    dispatcher: connections.dispatcher,
    receivers: open.settings.watch.notify.map(({ url, secret, format, on }, index) => ({
      name: `watch.notify[${index}]`,
      url: () => latestCredential(url.from_env, io),
      ...(secret === undefined ? {} : { secret: () => latestCredential(secret.from_env, io) }),
      format,
      on,
    })),
    clock,
    now,
    ...(io.network === undefined ? {} : { dispatcher: io.network }),
    onFailure: (receiver, reason) => log('warn', 'notify', `${receiver}: ${reason}`),
  });
  return {
    metrics,
    url: server === undefined || isWildcard(server.url) ? undefined : server.url,
    publish: (next) => {
      const [latest] = next.history;
      if (status !== undefined && latest !== undefined && latest.startedAt !== status.history[0]?.startedAt)
        metrics.onOutcome(latest.outcome);
      status = next;
      notifier.publish(next);
    },
    close: async () => {
      await notifier.close();
      await connections.close();
      await server?.close();
      await probes?.close();
    },
  };
}

/** Whether a server listens on all addresses, so that its own does not say where others reach it. */
function isWildcard(url: string): boolean {
  return ['0.0.0.0', '[::]'].includes(new URL(url).hostname);
}

async function listenOn(
  listen: string,
  flag: string,
  serve: (at: Required<Pick<HttpRepliesOptions, 'host' | 'port'>>) => Promise<RepliesServer>,
): Promise<RepliesServer> {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(listen) ?? [];
  try {
    return await serve({ host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) });
  } catch (error) {
    throw new UsageError(
      `cannot listen on ${listen}: ${systemReason(error)}`,
      `set --${flag} to another address (port 0 selects a free port), or use --no-${flag}`,
    );
  }
}
