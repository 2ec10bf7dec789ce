import { hostInUrl } from '../../model/host-in-url.ts';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { BlockList, isIP, type AddressInfo } from 'node:net';
import { postedRequest, type AnswerPost } from './posted-request.ts';
import { textReply, type Reply } from './reply.ts';

/** What one path is answered with; it gets the query of the address, with its question mark. */
export type ReplyTo = (search: string) => Reply | Promise<Reply>;

/** What is served, and where. */
export interface HttpRepliesOptions {
  /** An address of this machine; by default on loopback. */
  readonly host?: string;
  /** 0: one that is free. */
  readonly port: number;
  /** What a path is answered with; undefined: not found. */
  readonly find: (path: string) => ReplyTo | undefined;
  /** What answers POST on a path; by default nothing does. */
  readonly findPost?: (path: string) => AnswerPost | undefined;
  /** Where a proxy serves the pages: they may post from there, too. */
  readonly proxyUrl?: string | undefined;
  /** Receives internal errors, which clients do not see. */
  readonly onError: (error: unknown) => void;
}

/** A server that answers. */
export interface RepliesServer {
  readonly url: string;
  /** Ends every connection, so that it is over at once. */
  readonly close: () => Promise<void>;
}

const limits = { connections: 64, headerBytes: 16_384, headersMs: 5_000, requestMs: 10_000, idleMs: 5_000 };

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Serves replies to GET and HEAD over HTTP, and to POST on some paths, bounded in connections, time and size. */
export async function serveReplies(options: HttpRepliesOptions): Promise<RepliesServer> {
  const { host = '127.0.0.1', port, find, findPost, proxyUrl } = options;
  const origins = proxyUrl === undefined ? [] : [new URL(proxyUrl).origin];
  const local = host === 'localhost' || isLoopbackAddress(host);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, path = '/', search = ''] = /^([^?#]*)(\?[^#]*)?/s.exec(request.url ?? '/') ?? [];
    const post = findPost?.(path);
    if (post !== undefined) {
      await answerPost(request, response, post);
      return;
    }
    const refused = refusal(request) ?? misdirection(request, local);
    const reply = refused ?? (await find(path)?.(search)) ?? textReply(404, 'not found');
    // A body is not waited for, whatever its length.
    if (refused !== undefined) response.shouldKeepAlive = false;
    const etag = reply.headers?.['etag'];
    if (etag !== undefined && request.headers['if-none-match'] === etag)
      send(response, { ...reply, status: 304, body: '' });
    else send(response, reply);
  }

  async function answerPost(request: IncomingMessage, response: ServerResponse, post: AnswerPost): Promise<void> {
    const notPost = { ...textReply(405, 'method not allowed: only POST is supported'), headers: { allow: 'POST' } };
    const wrong = request.method === 'POST' ? misdirection(request, local) : notPost;
    const posted = wrong === undefined ? await postedRequest(request, origins) : { refused: wrong };
    if ('refused' in posted) response.shouldKeepAlive = false;
    send(response, 'refused' in posted ? posted.refused : await post(posted));
  }

  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.idleMs,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      answer(request, response).catch((error: unknown) => {
        options.onError(error);
        send(response, textReply(500, 'internal error; see the log'));
      });
    },
  );
  server.maxConnections = limits.connections;
  server.maxRequestsPerSocket = 1_000;
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      server.on('error', options.onError);
      listening();
    });
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${hostInUrl(host)}:${bound}`,
    close: () => closeNow(server),
  };
}

/** Ends every connection of a server, so that it is over at once. */
export function closeNow(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}

/** Whether an address means this machine alone, in whatever way it is spelled. */
function isLoopbackAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && loopback.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** Requests that are refused where only reading is possible: methods other than GET and HEAD, and bodies. */
function refusal({ method = '', headers }: IncomingMessage): Reply | undefined {
  if (method !== 'GET' && method !== 'HEAD')
    return {
      ...textReply(405, 'method not allowed: only GET and HEAD are supported'),
      headers: { allow: 'GET, HEAD' },
    };
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)
    return textReply(413, 'request bodies are not accepted');
  return undefined;
}

/** Requests with a host name that DNS rebinding may have pointed here. */
function misdirection({ headers }: IncomingMessage, local: boolean): Reply | undefined {
  return local && !namesLoopback(headers.host)
    ? textReply(421, 'misdirected request: the Host header does not name this server')
    : undefined;
}

/** Whether a Host header names this machine by an address or name that no one else can point here. */
function namesLoopback(header: string | undefined): boolean {
  const name = header?.replace(/:\d{1,5}$/, '').toLowerCase() ?? '';
  return name === 'localhost' || isLoopbackAddress(name.replace(/^\[(.*)\]$/, '$1'));
}

/** Finds what answers in a table of paths. */
export function byPath<Answer>(answers: Readonly<Record<string, Answer>>): (path: string) => Answer | undefined {
  return (path) => (Object.hasOwn(answers, path) ? answers[path] : undefined);
}

function send(response: ServerResponse, { status, type, body, headers }: Reply): void {
  response.writeHead(status, {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...headers,
    'content-type': type.includes('json') ? type : `${type}; charset=utf-8`,
    ...(status === 304 ? {} : { 'content-length': Buffer.byteLength(body) }),
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  response.end(body);
}
