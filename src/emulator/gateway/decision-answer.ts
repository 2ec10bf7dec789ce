import { validateHeaderName, validateHeaderValue } from 'node:http';
import { gzipSync } from 'node:zlib';
import { textOf, type SpecObject } from '../../kinds/value.ts';
import { textsOf } from '../forms/plain.ts';
import type { Answer } from '../answer.ts';
import type { GatewayDecision } from './decide-request.ts';
import type { GatewayRequest } from './gateway-request.ts';
import { signInUrl } from './sign-in-pages.ts';

/** The status with which the backend is to answer, by a header of the request. */
export function backendStatus({ headers }: GatewayRequest): number {
  const status = Number(headers['gateway-backend-status'] ?? 200);
  return Number.isInteger(status) && status >= 200 && status <= 599 ? status : 200;
}

/** The response to a request: that of the stand-in backend, a redirect to sign in, or what refused it. */
export function decisionAnswer(request: GatewayRequest, decision: GatewayDecision): Answer {
  const { end, route } = decision;
  if (end === 'sign-in' && (request.method === 'GET' || request.method === 'HEAD'))
    return withHeaders(shown(302, request, decision), { location: signInUrl(request.path) });
  if (end !== 'backend' || route === undefined) return shown(decision.status, request, decision);
  const answer = shown(backendStatus(request), request, decision);
  const headers = changed({ ...answer.headers, server: 'stand-in-backend' }, route.modules['response_headers']);
  const isCompressed =
    route.modules['compression'] !== undefined &&
    /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(request.headers['accept-encoding'] ?? '');
  if (!isCompressed) return { ...answer, headers };
  const compressed = { ...answer, bytes: gzipSync(answer.body) };
  return withHeaders({ ...compressed, headers }, { 'content-encoding': 'gzip', vary: 'accept-encoding' });
}

function withHeaders(answer: Answer, more: Answer['headers']): Answer {
  return { ...answer, headers: { ...answer.headers, ...more } };
}

const commonHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** The decision as text, or as JSON for clients that accept it by name. */
function shown(status: number, request: GatewayRequest, decision: GatewayDecision): Answer {
  const { end, because, hostport, edge, route, steps } = decision;
  const modules = steps.map(({ module, does, because: why }) => ({ module, does, because: why }));
  const forwarded = end === 'backend' ? received(request, decision) : undefined;
  const body = {
    end,
    because,
    hostport,
    edge: edge?.id,
    route: route?.id,
    match: route?.match,
    modules,
    received: forwarded,
  };
  const isJson = /\bapplication\/json\b/i.test(request.headers['accept'] ?? '');
  const type = isJson ? 'application/json' : 'text/plain; charset=utf-8';
  // A response without a body is not one that a client waits for.
  const hasNoBody = status === 204 || status === 304;
  const text = isJson ? `${JSON.stringify(body, undefined, 2)}\n` : inLines(decision, forwarded);
  return { status, headers: { 'content-type': type, ...commonHeaders }, body: hasNoBody ? '' : text };
}

function inLines({ end, because, hostport, edge, route, steps }: GatewayDecision, forwarded?: Received): string {
  const rows = [
    ...(edge === undefined ? [] : [['edge', `${edge.id} (${hostport ?? ''})`]]),
    ...(route === undefined ? [] : [['route', `${route.id} (${route.match})`]]),
    ...steps.map(({ module, does, because: why }) => [module, `${does}: ${why}`]),
    ...(forwarded === undefined
      ? []
      : [['received', `${forwarded.method} ${forwarded.path} with ${forwarded.headers.join(', ')}`]]),
  ];
  return [`${end}: ${because}`, ...rows.map(([name = '', text = '']) => `  ${name.padEnd(22)} ${text}`), ''].join('\n');
}

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
}

/** What the backend receives: the names of the headers, for their values may be secret. */
function received({ method, path, headers }: GatewayRequest, { route }: GatewayDecision): Received {
  const own = Object.keys(headers).filter((name) => headers[name] !== undefined && !isForGateway(name));
  const sent = changed(Object.fromEntries(own.map((name) => [name, 'sent'])), route?.modules['request_headers']);
  return { method, path, headers: Object.keys(sent).sort() };
}

/** Headers of the connection to the gateway, and those that only stand for something. */
function isForGateway(name: string): boolean {
  return /^(gateway-.*|connection|proxy-.*|keep-alive|te|trailer|transfer-encoding|upgrade)$/.test(name);
}

// A module must not set the length and the encoding of the body.
const fixed = new Set(['content-length', 'transfer-encoding', 'connection', 'content-encoding']);

/** Headers by lower-case name as a module changes them: it removes, then adds. What HTTP does not allow is left out. */
function changed(headers: Readonly<Record<string, string>>, module: SpecObject | undefined): Record<string, string> {
  const after = new Map(Object.entries(headers));
  for (const name of textsOf(module?.['remove'])) if (!fixed.has(name.toLowerCase())) after.delete(name.toLowerCase());
  const added = module?.['add'];
  for (const [name, value] of Object.entries(typeof added === 'object' && added !== null ? added : {}))
    if (!fixed.has(name.toLowerCase()) && isHeader(name, textOf(value as string)))
      after.set(name.toLowerCase(), textOf(value as string));
  return Object.fromEntries(after);
}

function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
