import type { Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { trustAlso, type Authorities } from './ca-bundle.ts';
import { NotConnected, notConnected } from './not-connected.ts';
import { resetWhenGivenUp } from './reset-when-given-up.ts';
import { proxyFor, type ProxySettings } from './proxy-choice.ts';
import type { Proxy } from './proxy.ts';
import { openTunnel } from './tunnel.ts';

/** How this machine reaches others. */
export interface NetworkSettings {
  readonly proxy: ProxySettings;
  /** Trusted beside the authorities of Node. */
  readonly authorities?: Authorities;
  /** How long a proxy may take to open a tunnel, and TCP and TLS to connect. */
  readonly timeoutMs?: number;
}

/** Connections of one client. */
export interface Connections {
  readonly dispatcher: Dispatcher;
  /** Ends them, and whatever is being connected. */
  readonly close: () => Promise<void>;
}

/** Makes the connections of a client, directly or through a proxy, according to the settings. No other code makes connections. */
export function openConnections(settings: NetworkSettings, options: Agent.Options = {}): Connections {
  const closed = new AbortController();
  const connect = connectorOf(settings, closed.signal);
  const agent = new Agent({
    ...options,
    connect: (to, done) => {
      connect(to).then(
        (socket) => done(null, socket),
        (error: unknown) => done(error instanceof Error ? error : new Error('the connection failed'), null),
      );
    },
  });
  return {
    dispatcher: agent,
    close: () => {
      closed.abort();
      return agent.destroy();
    },
  };
}

type Connect = (to: buildConnector.Options) => Promise<Socket>;

function connectorOf(settings: NetworkSettings, signal: AbortSignal): Connect {
  const { authorities, timeoutMs = 10_000 } = settings;
  const secure = authorities === undefined ? {} : { secureContext: trustAlso(authorities) };
  const connector = buildConnector({ timeout: timeoutMs, ...secure });
  const caFrom = authorities?.from;

  function opened(to: buildConnector.Options): Promise<Socket> {
    return new Promise((connected, failed) => {
      connector(to, (error, socket) => {
        if (error === null) connected(socket);
        else failed(error);
      });
    });
  }

  // TLS goes over a connection of our own, so that it can be reset.
  async function connectTo(to: buildConnector.Options): Promise<Socket> {
    const { protocol, hostname, host } = to;
    if (protocol !== 'https:') return resetWhenGivenUp(await opened(to));
    const port = to.port === '' ? '443' : to.port;
    const httpSocket = to.httpSocket ?? (await opened({ protocol: 'http:', hostname, host: host ?? hostname, port }));
    return resetWhenGivenUp(await opened({ ...to, httpSocket }), httpSocket);
  }

  async function through(proxy: Proxy, to: buildConnector.Options, target: string): Promise<Socket> {
    const { protocol, port } = proxy;
    const hostname = proxy.hostname.replace(/^\[(.*)\]$/, '$1');
    const httpSocket = await openTunnel({
      proxy,
      target,
      connect: () => connectTo({ protocol, hostname, host: hostname, port }),
      caFrom,
      timeoutMs,
      signal,
    });
    return to.protocol === 'https:' ? connectTo({ ...to, httpSocket }) : httpSocket;
  }

  return async (to) => {
    const url = new URL(`${to.protocol}//${to.host ?? to.hostname}`);
    const target = `${url.hostname}:${url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port}`;
    const proxy = proxyFor(url, settings.proxy);
    try {
      return await (proxy === undefined ? connectTo(to) : through(proxy, to, target));
    } catch (error) {
      throw error instanceof NotConnected ? error : notConnected(error, { name: target, proxy, caFrom });
    }
  };
}
