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
import { serveStatus, type StatusServer } from './status/status-server.ts';
import { latestCredential } from '../stack/settings/credential.ts';
import { connectionsBy } from '../stack/settings/network-settings.ts';
import type { StackConfig } from '../stack/settings/stack-config.ts';
import { UsageError } from '../stack/usage-error.ts';

/** The outputs of a watch, beside its log. */
export interface StatusReporting {
  readonly metrics: Pick<Metrics, 'onRequest' | 'onRetry'>;
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
  readonly clock: Clock;
  readonly now: () => number;
  readonly log: Ports['log'];
}

/** Serves the status page, JSON, metrics and probes, and sends notifications. */
export async function startStatusReporting({
  open,
  io,
  listen,
  clock,
  now,
  log,
}: StatusReportingOptions): Promise<StatusReporting> {
  const metrics = createMetrics();
  let status: WatchStatus | undefined;
  const server = listen === false ? undefined : await serve(listen, metrics, () => status, { now, log });
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
    },
  };
}

async function serve(
  listen: string,
  metrics: Metrics,
  current: () => WatchStatus | undefined,
  { now, log }: Pick<StatusReportingOptions, 'now' | 'log'>,
): Promise<StatusServer> {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(listen) ?? [];
  try {
    const server = await serveStatus({
      host: host.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port),
      status: () => {
        const status = current();
        if (status === undefined) throw new Error('no status is available yet');
        return { ...status, now: now() };
      },
      page: statusPage,
      details: statusDetails,
      json: (status, search) => jsonText(statusJson(status, search)),
      metrics: metrics.text,
      now,
      onError: (error) => log('warn', 'server', error instanceof Error ? error.message : 'a request failed'),
    });
    log('info', 'serving', `status page at ${server.url}`, { url: server.url });
    return server;
  } catch (error) {
    throw new UsageError(
      `cannot listen on ${listen}: ${systemReason(error)}`,
      'set --listen to another address (port 0 selects a free port), or use --no-listen',
    );
  }
}
