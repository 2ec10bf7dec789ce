import { quoted } from '../../../diagnostics/quoted.ts';
import { routingIndex, httpRequest, type HttpRequest } from '../../../plan/access-policy/routing-index.ts';
import { traceRequest } from '../../../plan/access-policy/trace-request.ts';
import { traceJson, traceText } from '../../../render/access/trace-text.ts';
import { readRouting } from '../../../stack/plan/read-routing.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import { withWorkspace } from '../../with-workspace.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { compareLog } from './compare-log.ts';
import { checkExpected, readExpectedRequests } from './expected-requests.ts';

interface TraceFlags {
  readonly planned?: boolean;
  readonly plan?: string;
  readonly expect?: string;
  readonly log?: string;
  readonly host?: string;
  readonly parallelism: number;
}

/** Shows what becomes of one request, or checks a file of them. */
export async function trace(
  context: Context,
  method: string | undefined,
  url: string | undefined,
  flags: TraceFlags,
): Promise<number> {
  const { planned, plan, expect, log, host, parallelism } = flags;
  if (log !== undefined && (method !== undefined || expect !== undefined))
    throw new UsageError('--log cannot be used together with a request or --expect');
  if (host !== undefined && log === undefined)
    throw new UsageError('--host requires --log', 'pass the access log with --log');
  if (planned === true && plan !== undefined) throw new UsageError('--planned and --plan cannot be used together');
  const expected = expect === undefined ? undefined : readExpectedRequests(context, expect);
  const request = expected === undefined && log === undefined ? requestOf(method, url) : undefined;
  if (expected !== undefined && method !== undefined)
    throw new UsageError('a request cannot be given together with --expect, which names a file of requests');
  return withWorkspace(context, { parallelism, command: 'trace', writes: false }, async (workspace) => {
    const read = await readRouting(context, workspace, plan);
    if (log !== undefined) return compareLog(context, log, host, read);
    const { now, planned: after, named, sources } = read;
    const routing = routingIndex(planned === true || plan !== undefined ? after : now);
    if (expected !== undefined) return checkExpected(context, expected, routing, named);
    if (request === undefined) return exitCodes.invalid;
    const traced = traceRequest(request, routing, named);
    return context.done(traceText(traced, sources, context.palette), { ...traceJson(traced, sources) });
  });
}

/** The request of the command line; GET where only a URL is given. */
function requestOf(method: string | undefined, url: string | undefined): HttpRequest {
  if (method === undefined)
    throw new UsageError('trace requires a request, --expect or --log', 'run `sluice trace GET https://HOST/PATH`');
  const [verb, target] = url === undefined ? ['GET', method] : [method, url];
  const request = httpRequest(verb, target);
  if (request !== undefined) return request;
  const meant = [verb.toUpperCase(), target.replace(/^(http:\/\/)?(?=[\w-]+\.)/, 'https://')] as const;
  const isMeant = httpRequest(...meant) !== undefined;
  throw new UsageError(
    `${quoted(`${verb} ${target}`, 200)} is not a method and an https URL`,
    `run \`sluice trace ${isMeant ? meant.join(' ') : 'GET https://shop.example.com/admin'}\``,
  );
}
