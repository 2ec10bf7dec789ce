import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { counted } from '../../../diagnostics/counted.ts';
import { systemReason } from '../../../diagnostics/system-reason.ts';
import { httpRequest, requestText, type HttpRequest, routingIndex } from '../../../plan/access-policy/routing-index.ts';
import { requestChange, type RequestChange } from '../../../plan/access-policy/request-change.ts';
import type { PlannedRouting } from '../../../plan/access-policy/planned-routing.ts';
import { logChangesText } from '../../../render/access/log-changes-text.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import type { Context } from '../../context.ts';

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
  return context.done(logChangesText(changes, total, context.palette), {
    ...total,
    changes: changes.map(({ url, change, count }) => ({ request: url, count, ...change })),
  });
}

// A line of an access log is rarely longer; a longer one is passed on cut off, so that memory stays bounded.
const longestLine = 65_536;

/** The lines of a stream, one by one, in bounded memory. */
async function* logLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      yield rest + chunk.slice(start, end);
      rest = '';
      start = end + 1;
    }
    if (rest.length < longestLine) rest += chunk.slice(start, start + longestLine);
  }
  if (rest !== '') yield rest;
}

// The combined format, with or without `host:port` before it: ... "GET /path HTTP/1.1" 200 ...
const combined = /^(?:([A-Za-z0-9.-]+)(?::(\d{1,5}))? )?[^"]*?"([A-Z]+) (\S+)(?: HTTP\/[0-9.]+)?"/;
const isAddress = /^\d+(\.\d+){3}$/;

/** The request of one line of an access log: in the combined format, or a JSON object. `host` is used where the line has none. */
function logRequest(line: string, host: string | undefined): HttpRequest | undefined {
  return line.startsWith('{') ? ofJson(line, host) : ofCombined(line, host);
}

function ofCombined(line: string, host: string | undefined): HttpRequest | undefined {
  const [, first = '', port, method = '', target = ''] = combined.exec(line) ?? [];
  const isVirtualHost = port !== undefined && !isAddress.test(first);
  return requestTo(method, isVirtualHost ? `${first}:${port}` : host, target);
}

function ofJson(line: string, host: string | undefined): HttpRequest | undefined {
  try {
    const read = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const text = (...names: readonly string[]): string | undefined =>
      names.map((name) => read[name]).find((value) => typeof value === 'string');
    const method = text('method', 'request_method', 'http_method') ?? 'GET';
    return requestTo(
      method,
      text('host', 'http_host', 'hostname') ?? host,
      text('url', 'request_uri', 'uri', 'path') ?? '',
    );
  } catch {
    return undefined;
  }
}

function requestTo(method: string, host: string | undefined, target: string): HttpRequest | undefined {
  if (target.startsWith('https://')) return httpRequest(method, target);
  return host === undefined || !target.startsWith('/') ? undefined : httpRequest(method, `https://${host}${target}`);
}
