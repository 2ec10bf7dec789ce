/*
 * Law 4 judged from outside. This model of "does a request reach a backend" is written from the API's description
 * alone and knows nothing of plans: an edge answers at its hostports, and at those that a wildcard of it stands for and
 * nobody has more exactly; of its routes the most specific one takes a request (a host before a wildcard before none, an
 * exact path before a prefix, longer before shorter); that route leads to a backend when its `backend` module is there
 * and enabled; and every enabled access control of the edge and of the route asks something of the request, but for one that
 * names nobody to trust. A request is a place, a path, and the set of access controls it satisfies.
 */

/** One resource as a reading of the account shows it, in write form. */
export interface Seen {
  readonly kind: string;
  readonly id: string;
  readonly parent?: string;
  readonly spec: Readonly<Record<string, unknown>>;
}

/** A request that came through while an apply ran, though neither before nor after it would have. */
export interface Gap {
  readonly place: string;
  readonly path: string;
  /** What the request had to satisfy at that moment, and what it would have had to before and after. */
  readonly asked: readonly string[];
  readonly askedBefore: readonly string[] | 'refused';
  readonly askedAfter: readonly string[] | 'refused';
  /** Which reading, counted from the first write. */
  readonly write: number;
}

/** One hostport of an edge, with what stands behind it. */
export interface Door {
  readonly edge: Seen;
  readonly place: string;
  readonly controls: readonly string[];
  readonly routes: readonly Seen[];
}

const edgeControls: Readonly<Record<string, string>> = { mutual_tls: 'client certificate', tls_termination: 'tls' };
const routeControls: Readonly<Record<string, string>> = {
  oauth: 'authentication',
  saml: 'authentication',
  oidc: 'authentication',
  ip_restriction: 'network',
  webhook_verification: 'signature',
  user_agent_filter: 'agent',
  traffic_policy: 'policy',
};

/** Every gap that a row of readings shows: the first was taken before the first write, then one after each. */
export function gapsIn(readings: readonly (readonly Seen[])[]): Gap[] {
  const before = readings[0] ?? [];
  const after = readings.at(-1) ?? [];
  const places = placesIn(readings);
  const gaps: Gap[] = [];
  for (const place of places) {
    for (const path of pathsIn(readings)) {
      const [askedBefore, askedAfter] = [asks(before, place, path), asks(after, place, path)];
      for (const [write, reading] of readings.entries()) {
        const asked = asks(reading, place, path);
        // Whoever satisfies just what is asked at this moment is the one most easily let in.
        if (asked === 'refused' || satisfies(asked, askedBefore) || satisfies(asked, askedAfter)) continue;
        gaps.push({ place, path, asked, askedBefore, askedAfter, write });
        break;
      }
    }
  }
  return gaps;
}

function satisfies(proofs: readonly string[], asked: readonly string[] | 'refused'): boolean {
  return asked !== 'refused' && asked.every((proof) => proofs.includes(proof));
}

/** What a request must satisfy to reach a backend, or that it cannot. */
export function asks(reading: readonly Seen[], place: string, path: string): readonly string[] | 'refused' {
  return asksAmong(doorsOf(reading), place, path);
}

/** The same, of doors that are at hand. */
export function asksAmong(doors: readonly Door[], place: string, path: string): readonly string[] | 'refused' {
  // Where a service lets hostports be shared, any of the edges may answer: the easiest is what counts.
  const ways = doorsAt(doors, place)
    .map((door) => asksAt(door, place, path))
    .filter((way) => way !== 'refused');
  return ways.sort((a, b) => a.length - b.length)[0] ?? 'refused';
}

/** Places that tell doors apart: each that there is, and a host that only a wildcard stands for. */
function placesIn(readings: readonly (readonly Seen[])[]): string[] {
  const doors = readings.flatMap((reading) => doorsOf(reading));
  const ports = [...new Set(doors.map(({ place }) => place.replace(/^.*:/, '')))];
  const asked = readings.flatMap((reading) =>
    reading.flatMap((one) => (one.kind === 'HTTPSEdgeRoute' ? [matchOf(one).host.replace(/:.*$/, '')] : [])),
  );
  const matched = asked.flatMap((host) => (host === '' ? [] : ports.map((port) => `${host}:${port}`)));
  return [...new Set([...doors.map(({ place }) => place), ...matched].map((place) => place.replace(/^\*/, 'any')))];
}

