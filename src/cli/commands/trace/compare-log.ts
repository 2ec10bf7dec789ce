import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { counted } from '../../../diagnostics/counted.ts';
import { systemReason } from '../../../diagnostics/system-reason.ts';
import { requestText } from '../../../plan/access-policy/http-request.ts';
import { requestChange, type RequestChange } from '../../../plan/access-policy/request-change.ts';
import { routingIndex } from '../../../plan/access-policy/routing-index.ts';
import type { PlannedRouting } from '../../../plan/access-policy/planned-routing.ts';
import { logChangesText } from '../../../render/access/log-changes-text.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { logLines } from './log-lines.ts';
import { logRequest } from './log-request.ts';

// URLs that are listed; requests to others are counted together.
const mostUrls = 1_000;
// Answers that are remembered, because logs repeat themselves.
const mostRemembered = 20_000;

const readableLogs =
  'pass an access log in the combined format, or one JSON object per line with `method`, `host` and `url`; decompress a compressed log first';

/** Counts what a plan changes for the requests of an access log, in bounded memory. */
export async function compareLog(
  context: Context,
  name: string,
  host: string | undefined,
  routing: PlannedRouting,
): Promise<number> {
  const [now, planned] = [routingIndex(routing.now), routingIndex(routing.planned)];
  const remembered = new Map<string, RequestChange | undefined>();
  const counts = new Map<string, { readonly url: string; readonly change: RequestChange; count: number }>();
  const total = { requests: 0, changed: 0, unread: 0, unlisted: 0 };
  let lacksHost = false;
  const file = createReadStream(resolve(context.io.cwd, name), { encoding: 'utf8' });
  try {
    for await (const line of logLines(file)) {
      if (line === '') continue;
      const request = logRequest(line, host);
      if (request === undefined) {
        total.unread += 1;
        lacksHost ||= host === undefined && logRequest(line, 'host.example') !== undefined;
        continue;
      }
      total.requests += 1;
      let url = requestText(request);
      if (!remembered.has(url)) {
        if (remembered.size >= mostRemembered) remembered.clear();
        // A copy: a part of a text keeps the whole of it in memory.
        url = Buffer.from(url).toString();
        remembered.set(url, requestChange(request, now, planned));
      }
      const change = remembered.get(url);
      if (change === undefined) continue;
      total.changed += 1;
      const known = counts.get(url);
      if (known !== undefined) known.count += 1;
      else if (counts.size < mostUrls) counts.set(url, { url, change, count: 1 });
      else total.unlisted += 1;
    }
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${systemReason(error)}`);
  }
  if (total.requests === 0 && total.unread > 0)
    throw new UsageError(
      `the access log ${name} contains no readable request: ${counted(total.unread, 'line')} could not be read`,
      lacksHost ? 'if the lines of the log contain no host, pass the host of the requests with --host' : readableLogs,
    );
  const changes = [...counts.values()].sort((a, b) => b.count - a.count || (a.url < b.url ? -1 : 1));
  context.result(
    () => logChangesText(changes, total, context.palette),
    () => ({
      format_version: '1.0',
      ...total,
      changes: changes.map(({ url, change, count }) => ({ request: url, count, ...change })),
    }),
  );
  return exitCodes.done;
}
