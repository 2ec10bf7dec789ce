import type { StackContext } from '../stack/stack-context.ts';
import { wallClock } from '../api/clock.ts';
import type { WatchStatus } from '../model/status/watch-status.ts';
import { createStackMetrics, type StackMetrics } from './status/metrics.ts';
import { createNotifier } from './notify/notifier.ts';
import { failureDetails } from './failures.ts';
import type { Ports } from './ports.ts';
import type { StatusServerOptions } from './status/status-server.ts';
import { latestCredential } from '../stack/settings/credential.ts';
import { connectionsBy } from '../stack/settings/network-settings.ts';
import type { StackConfig } from '../stack/settings/stack-config.ts';

/** The outputs of the watch of one stack, beside its log. */
export interface StackReporting {
  readonly metrics: StackMetrics;
  /** What a server answers with, except the metrics of its process. */
  readonly served: Omit<StatusServerOptions, 'host' | 'port' | 'metrics'>;
  /** The latest status; undefined before the first. */
  readonly latest: () => WatchStatus | undefined;
  readonly publish: (status: WatchStatus) => void;
  readonly close: () => Promise<void>;
}

/** Keeps the latest status of a stack for whoever serves it, counts, and sends notifications. */
export function stackReporting(
  { io }: Pick<StackContext, 'io'>,
  open: StackConfig,
  log: Ports['log'],
  fleetUrl?: string,
): StackReporting {
  const { clock = wallClock, now = Date.now } = io;
  const metrics = createStackMetrics();
  let status: WatchStatus | undefined;
  const connections = connectionsBy(open.network, { connections: 2, headersTimeout: 10_000, bodyTimeout: 10_000 });
  const notifier = createNotifier({
    dispatcher: io.network ?? connections.dispatcher,
    receivers: open.settings.watch.notify.map(({ url, secret, format, on }, index) => ({
      name: `watch.notify[${index}]`,
      url: () => latestCredential(url.from_env, io),
      ...(secret === undefined ? {} : { secret: () => latestCredential(secret.from_env, io) }),
      format,
      on,
    })),
    clock,
    now,
    onFailure: (receiver, reason) => log('warn', 'notify', `${receiver}: ${reason}`),
  });
  return {
    metrics,
    served: {
      status: () => {
        if (status === undefined) throw new Error('the watch has no status of the stack yet');
        return { ...status, now: now() };
      },
      now: clock.now,
      onError: (error) => log('warn', 'server', failureDetails(error).message),
      ...(fleetUrl === undefined ? {} : { fleetUrl }),
    },
    latest: () => status,
    publish: (next) => {
      const [latest] = next.history;
      // Only what this process was applying: the watch state has the applies of others, too, and may be read at any time.
      if (latest !== undefined && latest.startedAt === status?.applying?.startedAt) metrics.onOutcome(latest.outcome);
      status = next;
      notifier.publish(next);
    },
    close: async () => {
      await notifier.close();
      await connections.close();
    },
  };
}
