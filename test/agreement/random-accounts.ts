import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import { clientOf } from '../emulator/support/client.ts';
import type { Draw } from '../plan/exposure/walks.ts';

const hostports = [
  'shop.example.com:443',
  'api.example.com:443',
  '*.example.com:443',
  'a.eu.example.com:443',
  '*.eu.example.com:443',
  'shop.example.com:8443',
  '*.example.com:8443',
];
const hostsOfMatch = [
  'shop.example.com',
  'SHOP.example.com',
  'api.example.com',
  '*.example.com',
  '*.eu.example.com',
  's*.example.com',
  '*',
  'shop.example.com:443',
  'shop.example.com:8443',
];
const pathsOfMatch = ['/', '/a', '/ab', '/a/', '/a/b', '/a/b/c', '/A', '/%61', '/a//b', '/a/../b', '/a?x'];

/** What IP policies permit in these tests, in an office. */
export const permitted = { ipp_office: ['203.0.113.0/24'], ipp_vpn: ['203.0.113.0/28'] };
/** The secret that signs webhooks in these tests. */
export const webhookSecret = 'a secret';

const groups = ['staff', 'org/team', 'org'];
const allowLists = [
  {},
  {},
  { email_domains: ['example.com'] },
  { email_addresses: ['ana@example.com', 'bo@example.org'] },
];
const github = [...allowLists, { teams: ['org/team', 'org/other'] }, { organizations: ['org'] }];

/** What Ana belongs to, whom every list of these accounts allows. */
export const groupsOfAna: readonly string[] = groups;

function anyModule(draw: Draw): readonly [string, object] {
  const session = draw.chance(0.3) ? { options_passthrough: draw.chance(0.7) } : {};
  return draw.one<() => readonly [string, object]>([
    () => ['oauth', { provider: { google: draw.one(allowLists) }, ...session }],
    () => ['oauth', { provider: { github: draw.one(github) }, ...session }],
    () => ['oidc', { issuer: 'https://id.example.com', client_id: 'app', client_secret: 's', ...session }],
    () => [
      'saml',
      { idp_metadata: '<E entityID="https://idp"/>', authorized_groups: draw.one([[], ['staff', 'x']]), ...session },
    ],
    () => ['webhook_verification', { provider: 'github', secret: webhookSecret }],
    () => ['webhook_verification', { provider: draw.one(['github', 'gitlab', 'Stripe']), secret: webhookSecret }],
    () => ['ip_restriction', { ip_policy_ids: draw.one([['ipp_office'], ['ipp_vpn', 'ipp_office'], []]) }],
    () => ['user_agent_filter', { deny: ['^bad/'] }],
    () => ['user_agent_filter', { allow: ['^curl/', '^bad/'], deny: ['^bad/'] }],
    () => ['traffic_policy', { value: '{}' }],
    () => ['circuit_breaker', {}],
    () => ['request_headers', { add: { 'x-a': 'b' } }],
    () => ['compression', {}],
  ])();
}

function switched(module: object, draw: Draw): object {
  const enabled = draw.one([true, false, undefined, undefined, undefined, undefined]);
  return enabled === undefined ? module : { ...module, enabled };
}

function anyRoute(draw: Draw, isFirst: boolean): object {
  const isRoot = isFirst && draw.chance(0.7);
  const host = !isRoot && draw.chance(0.35) ? draw.one(hostsOfMatch) : '';
  const path = isRoot ? '/' : host !== '' && draw.chance(0.3) ? '' : draw.one(pathsOfMatch);
  const route: Record<string, object> = {};
  for (let count = draw.one([0, 0, 1, 1, 2, 2, 3]); count > 0; count--) {
    const [name, module] = anyModule(draw);
    route[name] = switched(module, draw);
  }
  if (draw.chance(0.9)) route['backend'] = switched({ backend_id: `bkd_${draw.below(1000)}` }, draw);
  return { match: `${host}${path}`, match_type: !isRoot && draw.chance(0.25) ? 'exact_path' : 'path_prefix', ...route };
}

/** An account made through the API: what the service refuses is not there. */
export async function randomAccount(draw: Draw): Promise<Emulator> {
  const profile = draw.chance(0.5) ? 'completed' : 'documented';
  const emulator = createEmulator({ seed: draw.below(1e9), profile, hostports: 'shared', logKept: 0 });
  const call = clientOf(emulator);
  const free = [...hostports];
  const isSharing = draw.chance(0.3);
  for (let count = 1 + draw.below(3); count > 0; count--) {
    const own = isSharing
      ? new Set([draw.one(hostports.slice(0, 3)), draw.one(hostports)])
      : Array.from({ length: 1 + draw.below(2) }, () => free.splice(draw.below(free.length), 1)).flat();
    const edge = await call('POST', '/edges/https', { hostports: [...own] });
    const path = `/edges/https/${String(edge.body['id'])}`;
    for (let at = 0, routes = 1 + draw.below(6); at < routes; at++)
      await call('POST', `${path}/routes`, anyRoute(draw, at === 0));
  }
  if (profile === 'documented') return emulator;
  // Only here edges can be changed: a certificate is asked for, or TLS ends upstream, after the routes are there.
  return edgesChanged(emulator, draw);
}

async function edgesChanged(emulator: Emulator, draw: Draw): Promise<Emulator> {
  const account = emulator.snapshot();
  const resources = account.resources.map((resource) => {
    if (resource.kind !== 'HTTPSEdge') return resource;
    const mutual = draw.one([undefined, undefined, ['ca_a'], ['ca_b', 'ca_a'], []]);
    const tls = draw.one([undefined, undefined, {}, { min_version: '1.3' }, { terminate_at: 'upstream' }]);
    const modules = {
      ...(mutual === undefined ? {} : { mutual_tls: switched({ certificate_authority_ids: mutual }, draw) }),
      ...(tls === undefined ? {} : { tls_termination: switched(tls, draw) }),
    };
    return { ...resource, spec: { ...resource.spec, ...modules } } as typeof resource;
  });
  emulator.restore({ ...account, resources });
  return Promise.resolve(emulator);
}
