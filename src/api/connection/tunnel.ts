import { request } from 'node:http';
import type { Socket } from 'node:net';
import { reasonOf } from '../../diagnostics/reason-of.ts';
import { NotConnected, notConnected } from './not-connected.ts';
import type { Proxy } from './proxy.ts';

/** What opening a tunnel takes. */
export interface TunnelOptions {
  readonly proxy: Proxy;
  /** Host and port of the server behind the proxy. */
  readonly target: string;
  /** Connects to the proxy itself. */
  readonly connect: () => Promise<Socket>;
  /** The setting that names the file of authorities, where one is set. */
  readonly caFrom: string | undefined;
  /** How long the proxy may take to answer. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A connection to a server through a proxy, by CONNECT: the proxy gets the server's name and its own credentials, and nothing of what is sent. */
export async function openTunnel(options: TunnelOptions): Promise<Socket> {
  const { proxy, connect, caFrom } = options;
  const socket = await connect().catch((error: unknown) => {
    const failed = notConnected(error, { name: `the proxy ${proxy.name}`, caFrom });
    if (failed.code !== 'CONNECTION_FAILED') throw failed;
    throw failedAt(proxy, `cannot be reached: ${reasonOf(error)}`, error);
  });
  return asked(socket, options);
}

function asked(socket: Socket, { proxy, target, timeoutMs, signal }: TunnelOptions): Promise<Socket> {
  return new Promise((tunnel, failed) => {
    const connecting = request({
      createConnection: () => socket,
      method: 'CONNECT',
      path: target,
      headers: {
        host: target,
        ...(proxy.authorization === undefined ? {} : { 'proxy-authorization': proxy.authorization }),
      },
      signal,
    });
    const tooLate = (cause?: unknown): void =>
      refuse(failedAt(proxy, `did not respond to CONNECT ${target} within ${timeoutMs} ms`, cause));
    // No `AbortSignal.timeout`: on Node 20, a signal of `AbortSignal.any` loses it when memory is collected.
    const timer = setTimeout(tooLate, timeoutMs);
    const refuse = (error: NotConnected): void => {
      clearTimeout(timer);
      socket.destroy();
      failed(error);
    };
    connecting.once('connect', ({ statusCode = 0 }, _socket, head) => {
      if (statusCode < 200 || statusCode > 299) refuse(answered(statusCode, proxy, target));
      else if (head.length > 0) refuse(failedAt(proxy, `sent unexpected data after it accepted CONNECT ${target}`));
      else {
        clearTimeout(timer);
        tunnel(socket);
      }
    });
    connecting.once('error', (error: Error & { code?: string }) => {
      if (error.name === 'AbortError') tooLate(error);
      else if (error.code?.startsWith('HPE_') === true)
        refuse(failedAt(proxy, 'sent a response that is not HTTP', error));
      else refuse(failedAt(proxy, `closed the connection before responding to CONNECT ${target}`, error));
    });
    connecting.end();
  });
}

/** An answer that opens no tunnel: the proxy's decision, or its trouble with the server behind it. */
function answered(status: number, proxy: Proxy, target: string): NotConnected {
  const what = `returned ${status} for CONNECT ${target}`;
  if (status >= 500) return failedAt(proxy, what);
  const message = `${theProxy(proxy)} ${what}`;
  if (status !== 407)
    return new NotConnected('PROXY_REFUSED', message, {
      proxy,
      hint: `allow ${target} in the proxy, or add the target host to NO_PROXY to connect directly`,
    });
  const has =
    proxy.authorization === undefined ? 'the proxy requires credentials' : 'the proxy does not accept the credentials';
  return new NotConnected('PROXY_REFUSED', `${message}: ${has}`, {
    proxy,
    hint: 'set SLUICE_PROXY to http://USER:PASSWORD@HOST:PORT, with special characters percent-encoded',
  });
}

function theProxy({ name, from }: Proxy): string {
  return `the proxy ${name} (${from})`;
}

function failedAt(proxy: Proxy, what: string, cause?: unknown): NotConnected {
  return new NotConnected('PROXY_FAILED', `${theProxy(proxy)} ${what}`, {
    proxy,
    cause,
    hint: `check ${proxy.from}, or add the target host to NO_PROXY to connect directly`,
  });
}
