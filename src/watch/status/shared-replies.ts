import type { StatusPage } from '../../render/status/page/status-document.ts';
import type { ReplyTo } from './http-replies.ts';
import type { Reply } from './reply.ts';

// A reply is reused for so long, for many concurrent clients.
const freshMs = 200;
// Replies to different queries that are kept for so long.
const mostReplies = 20;

/** The same replies, where many concurrent clients are answered from one rendering. */
export function sharedReplies(replies: Readonly<Record<string, ReplyTo>>): Readonly<Record<string, ReplyTo>> {
  const made = new Map<string, { readonly at: number; readonly reply: Promise<Reply> }>();
  const shared = Object.entries(replies).map(([path, make]): [string, ReplyTo] => [
    path,
    (search) => {
      const known = made.get(path + search);
      const at = performance.now();
      if (known !== undefined && at - known.at < freshMs) return known.reply;
      const fresh = Promise.resolve(search).then(make);
      if (made.size >= mostReplies) made.clear();
      made.set(path + search, { at, reply: fresh });
      return fresh;
    },
  ]);
  return Object.fromEntries(shared);
}

/** A reply with a page, which the browser need not load again while it is the same. */
export function pageReply({ html, contentSecurityPolicy, etag }: StatusPage): Reply {
  const headers = { 'content-security-policy': contentSecurityPolicy, etag };
  return { status: 200, type: 'text/html', body: html, headers };
}

/** A reply with a JSON document. */
export function jsonReply(body: string): Reply {
  return { status: 200, type: 'application/json', body };
}

/** A reply with metrics in the text format of Prometheus. */
export function metricsReply(body: string): Reply {
  return { status: 200, type: 'text/plain; version=0.0.4', body };
}
