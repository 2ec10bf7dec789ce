import type { RuleSource } from '../../model/exposure/access-rules.ts';
import type { HazardCode } from '../../model/plan/plan.ts';
import type { Policy } from '../../model/stack.ts';
import { asReceived } from '../routing/as-received.ts';
import { matchesArrival, matchesPath, type RequestPattern } from '../routing/request-patterns.ts';
import type { RequestClass } from '../routing/routing-model.ts';

/** What is meant to be public, and by whom: a list lifts only what its own source blocks (decisions/0045). */
export interface MeantPublic {
  readonly patterns: readonly RequestPattern[];
  /** The list of the repository; undefined where it is not declared. */
  readonly repository: PublicList | undefined;
  /** The list of the operator, which counts only where the operator blocks what becomes public. */
  readonly operator: PublicList | undefined;
  /** Whether something listens at a hostport now, or at the end. */
  readonly isListening: (hostport: string) => boolean;
}

const becomingPublic: HazardCode = 'EXPOSES_PUBLICLY';

/** Reads the lists of both sources; undefined where they have no say in what becomes public. */
export function meantPublic(
  { public: own, access = [], operator: limits }: Policy,
  isListening: (hostport: string) => boolean,
): MeantPublic | undefined {
  const repository = own && publicList(own);
  const isBlocked = limits?.block.includes(becomingPublic) === true;
  const listed = access.find(({ source }) => source === 'operator')?.public ?? [];
  const operator = isBlocked ? publicList(listed) : undefined;
  if (repository === undefined && (operator === undefined || listed.length === 0)) return undefined;
  return {
    repository,
    operator,
    isListening,
    patterns: [...(repository?.patterns ?? []), ...(operator?.patterns ?? [])],
  };
}

/** Whose list has a class that becomes public: `all` where no source has anything against it. */
export function listedBy(meant: MeantPublic | undefined, asked: RequestClass): RuleSource | 'all' | undefined {
  if (meant === undefined) return undefined;
  const received = asReceived(asked, meant.isListening);
  const [own, outside] = [meant.repository, meant.operator].map((list) => list?.lists(received) === true);
  if (own === true) return outside === true || meant.operator === undefined ? 'all' : 'repository';
  return outside === true ? 'operator' : undefined;
}

/** The setting `access.public`: URLs that are meant to be public. The host may begin, and the path may end with `*`. */
interface PublicList {
  readonly patterns: readonly RequestPattern[];
  /** Whether every request of a class is meant to be public. */
  readonly lists: (requestClass: RequestClass) => boolean;
}

/** Reads `access.public`. */
export function publicList(urls: readonly string[]): PublicList {
  const listed = urls.map(listedUrl);
  return {
    patterns: listed,
    lists: (asked) =>
      listed.some(
        (one) =>
          (one.port === undefined || asked.place.endsWith(`:${one.port}`)) &&
          matchesArrival(one, asked) &&
          matchesPath(one, asked.path),
      ),
  };
}

function listedUrl(url: string): RequestPattern & { readonly port: string | undefined } {
  const slash = url.indexOf('/');
  const [name, path] = slash === -1 ? [url, '/'] : [url.slice(0, slash), url.slice(slash)];
  const [host = '', port] = name.toLowerCase().split(':');
  const exact = slash !== -1 && !path.endsWith('*');
  const meant = { host: host === '*' ? undefined : host, path: path.replace(/\*$/, ''), exact };
  return { key: url, place: undefined, port, ...meant };
}
