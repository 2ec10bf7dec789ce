import { setUp } from '../support/setup.ts';
import type { GatewayDecision } from '../../../src/emulator/gateway/decide-request.ts';
import type { GatewayOptions } from '../../../src/emulator/gateway/gateway-options.ts';
import type { GatewayRequest } from '../../../src/emulator/gateway/gateway-request.ts';

/** A request of somebody who shows nothing. */
export const anonymous: GatewayRequest = {
  hostport: 'shop.example.com:443',
  host: 'shop.example.com',
  method: 'GET',
  path: '/',
  headers: {},
  body: Buffer.alloc(0),
  address: '203.0.113.7',
  tlsVersion: '1.3',
  signIns: [],
};

/** Somebody who has signed in, wherever that is asked for. */
export function signedIn(email: string, ...memberOf: readonly string[]): Partial<GatewayRequest> {
  return { signIns: [{ provider: undefined, email, memberOf, age: 0, idle: 0 }] };
}

/** A backend under a name. */
export const to = (name: string) => ({ backend: { backend_id: `bkd_${name}` } });

/** One edge of an account: where it listens, its modules, and its routes by match; `=` before a match makes it exact. */
export interface GivenEdge {
  readonly hostports?: readonly string[];
  readonly modules?: object;
  readonly routes: Readonly<Record<string, object>>;
}

/** An emulator with some edges, made through the API, and its gateway. */
export async function frontDoor(edges: readonly GivenEdge[], options: GatewayOptions = {}) {
  const all = setUp({ profile: 'completed', hostports: 'shared' });
  for (const { hostports = ['shop.example.com:443'], modules = {}, routes } of edges) {
    const edge = await all.call('POST', '/edges/https', { hostports, ...modules });
    for (const [match, route] of Object.entries(routes)) {
      const match_type = match.startsWith('=') ? 'exact_path' : 'path_prefix';
      const body = { match_type, match: match.replace('=', ''), ...route };
      const made = await all.call('POST', `/edges/https/${String(edge.body['id'])}/routes`, body);
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    }
  }
  const gateway = all.emulator.gateway(options);
  const ask = (request: Partial<GatewayRequest> = {}): GatewayDecision => gateway.decide({ ...anonymous, ...request });
  return { ...all, gateway, ask };
}

/** Where a request ends, in a word: the backend or what refuses it. */
export function ending({ end, backend, because }: GatewayDecision): string {
  return end === 'backend' ? (backend ?? '').replace('bkd_', '') : `${end}: ${because}`;
}
