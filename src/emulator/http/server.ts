import { hostInUrl } from '../../model/host-in-url.ts';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { X509Certificate } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import { bytesOf, type Answer } from '../answer.ts';
import type { EmulatorRequest, TlsFacts } from './exchange.ts';
import { bodyLimit } from './gate.ts';
import { controlBodyLimit, isControl } from '../control/admission.ts';

/** A server that accepts requests. */
export interface ListeningServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Answers one request. */
export type Handle = (request: EmulatorRequest) => Answer | Promise<Answer>;

/** Where to serve: by default on loopback, at any free port, with plain HTTP. */
export interface ListenAddress {
  readonly host?: string;
  readonly port?: number;
  /** A certificate with its key, both as PEM: serves HTTPS. */
  readonly tls?: ServerTls;
}

/** The identity of a server; where client certificates are asked for, nobody has to show one, and none is checked. */
interface ServerTls {
  readonly cert: string;
  readonly key: string;
  readonly requestCert?: boolean;
}

/** Serves a function over real sockets. */
export async function serve(
  handle: Handle,
  { host = '127.0.0.1', port = 0, tls }: ListenAddress = {},
): Promise<ListeningServer> {
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    void answered(request, response).catch(() => response.destroy());
  };
  const server =
    tls === undefined ? createServer(onRequest) : createTlsServer({ ...tls, rejectUnauthorized: false }, onRequest);
  await listen(server, port, host);
  const { port: bound } = server.address() as AddressInfo;
  const url = `${tls === undefined ? 'http' : 'https'}://${hostInUrl(host)}:${bound}`;
  let closed = false;
  let away: NodeJS.Timeout | undefined;

  async function answered(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = hasBody(request) ? await bodyOf(request) : '';
    const answer = await handle({
      method: request.method ?? 'GET',
      path: pathOf(request),
      headers: request.headers,
      body,
      origin: originOf(request, url),
      ...(request.socket.remoteAddress === undefined ? {} : { from: request.socket.remoteAddress }),
      ...(request.socket instanceof TLSSocket ? { tls: tlsFacts(request.socket) } : {}),
    });
    if (answer.broken?.how === 'refused') goAway(answer.broken.forMs);
    send(answer, response);
  }

  /** Nobody listens for a while, and every connection there is ends. */
  function goAway(forMs: number): void {
    if (away !== undefined || closed) return;
    server.close();
    server.closeAllConnections();
    away = setTimeout(() => {
      away = undefined;
      if (!closed) void listen(server, bound, host).catch(() => undefined);
    }, forMs);
  }

  return {
    url,
    close: () =>
      new Promise((done) => {
        closed = true;
        clearTimeout(away);
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function tlsFacts(socket: TLSSocket): TlsFacts {
  const certificates: string[] = [];
  let at: X509Certificate | undefined = socket.getPeerX509Certificate();
  for (; at !== undefined && certificates.length < 10; at = at.issuerCertificate) certificates.push(at.toString());
  // Node leaves it `false` where the client named none.
  const serverName = (socket as { readonly servername?: string | false }).servername;
  return {
    serverName: typeof serverName === 'string' && serverName !== '' ? serverName : undefined,
    version: socket.getProtocol()?.replace('TLSv', '') ?? '',
    certificates,
  };
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

/** The path with its query. A client that takes the server for a proxy writes the whole URL in its place. */
function pathOf({ url = '/' }: IncomingMessage): string {
  return url.replace(/^https?:\/\/[^/?]*/i, '');
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** The whole body, or just more than the limit of it: the rest is read past. */
async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const limit = isControl(pathOf(request)) ? controlBodyLimit : bodyLimit;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (size <= limit) chunks.push(chunk);
    size += chunk.length;
  }
  return Buffer.concat(chunks);
}

/** What URIs begin with: as the client called the server, if that is a plain name and port. */
function originOf({ headers }: IncomingMessage, url: string): string {
  return /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/i.test(headers.host ?? '')
    ? `${new URL(url).protocol}//${headers.host ?? ''}`
    : url;
}

function send(answer: Answer, response: ServerResponse): void {
  const { status, headers, broken } = answer;
  if (broken === undefined && answer.bytes === undefined) {
    // Head and text go out in one piece.
    const length = { 'content-length': Buffer.byteLength(answer.body) };
    response.writeHead(status, status === 204 ? headers : { ...headers, ...length }).end(answer.body);
    return;
  }
  if (broken?.how === 'stall') return;
  if (broken?.how === 'reset' || broken?.how === 'refused') {
    response.socket?.resetAndDestroy();
    return;
  }
  if (broken?.how === 'closed') {
    response.socket?.end();
    return;
  }
  const bytes = bytesOf(answer);
  if (broken?.how === 'cut-unpromised') {
    response.shouldKeepAlive = false;
    response.useChunkedEncodingByDefault = false;
    response.writeHead(status, { ...headers, connection: 'close' });
    response.end(bytes.subarray(0, broken.after));
    return;
  }
  response.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': bytes.length });
  if (broken === undefined) response.end(bytes);
  else if (broken.how === 'headers-only') response.flushHeaders();
  else if (broken.how === 'cut') response.write(bytes.subarray(0, broken.after), () => response.destroy());
  else drip(bytes, broken.everyMs, response);
}

function drip(bytes: Buffer, everyMs: number, response: ServerResponse): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at < bytes.length && !response.destroyed) response.write(bytes.subarray(at, ++at));
    else {
      clearInterval(timer);
      response.end();
    }
  }, everyMs);
  timer.unref();
}
