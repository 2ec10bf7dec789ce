/*
 * What the API's description leaves open about traffic (decisions/0046). The first of each is the default, and what
 * plans assume (decisions/0045).
 */
/** The choices by their names, as flags offer them. */
export const gatewayChoices = {
  prefix: { choices: ['text', 'segment'], help: 'whether path_prefix compares text or whole path segments' },
  path: {
    choices: ['raw', 'normalized'],
    help: 'whether paths are matched as sent, or with %-encoding, // and .. resolved',
  },
  wildcard: { choices: ['many', 'one'], help: 'how many labels `*.` matches in a host' },
  precedence: { choices: ['host', 'path'], help: 'whether the host or the path of a match has priority' },
  hostPattern: {
    choices: ['pattern', 'literal'],
    help: 'whether a match host that has a port or an inner * is a pattern, or a literal that matches nothing',
  },
  sameHostport: { choices: ['oldest', 'newest'], help: 'which of two edges with the same hostport handles a request' },
  sameMatch: { choices: ['oldest', 'newest'], help: 'which of two routes with equal matches handles a request' },
  exactHost: {
    choices: ['any-path', 'root'],
    help: 'whether an exact_path match that is only a host, such as shop.example.com, selects any path, or only /',
  },
  emptyLists: {
    choices: ['open', 'closed'],
    help: 'whether mutual TLS with no authority, and an IP restriction with no policy, refuse all requests or none',
  },
  ipPolicies: { choices: ['any', 'all'], help: 'whether any or all IP policies of a route must permit an address' },
  userAgents: {
    choices: ['deny', 'allow'],
    help: 'whether `deny` or `allow` has priority if a user agent matches both lists of a filter',
  },
  trafficPolicy: {
    choices: ['forward', 'answer', 'refuse'],
    help: 'what the emulator does with a request to a route with a traffic policy: forward it, answer it or refuse it',
  },
  upstream: {
    choices: ['unchecked', 'network'],
    help: 'what applies to requests whose TLS is terminated at the upstream service: nothing, or IP restrictions',
  },
} as const;

/** The name of a choice. */
export type GatewayChoice = keyof typeof gatewayChoices;

/** How the gateway behaves, one of the choices for each name. */
export type GatewayReading = { readonly [name in GatewayChoice]: (typeof gatewayChoices)[name]['choices'][number] };

/** How the gateway behaves, and what IP policies permit: addresses and networks by the id of the policy. */
export interface GatewaySettings extends GatewayReading {
  readonly permitted: Readonly<Record<string, readonly string[]>>;
}

/** The same, of which anything may be left out. */
export type GatewayOptions = Partial<GatewaySettings>;

const defaults = Object.fromEntries(
  Object.entries(gatewayChoices).map(([name, { choices }]) => [name, choices[0]]),
) as GatewayReading;

/** The defaults for what is left out. */
export function gatewaySettings(options: GatewayOptions = {}): GatewaySettings {
  return { ...defaults, permitted: {}, ...options };
}
