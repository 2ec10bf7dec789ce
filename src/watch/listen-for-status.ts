import { systemReason } from '../diagnostics/system-reason.ts';
import { UsageError } from '../stack/usage-error.ts';
import type { Ports } from './ports.ts';
import type { HttpRepliesOptions, RepliesServer } from './status/http-replies.ts';

/** Where the status is served. */
export interface ListenOptions {
  /** `host:port`; false to serve nothing. */
  readonly listen: string | false;
  /** `host:port` of a listener for probes alone; false: none. */
  readonly listenProbes: string | false;
}

type Serve = (at: Required<Pick<HttpRepliesOptions, 'host' | 'port'>>) => Promise<RepliesServer>;

/** The servers of a process that watches. */
export interface StatusListeners {
  /** Where others reach the status page, if that is known. */
  readonly url: string | undefined;
  readonly close: () => Promise<void>;
}

/** Starts the servers of the status page and of probes. */
export async function listenForStatus({
  listen,
  listenProbes,
  serve,
  serveProbes,
  log,
}: ListenOptions & {
  readonly serve: Serve;
  readonly serveProbes: Serve;
  readonly log: Ports['log'];
}): Promise<StatusListeners> {
  const server = listen === false ? undefined : await listenOn(listen, 'listen', serve);
  if (server !== undefined) log('info', 'serving', `status page at ${server.url}`, { url: server.url });
  const probes = listenProbes === false ? undefined : await listenOn(listenProbes, 'listen-probes', serveProbes);
  if (probes !== undefined) log('info', 'serving', `probes at ${probes.url}`, { url: probes.url });
  return {
    url: server === undefined || isWildcard(server.url) ? undefined : server.url,
    close: async () => {
      await server?.close();
      await probes?.close();
    },
  };
}

/** Whether a server listens on all addresses, so that its address is not one at which others reach it. */
function isWildcard(url: string): boolean {
  return ['0.0.0.0', '[::]'].includes(new URL(url).hostname);
}

async function listenOn(listen: string, flag: string, serve: Serve): Promise<RepliesServer> {
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
