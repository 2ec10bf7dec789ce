import { anyOtherHost, type Arrival, type RequestClass } from './routing-model.ts';
import { addToGroup, groupBy } from '../../model/group-by.ts';
import { answeringFor, meansHost, rankOfHost } from '../../model/wildcards.ts';

/** Requests selected by hostport, host and path: parsed from a key in state, or from a URL in a setting. */
export interface RequestPattern {
  readonly key: string;
  /** Undefined: every hostport. */
  readonly place: string | undefined;
  /** Undefined: every host. */
  readonly host: string | undefined;
  readonly path: string;
  readonly exact: boolean;
  /** Only for the reading in which a host whose meaning the API does not describe matches no request. */
  readonly unclearHosts?: 'ignored';
}

/** The key under which state remembers a class: `prefix shop.example.com:443 shop.example.com /admin`. */
export function keyOfClass({ place, host, path, unclearHosts }: RequestClass): string {
  const [how, text] = path.endsWith('\0') ? ['prefix', path.slice(0, -1)] : ['exact', path];
  return `${how}${unclearHosts === undefined ? '' : withoutUnclear} ${place} ${host} ${text}`;
}

const withoutUnclear = '-ignoring-unclear-hosts';

/** The pattern of such a key; undefined if the text is no such key. */
export function patternOfKey(key: string): RequestPattern | undefined {
  const [first = '', place, host, ...path] = key.split(' ');
  const how = first.replace(withoutUnclear, '');
  if ((how !== 'prefix' && how !== 'exact') || place === undefined || host === undefined) return undefined;
  const pattern = { key, place, host, path: path.join(' '), exact: how === 'exact' };
  return how === first ? pattern : { ...pattern, unclearHosts: 'ignored' };
}

/** Whether a pattern means requests that arrive so, if it means their path. */
export function matchesArrival(pattern: RequestPattern, asked: Arrival): boolean {
  const { place, host, unclearHosts } = pattern;
  if (unclearHosts !== undefined && asked.unclearHosts === undefined) return false;
  if (place !== undefined && !answeringFor(asked.place).includes(place)) return false;
  return host === undefined || meansHost(host, asked.host) || isOfUnnamedHosts(pattern, asked);
}

/** Whether a record is of requests with any Host header that no match meant then, such as a host that a match means only now. */
function isOfUnnamedHosts({ place, host }: RequestPattern, asked: Arrival): boolean {
  if (place === undefined || asked.host === hostOf(asked.place)) return false;
  return host === anyOtherHost || host === hostOf(place);
}

function hostOf(place: string): string {
  return place.slice(0, place.lastIndexOf(':'));
}

/** Whether a pattern means a path of a class. */
export function matchesPath({ path, exact }: Pick<RequestPattern, 'path' | 'exact'>, asked: string): boolean {
  return exact ? asked === path : asked.startsWith(path);
}

/** Finds the patterns that may cover requests to some hostports: patterns of the same hostport, of a wildcard that covers it, or of a hostport that it covers as a wildcard. */
export function patternsByPlace(patterns: readonly RequestPattern[]): (places: Iterable<string>) => RequestPattern[] {
  const anywhere = patterns.filter(({ place }) => place === undefined);
  const [covered, own] = [new Map<string, RequestPattern[]>(), new Map<string, RequestPattern[]>()];
  for (const pattern of patterns) {
    if (pattern.place === undefined) continue;
    addToGroup(own, pattern.place, pattern);
    for (const place of answeringFor(pattern.place)) addToGroup(covered, place, pattern);
  }
  const patternsAt = (place: string): RequestPattern[] => [
    ...(covered.get(place) ?? []),
    ...answeringFor(place).flatMap((one) => own.get(one) ?? []),
  ];
  return (places) => (patterns.length === 0 ? [] : [...new Set([...anywhere, ...[...places].flatMap(patternsAt)])]);
}

/** Finds the most specific of several patterns for a class, among those of its hostport and of the wildcards that cover it. */
export function patternFinder(
  patterns: readonly RequestPattern[],
): (requestClass: RequestClass) => RequestPattern | undefined {
  const at = groupBy(patterns, ({ place }) => place);
  return (requestClass) =>
    (at.size === 0 ? [] : [undefined, ...answeringFor(requestClass.place)])
      .flatMap((place) => at.get(place) ?? [])
      .filter((pattern) => matchesArrival(pattern, requestClass) && matchesPath(pattern, requestClass.path))
      .sort((a, b) => compareRanks(rankOf(b, requestClass), rankOf(a, requestClass)))[0];
}

function rankOf({ place, host, path, exact, unclearHosts }: RequestPattern, asked: Arrival): number[] {
  const reading = unclearHosts === undefined ? 0 : 1;
  const named = host === undefined || meansHost(host, asked.host) ? rankOfHost(host) : host === anyOtherHost ? 0 : -1;
  return [reading, rankOfHost(place?.replace(/:\d+$/, '')), named, exact ? 1 : 0, path.length];
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((one, index) => one !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
