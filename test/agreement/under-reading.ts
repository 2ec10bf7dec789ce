/*
 * The model assumes one reading of what the description leaves open. Another reading of an account is the usual reading
 * of an account that is written otherwise, as far as one request is concerned:
 *
 *   prefix: segment      a prefix /a is an exact /a and a prefix /a/
 *   exactHost: root      an exact host is an exact host/
 *   wildcard: one        wildcards that stand for several labels of the request are not there
 *   precedence: path     hosts that match are not there; of two routes with one path, the one with the better host stays
 */
import type { GatewayReading } from '../../src/emulator/gateway/gateway-options.ts';
import type { GatewayRequest } from '../../src/emulator/gateway/gateway-request.ts';
import { meansHost } from '../../src/model/wildcards.ts';
import type { InstanceKey } from '../../src/plan/order/plan-node.ts';
import type { RoutingModel, RoutingNode } from '../../src/plan/routing/routing-model.ts';

/** The account, written so that the model reads of it for this request what another reading says. */
export function underReading(model: RoutingModel, request: GatewayRequest, reading: GatewayReading): RoutingModel {
  if (
    reading.prefix === 'text' &&
    reading.exactHost === 'any-path' &&
    reading.wildcard === 'many' &&
    reading.precedence === 'host'
  )
    return model;
  const written = new Map<InstanceKey, RoutingNode>();
  const best = new Map<string, { readonly rank: number; readonly keys: InstanceKey[] }>();
  // A prefix in two parts leaves room for routes that are by themselves what a part is: those come before it.
  const whole = new Set(
    [...model].flatMap(([, { spec, parent = '' }]) =>
      matchesOf(spec, { ...reading, prefix: 'text' })
        .filter(({ host }) => host === '' || staysAsHost(host, request, { ...reading, precedence: 'path' }))
        .map((match) => `${parent} ${placeOf(match)} ${String(match.exact)}`),
    ),
  );
  for (const [key, node] of model) {
    const { spec } = node;
    if (node.parent === undefined) {
      const places = Array.isArray(spec['hostports']) ? spec['hostports'].map(String) : [];
      const hostports = places.filter((place) => isMeant(place, request.hostport, reading));
      written.set(key, { ...node, spec: { ...spec, hostports } });
      continue;
    }
    if (model.get(node.parent)?.passesThrough === true) {
      written.set(key, node);
      continue;
    }
    const matches = matchesOf(spec, reading);
    for (const [index, { host, path, exact }] of matches.entries()) {
      if (host !== '' && !staysAsHost(host, request, reading)) continue;
      const isPart = matches.length > 1;
      if (isPart && whole.has(`${node.parent} ${placeOf({ host, path })} ${String(exact)}`)) continue;
      const own: InstanceKey = index === 0 ? key : (`${key}'` as InstanceKey);
      const byPath = reading.precedence === 'path';
      const match = byPath ? (path === '' ? '/' : path) : `${host}${path}`;
      written.set(own, { ...node, spec: { ...spec, match, match_type: exact ? 'exact_path' : 'path_prefix' } });
      if (!byPath) continue;
      const same = `${node.parent} ${match} ${String(exact)}`;
      const rank = (isPart ? 0 : 1e9) + rankOfHost(host.toLowerCase());
      const known = best.get(same);
      if (known === undefined || rank > known.rank) {
        for (const other of known?.keys ?? []) written.delete(other);
        best.set(same, { rank, keys: [own] });
      } else if (rank === known.rank) known.keys.push(own);
      else written.delete(own);
    }
  }
  return written;
}

/** Whether a hostport or host stays: wildcards that stand for too many labels of this request do not. */
function isMeant(name: string, asked: string, { wildcard }: GatewayReading): boolean {
  const [own, other] = [name.toLowerCase(), asked.toLowerCase()];
  return (
    wildcard === 'many' ||
    !own.startsWith('*.') ||
    !meansHost(own, other) ||
    !other.slice(0, 1 - own.length).includes('.')
  );
}

/** Whether a host stays; where the path comes first, only hosts that match do. */
function staysAsHost(host: string, { host: asked, hostport }: GatewayRequest, reading: GatewayReading): boolean {
  const [name, port] = [host.toLowerCase().replace(/:\d+$/, ''), /:\d+$/.exec(host)?.[0]];
  if (!isMeant(name, asked, reading)) return false;
  if (reading.precedence === 'host') return true;
  const isUnclear = port !== undefined || name.slice(1).includes('*') || /^\*(?!\.)/.test(name);
  if (!isUnclear) return meansHost(name, asked.toLowerCase());
  const pattern = name
    .split('*')
    .map((part) => part.replaceAll('.', '\\.'))
    .join('.*');
  const takes = new RegExp(`^${pattern}$`).test(asked.toLowerCase()) && (port === undefined || hostport.endsWith(port));
  return reading.hostPattern === 'pattern' && takes;
}

function placeOf({ host, path }: Pick<WrittenMatch, 'host' | 'path'>): string {
  return `${host.toLowerCase().replace(/:\d+$/, '')} ${path}`;
}

function rankOfHost(host: string): number {
  return host.includes('*') ? host.length : host === '' ? 0 : 1e5;
}

interface WrittenMatch {
  readonly host: string;
  readonly path: string;
  readonly exact: boolean;
}

function matchesOf({ match, match_type }: RoutingNode['spec'], { prefix, exactHost }: GatewayReading): WrittenMatch[] {
  const [, host = '', path = ''] = /^([^/]*)(.*)$/s.exec(typeof match === 'string' ? match : '') ?? [];
  const isExact = match_type === 'exact_path';
  if (isExact && path === '' && exactHost === 'root') return [{ host, path: '/', exact: true }];
  const exact = isExact && path !== '';
  if (exact || prefix === 'text' || path === '' || path.endsWith('/')) return [{ host, path, exact }];
  return [
    { host, path, exact: true },
    { host, path: `${path}/`, exact: false },
  ];
}
