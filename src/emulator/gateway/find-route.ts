import type { DoorEdge, DoorRoute, FrontDoor } from './front-door.ts';
import type { GatewayReading } from './gateway-options.ts';
import type { GatewayRequest } from './gateway-request.ts';

interface FoundEdge {
  readonly edge: DoorEdge;
  readonly hostport: string;
}

/** The edge that answers at a hostport: the one with exactly that, else the one with the longest wildcard; which of several is an option. */
export function findEdge(hostport: string, { edges }: FrontDoor, reading: GatewayReading): FoundEdge | undefined {
  const asked = hostport.toLowerCase();
  const [host, port] = splitHostport(asked);
  let found: FoundEdge | undefined;
  for (const edge of reading.sameHostport === 'oldest' ? edges : edges.toReversed()) {
    for (const own of edge.hostports) {
      if (own === asked) return { edge, hostport: own };
      const [wildcard, at] = splitHostport(own);
      if (at === port && isCovered(wildcard, host, reading) && own.length > (found?.hostport.length ?? 0))
        found = { edge, hostport: own };
    }
  }
  return found;
}

function splitHostport(hostport: string): readonly [host: string, port: string] {
  const colon = hostport.lastIndexOf(':');
  return colon < 0 ? [hostport, ''] : [hostport.slice(0, colon), hostport.slice(colon + 1)];
}

/** A `match`, read as a host and a path; without a host, or without a path, any. */
interface ReadMatch {
  readonly host: string | undefined;
  readonly path: string;
  readonly exact: boolean;
}

/** The route that takes a request: by host before none, exact path before prefix, longer before shorter (decisions/0005). A host without a path is one with `/`. */
export function findRoute(request: GatewayRequest, edge: DoorEdge, reading: GatewayReading): DoorRoute | undefined {
  const path = pathOf(request.path, reading);
  let best: { readonly route: DoorRoute; readonly rank: readonly number[] } | undefined;
  const routes = reading.sameMatch === 'oldest' ? edge.routes : edge.routes.toReversed();
  for (const route of routes) {
    const match = readMatch(route, reading);
    if (!takesHost(match, request, reading) || !takesPath(match, path, reading)) continue;
    const rank = rankOf(match, reading);
    if (best === undefined || isAbove(rank, best.rank)) best = { route, rank };
  }
  return best?.route;
}

function readMatch({ match, matchType }: DoorRoute, { exactHost }: GatewayReading): ReadMatch {
  const slash = match.indexOf('/');
  const isExact = matchType === 'exact_path';
  const host = (slash < 0 ? match : match.slice(0, slash)).toLowerCase();
  const path = slash >= 0 ? match.slice(slash) : isExact && exactHost === 'root' ? '/' : '';
  return { host: host === '' ? undefined : host, path, exact: isExact && path !== '' };
}

function pathOf(url: string, { path: form }: GatewayReading): string {
  const raw = url.replace(/[?#].*$/s, '');
  return form === 'raw' ? raw : normalizedPath(raw);
}

/** The path with unreserved characters decoded, empty segments merged and dot segments resolved. */
export function normalizedPath(path: string): string {
  const decoded = path.replace(/%([0-9a-f]{2})/gi, (coded, hex: string) => {
    const character = String.fromCharCode(parseInt(hex, 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : coded;
  });
  const kept: string[] = [];
  const segments = decoded.split('/').slice(1);
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment === '..') kept.pop();
    if (segment !== '' && segment !== '.' && segment !== '..') kept.push(segment);
    else if (isLast) kept.push('');
  }
  return `/${kept.join('/')}`;
}

function takesHost({ host: own }: ReadMatch, { host, hostport }: GatewayRequest, reading: GatewayReading): boolean {
  if (own === undefined) return true;
  const asked = host.toLowerCase();
  if (own === asked || isCovered(own, asked, reading)) return true;
  if (reading.hostPattern === 'literal') return false;
  const [name, port] = [own.replace(/:\d+$/, ''), /:(\d+)$/.exec(own)?.[1]];
  if (port !== undefined && !hostport.endsWith(`:${port}`)) return false;
  if (/^\*\.[^*]*$/.test(name)) return isCovered(name, asked, reading);
  const parts = name.split('*').map((part) => part.replace(/[^a-z0-9_-]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(asked);
}

function takesPath({ path: own, exact }: ReadMatch, path: string, { prefix }: GatewayReading): boolean {
  if (exact || path === own) return path === own;
  if (!path.startsWith(own)) return false;
  return prefix === 'text' || own === '' || own.endsWith('/') || path.charAt(own.length) === '/';
}

function rankOf({ host, path, exact }: ReadMatch, { precedence }: GatewayReading): readonly number[] {
  const byHost = host === undefined ? 0 : host.includes('*') ? host.length : Infinity;
  const byPath = [exact ? 1 : 0, path === '' ? 1 : path.length];
  return precedence === 'host' ? [byHost, ...byPath] : [...byPath, byHost];
}

function isAbove(rank: readonly number[], other: readonly number[]): boolean {
  for (const [index, own] of rank.entries()) if (own !== other[index]) return own > (other[index] ?? 0);
  return false;
}

/** Whether a host is one that a name beginning with `*.` stands for. */
function isCovered(wildcard: string, host: string, { wildcard: labels }: GatewayReading): boolean {
  if (!wildcard.startsWith('*.')) return false;
  const rest = wildcard.slice(1);
  if (!host.endsWith(rest) || host.length === rest.length) return false;
  return labels === 'many' || !host.slice(0, -rest.length).includes('.');
}
