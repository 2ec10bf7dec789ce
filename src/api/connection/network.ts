import type { Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher, errors } from 'undici';
import { trustAlso, type Authorities } from './ca-bundle.ts';
import { NotConnected, notConnected } from './not-connected.ts';
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

// What undici destroys a connection with when a request on it is given up.
const givenUp = 'UND_ERR_INFO';

const transports = new WeakMap<Socket, Socket>();

/**
 * Has a connection reset when a request on it is given up, as at its deadline. Closing it in order would still deliver
 * what waits in the buffers of this machine: minutes later, when the network is back. `transport` is what TLS goes over.
 */
function resetWhenGivenUp(socket: Socket, transport?: Socket): Socket {
  if (transport !== undefined) transports.set(socket, transport);
  const destroy = socket.destroy.bind(socket);
  let reason: Error | undefined;
  socket.destroy = (error?: Error) => {
    if (reason === undefined && error !== undefined && 'code' in error && error.code === givenUp) {
      // Without a failure, undici takes a response that was given up for a whole one, or connects again for nothing.
      reason = new errors.SocketError(error.message);
      const under = lowest(socket);
      if (under === socket) socket.resetAndDestroy();
      else resetWhenDestroyed(under);
    }
    return destroy(reason ?? error);
  };
  return socket;
}

/** TLS destroys what it goes over; resetting that first would end TLS as if the response were whole. */
function resetWhenDestroyed(socket: Socket): void {
  const destroy = socket.destroy.bind(socket);
  let isReset = false;
  socket.destroy = (error?: Error) => {
    if (!isReset) {
      isReset = true;
      socket.resetAndDestroy();
    }
    return destroy(error);
  };
}

/** The TCP connection under any number of layers of TLS. */
function lowest(socket: Socket): Socket {
  const transport = transports.get(socket);
  return transport === undefined ? socket : lowest(transport);
}
