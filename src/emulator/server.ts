import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer } from './answer.ts';
import type { EmulatorRequest } from './exchange.ts';
import { bodyLimit } from './gate.ts';

/** A server that accepts requests. */
export interface Listening {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves a function over real sockets. */
export async function serve(
  handle: (request: EmulatorRequest) => Promise<Answer>,
  { host = '127.0.0.1', port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<Listening> {
  let url = '';
  const server = createServer((request, response) => {
    void bodyOf(request)
      .then((body) =>
        handle({
          method: request.method ?? 'GET',
          path: request.url ?? '/',
          headers: request.headers,
          body,
          origin: originOf(request, url),
        }),
      )
      .then(
        (answer) => send(answer, response),
        () => response.destroy(),
      );
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, host, listening);
  });
  const { port: bound } = server.address() as AddressInfo;
  url = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  return {
    url,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** The whole body, or just more than the limit of it: the rest is read past. */
async function bodyOf(request: IncomingMessage): Promise<Uint8Array | string> {
  if (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined) return '';
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (size <= bodyLimit) chunks.push(chunk);
    size += chunk.length;
  }
  return Buffer.concat(chunks);
}

/** What URIs begin with: as the client called the server, if that is a plain name and port. */
function originOf({ headers }: IncomingMessage, url: string): string {
  return /^[a-z0-9.-]+(:\d+)?$/i.test(headers.host ?? '') ? `http://${headers.host ?? ''}` : url;
}

function send({ status, headers, body, broken }: Answer, response: ServerResponse): void {
  if (broken?.how === 'stall') return;
  if (broken?.how === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const bytes = Buffer.from(body);
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
