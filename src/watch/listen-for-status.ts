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
  caller,
  log,
}: ListenOptions & {
  readonly serve: Serve;
  readonly serveProbes: Serve;
  readonly caller: Caller;
  readonly log: Ports['log'];
}): Promise<StatusListeners> {
  // Both are read before anything is opened.
  const [page, forProbes] = [
    at(listen, namesOf(caller, 'listen', 'listen')),
    at(listenProbes, namesOf(caller, 'listen-probes', 'listenProbes')),
  ];
  const server = await page?.(serve);
  if (server !== undefined) log('info', 'serving', `status page at ${server.url}`, { url: server.url });
  const probes = await forProbes?.(serveProbes).catch(async (error: unknown) => {
    await server?.close();
    throw error;
  });
  if (probes !== undefined) log('info', 'serving', `health probes at ${probes.url}`, { url: probes.url });
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

/** How messages name what sets an address, and what turns its server off. */
interface Names {
  readonly option: string;
  readonly off: string;
}

function namesOf(caller: Caller, flag: string, option: string): Names {
  return {
    option: optionName(caller, `--${flag}`, option),
    off: caller.isLibrary === true ? `set \`${option}\` to false` : `use --no-${flag}`,
  };
}

/** What starts a server at the address of an option; undefined: none is to be started. */
function at(listen: string | false, { option, off }: Names): ((serve: Serve) => Promise<RepliesServer>) | undefined {
  if (listen === false) return undefined;
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
