import { quoted } from '../diagnostics/quoted.ts';
import { systemReason } from '../diagnostics/system-reason.ts';
import { listenAddress, type HostPort } from '../model/exposure/listen-pattern.ts';
import { UsageError, optionName, type Caller } from '../stack/usage-error.ts';
import type { Ports } from './ports.ts';
import type { RepliesServer } from './status/http-replies.ts';

/** Where the status is served. */
export interface ListenOptions {
  /** `host:port`; false to serve nothing. */
  readonly listen: string | false;
  /** `host:port` of a listener for probes alone; false: none. */
  readonly listenProbes: string | false;
}

type Serve = (at: HostPort) => Promise<RepliesServer>;

/** Starts the servers of the status page and of probes; the URL is where others reach the page, if that is known. */
export async function listenForStatus({
  listen,
  listenProbes,
  serve,
  serveProbes,
  caller,
  log,
}: ListenOptions & {
  readonly serve: Serve;
  readonly serveProbes: Serve;
  readonly caller: Caller;
  readonly log: Ports['log'];
}): Promise<{ readonly url: string | undefined; readonly close: () => Promise<void> }> {
  // Both are read before anything is opened.
  const page = listenerAt(listen, 'listen', 'listen', caller);
  const forProbes = listenerAt(listenProbes, 'listen-probes', 'listenProbes', caller);
  const server = await page?.(serve);
  if (server !== undefined) log('info', 'serving', `status page at ${server.url}`, { url: server.url });
  const probes = await forProbes?.(serveProbes).catch(async (error: unknown) => {
    await server?.close();
    throw error;
  });
  if (probes !== undefined) log('info', 'serving', `health probes at ${probes.url}`, { url: probes.url });
  // The address of a server that listens on all addresses is not one at which others reach it.
  const isWildcard = server !== undefined && ['0.0.0.0', '[::]'].includes(new URL(server.url).hostname);
  return {
    url: isWildcard ? undefined : server?.url,
    close: async () => {
      await server?.close();
      await probes?.close();
    },
  };
}

/** What starts a server at the address that a flag or an option sets; undefined: none is to be started. */
function listenerAt(
  listen: string | false,
  flag: string,
  name: string,
  caller: Caller,
): ((serve: Serve) => Promise<RepliesServer>) | undefined {
  if (listen === false) return undefined;
  const option = optionName(caller, `--${flag}`, name);
  const off = caller.isLibrary === true ? `set \`${name}\` to false` : `use --no-${flag}`;
  const address = listenAddress(listen);
  if (address === undefined)
    throw new UsageError(
      `the address of ${option} must be host:port, not ${quoted(listen, 80)}`,
      `set ${option} to an address such as 127.0.0.1:9470, or ${off}`,
    );
  return (serve) =>
    serve(address).catch((error: unknown) => {
      throw new UsageError(
        `cannot listen on ${listen}: ${systemReason(error)}`,
        `set ${option} to another address (port 0 selects a free port), or ${off}`,
      );
    });
}
