import type { SpecObject } from '../../../src/kinds/value.ts';
import type { Address } from '../../../src/model/address.ts';
import { controls, trusted, versions } from '../visitors.ts';
import type { Specs } from '../support.ts';
import { withoutOrphans, type World } from './walk-world.ts';

/** Draws from a row of numbers that one seed gives. */
export interface Draw {
  readonly below: (limit: number) => number;
  readonly one: <T>(of: readonly T[]) => T;
  readonly chance: (share: number) => boolean;
}

/** The same row for the same seed. */
export function drawFrom(seed: number): Draw {
  let state = (seed + 0x9e3779b9) >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return {
    below,
    one: (of) => of[below(of.length)] as (typeof of)[number],
    chance: (share) => below(1000) < share * 1000,
  };
}

const edges = ['one', 'two'] as const;
const hosts = ['a', 'b', '*'] as const;
const matches = ['/', '/x', '/x/y', 'a.example.com/x', '*.example.com/x'] as const;
const open: SpecObject = { backend: { backend_id: 'bkd_app' } };

/** Manifests to begin with: an edge or two, most routes with an access control. */
export function firstManifests(draw: Draw): Specs {
  let specs: Specs = {
    'CertificateAuthority/a': { ca_pem: 'a' },
    'CertificateAuthority/b': { ca_pem: 'b' },
    'HTTPSEdge/one': { hostports: ['a.example.com:443'] },
  };
  for (const match of matches) if (match === '/' || draw.chance(0.3)) specs = withRoute(specs, 'one', match, draw);
  if (draw.chance(0.5)) specs = withRoute({ ...specs, 'HTTPSEdge/two': { hostports: [] } }, 'two', '/', draw);
  return specs;
}

/** One small change to manifests, or to what is there. */
export function edited(specs: Specs, draw: Draw): Specs {
  const addresses = Object.keys(specs);
  const routes = addresses.filter((address) => address.startsWith('HTTPSEdgeRoute/'));
  const own = addresses.filter((address) => address.startsWith('HTTPSEdge/'));
  const [route, edge] = [anyOf(routes, draw), anyOf(own, draw)];
  const set = (address: Address, more: SpecObject): Specs => ({ ...specs, [address]: { ...specs[address], ...more } });
  const without = (address: Address, ...names: string[]): Specs => ({
    ...specs,
    [address]: Object.fromEntries(Object.entries(specs[address] ?? {}).filter(([name]) => !names.includes(name))),
  });
  switch (draw.below(14)) {
    case 0:
      return route === undefined ? specs : removed(specs, route);
    case 1:
    case 2:
      return edge === undefined ? specs : withRoute(specs, edge.slice(10), draw.one(matches), draw);
    case 3:
      return route === undefined ? specs : set(route, controlModule(draw));
    case 4:
    case 5:
      return route === undefined ? specs : without(route, ...Object.keys(controls));
    case 6: {
      const [name] = Object.keys(controls).filter((one) => route !== undefined && isModule(specs[route]?.[one]));
      const module = route === undefined || name === undefined ? undefined : specs[route]?.[name];
      if (route === undefined || name === undefined || !isModule(module)) return specs;
      return set(route, { [name]: { ...module, enabled: draw.chance(0.3) } });
    }
    case 7: {
      const [name] = Object.keys(controls).filter((one) => route !== undefined && isModule(specs[route]?.[one]));
      return route === undefined || name === undefined ? specs : set(route, { [name]: draw.one(controls[name] ?? []) });
    }
    case 8:
      return edge === undefined ? specs : withHosts(specs, edge, draw.chance(0.5) ? [] : [draw.one(hosts)]);
    case 9:
      return edge === undefined
        ? specs
        : withHosts(specs, edge, draw.one([['a'], ['b'], ['a', 'b'], ['*'], ['a', '*']]));
    case 10:
      return edge === undefined ? specs : draw.chance(0.5) ? without(edge, 'mutual_tls') : set(edge, draw.one(trusted));
    case 11:
      return edge === undefined
        ? specs
        : draw.chance(0.3)
          ? without(edge, 'tls_termination')
          : set(edge, draw.one(versions));
    case 12:
      return route === undefined
        ? specs
        : draw.chance(0.5)
          ? without(route, 'backend')
          : set(route, draw.chance(0.8) ? open : { match_type: draw.one(['exact_path', 'path_prefix']) });
    default: {
      const name = draw.one(edges);
      if (!(`HTTPSEdge/${name}` in specs))
        return withRoute({ ...specs, [`HTTPSEdge/${name}`]: { hostports: [] } }, name, '/', draw);
      return removed(specs, `HTTPSEdge/${name}`);
    }
  }
}

/** One of several, or nothing where there is none. */
function anyOf<T>(of: readonly T[], draw: Draw): T | undefined {
  return of[draw.below(of.length)];
}

function isModule(value: unknown): value is SpecObject {
  return typeof value === 'object' && value !== null;
}

function removed(specs: Specs, address: Address): Specs {
  return withoutOrphans(Object.fromEntries(Object.entries(specs).filter(([one]) => one !== address)));
}

function withRoute(specs: Specs, edge: string, match: string, draw: Draw): Specs {
  const control = draw.chance(0.7) ? controlModule(draw) : {};
  return { ...specs, [`HTTPSEdgeRoute/${edge}:${match}`]: { ...(draw.chance(0.9) ? open : {}), ...control } };
}

function controlModule(draw: Draw): SpecObject {
  const name = draw.one([...Object.keys(controls), 'oauth', 'oauth']);
  const module = draw.one(controls[name] ?? []);
  const others = ['oauth', 'oidc', 'saml'].includes(name) ? { oauth: null, oidc: null, saml: null } : {};
  return { ...others, [name]: draw.chance(0.9) ? module : { ...module, enabled: false } };
}

/** An edge takes hostports that no other has. */
function withHosts(specs: Specs, edge: Address, names: readonly string[]): Specs {
  const taken = new Set(
    Object.entries(specs).flatMap(([address, { hostports }]) =>
      address === edge || !Array.isArray(hostports) ? [] : hostports.map(String),
    ),
  );
  const hostports = names.map((name) => `${name}.example.com:443`).filter((one) => !taken.has(one));
  return { ...specs, [edge]: { ...specs[edge], hostports } };
}

/** Somebody changes the account, or puts a route of their own on one of our edges. */
export function drifted(world: World, draw: Draw): World {
  if (draw.chance(0.85)) {
    const actual = edgesOnly(world.actual, edited(world.actual, draw));
    const unmanaged = Object.entries(withoutOrphans({ ...actual, ...world.unmanaged }));
    return { ...world, actual, unmanaged: Object.fromEntries(unmanaged.filter(([one]) => one in world.unmanaged)) };
  }
  const [edge] = Object.keys(world.actual).filter((address) => address.startsWith('HTTPSEdge/'));
  if (edge === undefined) return world;
  const address = `HTTPSEdgeRoute/${edge.slice(10)}:/x/z`;
  return draw.chance(0.5) ? { ...world, unmanaged: {} } : { ...world, unmanaged: { [address]: { ...open } } };
}

/** Drift creates nothing that would be ours. */
function edgesOnly(before: Specs, after: Specs): Specs {
  return Object.fromEntries(Object.entries(after).filter(([address]) => address in before));
}
