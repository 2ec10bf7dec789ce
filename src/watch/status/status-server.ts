import type { WatchStatus } from '../../model/watch-status.ts';
import { serveReplies, type HttpRepliesOptions, type RepliesServer } from './http-replies.ts';
import { textReply, type Reply } from './reply.ts';
import { probeReplies } from './probe-replies.ts';

/** A page as it is sent. */
export interface SentPage {
  readonly html: string;
  readonly contentSecurityPolicy: string;
  readonly etag: string;
}

/** Options of the status server, with the renderers of a status. */
export interface StatusServerOptions extends Omit<HttpRepliesOptions, 'replies'> {
  readonly status: () => WatchStatus;
  /** The page, with the resources that the query of an address asks for. */
  readonly page: (status: WatchStatus, search: string) => SentPage;
  /** The page of one part of a status; undefined: there is no such part. */
  readonly details: (status: WatchStatus, search: string) => SentPage | undefined;
  readonly json: (status: WatchStatus, search: string) => string;
  readonly metrics: (status: WatchStatus) => Promise<string>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

// A reply is reused for so long, for many concurrent clients.
const freshMs = 200;
// Replies to different queries that are kept for so long.
const mostReplies = 20;

/** Serves the status page, its JSON, metrics and probes. */
export async function serveStatus(options: StatusServerOptions): Promise<RepliesServer> {
  const made = new Map<string, { readonly at: number; readonly reply: Promise<Reply> }>();

  const pages: Readonly<Record<string, (search: string) => Reply | Promise<Reply>>> = {
    '/': (search) => pageReply(options.page(options.status(), search)),
    '/details': (search) => {
      const page = options.details(options.status(), search);
      return page === undefined ? textReply(404, 'not found') : pageReply(page);
    },
    '/status.json': (search) => ({
      status: 200,
      type: 'application/json',
      body: options.json(options.status(), search),
    }),
    '/metrics': async () => ({
      status: 200,
      type: 'text/plain; version=0.0.4',
      body: await options.metrics(options.status()),
    }),
  };

  // Many concurrent clients are answered from one rendering.
  const shared = Object.entries(pages).map(([path, make]) => {
    const reply = (search: string): Promise<Reply> => {
      const known = made.get(path + search);
      const at = performance.now();
      if (known !== undefined && at - known.at < freshMs) return known.reply;
      const fresh = Promise.resolve(search).then(make);
      if (made.size >= mostReplies) made.clear();
      made.set(path + search, { at, reply: fresh });
      return fresh;
    };
    return [path, reply] as const;
  });
  return serveReplies({ ...options, replies: { ...Object.fromEntries(shared), ...probeReplies(options) } });
}

function pageReply({ html, contentSecurityPolicy, etag }: SentPage): Reply {
  return {
    status: 200,
    type: 'text/html',
    body: html,
    headers: { 'content-security-policy': contentSecurityPolicy, etag },
  };
}
