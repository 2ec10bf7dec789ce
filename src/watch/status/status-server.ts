import type { WatchStatus } from '../../model/status/watch-status.ts';
import { byPath, serveReplies, type HttpRepliesOptions, type RepliesServer, type ReplyTo } from './http-replies.ts';
import { textReply } from './reply.ts';
import { probeReplies } from './probe-replies.ts';
import { jsonReply, metricsReply, pageReply, sharedReplies } from './shared-replies.ts';
import type { StatusPage } from '../../render/status/page/status-document.ts';

/** Options of the status server, with the renderers of a status. */
export interface StatusServerOptions extends Omit<HttpRepliesOptions, 'find'> {
  readonly status: () => WatchStatus;
  /** The page, with the resources that the query of an address asks for. */
  readonly page: (status: WatchStatus, search: string) => StatusPage | Promise<StatusPage>;
  /** The page of one part of a status; undefined: there is no such part. */
  readonly details: (status: WatchStatus, search: string) => StatusPage | undefined;
  readonly json: (status: WatchStatus, search: string) => string;
  readonly metrics: (status: WatchStatus) => string;
  /** The clock of deadlines, in milliseconds. */
  readonly now: () => number;
}

/** Serves the status page of a stack, its JSON, metrics and probes. */
export async function serveStatus(options: StatusServerOptions): Promise<RepliesServer> {
  return serveReplies({ ...options, find: byPath({ ...statusReplies(options), ...probeReplies(options) }) });
}

/** The status page of a stack, its JSON and metrics, by path. */
export function statusReplies({
  status,
  page,
  details,
  json,
  metrics,
}: Pick<StatusServerOptions, 'status' | 'page' | 'details' | 'json' | 'metrics'>): Readonly<Record<string, ReplyTo>> {
  return sharedReplies({
    '/': async (search) => pageReply(await page(status(), search)),
    '/details': (search) => {
      const part = details(status(), search);
      return part === undefined ? textReply(404, 'not found') : pageReply(part);
    },
    '/status.json': (search) => jsonReply(json(status(), search)),
    '/metrics': () => metricsReply(metrics(status())),
  });
}
