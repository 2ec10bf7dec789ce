import { yieldToLoop } from '../../manifest/read/yield-to-loop.ts';
import { inSlices } from '../../model/sliced.ts';
import type { WatchStatus } from '../../model/status/watch-status.ts';
import { statusDetails } from '../../render/status/page/status-details.ts';
import { statusPageInSteps } from '../../render/status/page/status-page.ts';
import { statusJson } from '../../render/status/status-json.ts';
import { jsonText } from '../../render/text/json-text.ts';
import { probeReplies } from './health.ts';
import { byPath, serveReplies, type HttpRepliesOptions, type RepliesServer, type ReplyTo } from './http-replies.ts';
import { textReply } from './reply.ts';
import { jsonReply, metricsReply, pageReply, sharedReplies } from './shared-replies.ts';

/** Options of the status server. */
export interface StatusServerOptions extends Omit<HttpRepliesOptions, 'find'> {
  readonly status: () => WatchStatus;
  readonly metrics: (status: WatchStatus) => string;
  /** The clock of deadlines, in milliseconds. */
  readonly now: () => number;
  /** The page of the fleet to which the stack belongs. */
  readonly fleetUrl?: string;
}

/** Serves the status page of a stack, its JSON, metrics and probes. */
export async function serveStatus(options: StatusServerOptions): Promise<RepliesServer> {
  return serveReplies({ ...options, find: byPath({ ...statusReplies(options), ...probeReplies(options) }) });
}

/** The status page of a stack, its JSON and metrics, by path. */
export function statusReplies({
  status,
  metrics,
  fleetUrl,
}: Pick<StatusServerOptions, 'status' | 'metrics' | 'fleetUrl'>): Readonly<Record<string, ReplyTo>> {
  return sharedReplies({
    '/': async (search) => pageReply(await inSlices(statusPageInSteps(status(), search, fleetUrl), yieldToLoop())),
    '/details': (search) => {
      const part = statusDetails(status(), search);
      return part === undefined ? textReply(404, 'not found') : pageReply(part);
    },
    '/status.json': (search) => jsonReply(jsonText(statusJson(status(), search))),
    '/metrics': () => metricsReply(metrics(status())),
  });
}
