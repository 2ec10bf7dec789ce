/*
 * Who is let in, judged from outside. Written from the API's description alone, it knows nothing of plans: an edge
 * answers at its hostports; the most specific of its routes takes a request; its backend must be there and enabled;
 * and every enabled access control of edge and route must be satisfied by what the request shows.
 *
 *   access control                  is satisfied by
 *   --------------------   ------------------------------------------------------------------------------------
 *   mutual_tls             a certificate of one of its authorities
 *   tls_termination        a TLS version not below `min_version`
 *   oauth                  an account of its provider that is on its guest list, or on whose list nobody is
 *   oidc, saml             an account at just that provider, in one of the groups where groups are listed
 *   oauth, oidc, saml      nothing, for OPTIONS, with `options_passthrough`
 *   webhook_verification   a signature of that provider
 *   ip_restriction, user_agent_filter, traffic_policy: what they mean is not described, so each setting may let in
 *                          somebody whom no other setting does
 */
import { asksAnything, doorsAt, doorsOf, isOn, routeFor, type Seen } from './front-door.ts';

/** What somebody shows at the door. */
export interface Visitor {
  readonly isOptions: boolean;
  readonly tls: string;
  /** Authorities that vouch for the certificate. */
  readonly authority: string;
  /** The provider where there is an account: a key of oauth, an issuer with its client, or metadata. */
  readonly provider: string;
  readonly email: string;
  readonly memberOf: string;
  readonly signs: string;
  /** The one setting of an access control whose meaning is not described that this visitor satisfies, by access control. */
  readonly passes: Readonly<Record<string, string>>;
}

/** What becomes of a visitor: `nobody` answers there, or takes the path; the route `leads nowhere`; some access controls are `unmet`. */
export type Admission =
  | 'nobody'
  | 'leads nowhere'
  /** `asked`: the access controls, of which anybody at all meets none. */
  | { readonly asked: readonly string[]; readonly unmet: readonly string[] };

/** Judges visitors to one place and path by one reading of an account. */
export function admission(reading: readonly Seen[], place: string, path: string): (visitor: Visitor) => Admission {
  const [door] = doorsAt(doorsOf(reading), place);
  const route = door === undefined ? undefined : routeFor(door, place, path);
  if (door === undefined || route === undefined) return () => 'nobody';
  // A policy may forward or answer on its own.
  if (!isOn(route.spec['backend']) && !isOn(route.spec['traffic_policy'])) return () => 'leads nowhere';
  const controls = Object.entries({ ...door.edge.spec, ...route.spec }).filter(
    ([name, module]) => name in tests && asksAnything(module),
  );
  const asked = controls.map(([name]) => name).filter((name) => !filters.has(name));
  return (visitor) => ({
    asked,
    unmet: controls.flatMap(([name, module]) =>
      tests[name]?.(module as Module, visitor, name) === true ? [] : [name],
    ),
  });
}

type Module = Readonly<Record<string, unknown>>;
type Test = (module: Module, visitor: Visitor, name: string) => boolean;

// What anybody can meet, or whose meaning is not described, keeps nobody out for certain.
const filters: ReadonlySet<string> = new Set(['tls_termination', 'user_agent_filter', 'traffic_policy']);

const opaque: Test = (module, { passes }, name) => passes[name] === setting(module);

const tests: Readonly<Record<string, Test>> = {
  mutual_tls: (module, { authority }) => list(module['certificate_authority_ids']).includes(authority),
  tls_termination: (module, { tls }) => Number(tls) >= Number(module['min_version'] ?? '1.2'),
  oauth: (module, visitor) => skips(module, visitor) || isGuest(module['provider'] as Module, visitor),
  oidc: (module, visitor) =>
    skips(module, visitor) || visitor.provider === `${String(module['issuer'])} ${String(module['client_id'])}`,
  saml: (module, visitor) =>
    skips(module, visitor) ||
    (visitor.provider === module['idp_metadata'] && isOneOf(list(module['authorized_groups']), [visitor.memberOf])),
  webhook_verification: (module, { signs }) => String(module['provider']).toLowerCase() === signs,
  ip_restriction: opaque,
  user_agent_filter: opaque,
  traffic_policy: opaque,
};

/** What an access control says, in one spelling: sets have no order, and what is left out is nothing. */
export function setting({ enabled: _, ...module }: Module): string {
  const reported = Object.entries(module).filter(([, value]) => value !== null && JSON.stringify(value) !== '[]');
  return JSON.stringify(
    reported.map(([key, value]) => [key, Array.isArray(value) ? [...list(value)].sort() : value]).sort(),
  );
}

function skips(module: Module, { isOptions }: Visitor): boolean {
  return isOptions && module['options_passthrough'] === true;
}

function isGuest(providers: Module, { provider, email, memberOf }: Visitor): boolean {
  const asked = providers[provider] as Module | undefined | null;
  if (asked === undefined || asked === null) return false;
  const names = ['email_addresses', 'email_domains', 'teams', 'organizations'].flatMap((name) => list(asked[name]));
  return isOneOf(names, [email, email.replace(/^.*@/, ''), memberOf, memberOf.replace(/\/.*$/, '')]);
}

/** Nobody named: everybody. */
function isOneOf(named: readonly string[], shown: readonly string[]): boolean {
  return named.length === 0 || shown.some((one) => named.includes(one));
}

function list(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