/** The doors that requests to a place come to: those of just that place, else those of the longest wildcard for it. */
export function doorsAt(doors: readonly Door[], place: string): Door[] {
  const rank = (door: Door): number =>
    door.place === place ? Infinity : standsFor(door.place, place) ? door.place.length : 0;
  const best = Math.max(0, ...doors.map(rank));
  return best === 0 ? [] : doors.filter((door) => rank(door) === best);
}

function standsFor(wildcard: string, name: string): boolean {
  return wildcard.startsWith('*.') && name.endsWith(wildcard.slice(1));
}

function asksAt(door: Door, place: string, path: string): readonly string[] | 'refused' {
  const route = routeFor(door, place, path);
  if (route === undefined || !isOn(route.spec['backend'])) return 'refused';
  return [...new Set([...door.controls, ...controlsOn(route.spec, routeControls)])].sort();
}

/** The route that takes a path of a place behind a door. */
export function routeFor(door: Door, place: string, path: string): Seen | undefined {
  return door.routes.filter((one) => takes(one, place, path)).sort(bySpecificity)[0];
}

/** Every door there is. */
export function doorsOf(reading: readonly Seen[]): Door[] {
  return reading
    .filter(({ kind }) => kind === 'HTTPSEdge')
    .flatMap((edge) => {
      const routes = reading.filter(({ kind, parent }) => kind === 'HTTPSEdgeRoute' && parent === edge.id);
      const controls = controlsOn(edge.spec, edgeControls);
      return textsOf(edge.spec['hostports']).map((hostport): Door => {
        const place = hostport.toLowerCase();
        return { edge, place, controls, routes };
      });
    });
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

// A reading after each write shows nearly all resources as they were.
const restricted = new WeakMap<Seen['spec'], readonly string[]>();

function controlsOn(spec: Seen['spec'], controls: Readonly<Record<string, string>>): readonly string[] {
  const found =
    restricted.get(spec) ??
    Object.entries(controls).flatMap(([name, proof]) => (asksAnything(spec[name]) ? [proof] : []));
  restricted.set(spec, found);
  return found;
}

/** Whether a module is there and not switched off. */
export function isOn(module: unknown): boolean {
  return typeof module === 'object' && module !== null && (module as { enabled?: unknown }).enabled !== false;
}

// What an access control trusts; one that trusts nobody in particular asks for nothing.
const trusted = ['certificate_authority_ids', 'ip_policy_ids'];

/** Whether an access control is on, and names whom it lets through where it has to. */
export function asksAnything(module: unknown): boolean {
  return isOn(module) && trusted.every((name) => !isEmptyList((module as Readonly<Record<string, unknown>>)[name]));
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

interface Match {
  readonly host: string;
  readonly path: string;
  readonly exact: boolean;
}

const matches = new WeakMap<Seen['spec'], Match>();

function matchOf({ spec }: Seen): Match {
  const match = matches.get(spec) ?? readMatch(spec);
  matches.set(spec, match);
  return match;
}

function readMatch(spec: Seen['spec']): Match {
  const text = String(spec['match']);
  const slash = text.indexOf('/');
  return {
    host: (slash < 0 ? text : text.slice(0, slash)).toLowerCase(),
    path: slash < 0 ? '' : text.slice(slash),
    exact: spec['match_type'] === 'exact_path' && slash >= 0,
  };
}

function takes(route: Seen, place: string, path: string): boolean {
  const match = matchOf(route);
  const host = place.replace(/:\d+$/, '');
  if (match.host !== '' && match.host !== host && match.host !== place && !standsFor(match.host, host)) return false;
  return match.exact ? path === match.path : path.startsWith(match.path);
}

function bySpecificity(a: Seen, b: Seen): number {
  const [one, two] = [matchOf(a), matchOf(b)];
  return (
    rankOf(two.host) - rankOf(one.host) || Number(two.exact) - Number(one.exact) || two.path.length - one.path.length
  );
}

function rankOf(host: string): number {
  return host.startsWith('*.') ? host.length : host === '' ? 0 : 1_000;
}

/** Paths that tell routes apart: each that is matched somewhere, one below it, and one that only `/` takes. */
export function pathsIn(readings: readonly (readonly Seen[])[]): string[] {
  const matched = readings.flatMap((reading) =>
    reading.filter(({ kind }) => kind === 'HTTPSEdgeRoute').map((route) => matchOf(route).path),
  );
  // Where a route gets a temporary match while two trade places is drawn at random, so that nobody can ask for it (decisions/0010).
  const known = [...new Set(matched)].filter((path) => path !== '' && !path.startsWith('/.sluice-'));
  return [...new Set(['/', '/elsewhere', ...known.flatMap((path) => [path, `${path.replace(/\/$/, '')}/below`])])];
}
