import type { Client } from '../api/client.ts';
import type { Clock } from '../api/clock.ts';
import { embeddedIn, fromWire, requireSameId } from '../derive/wire/from-wire.ts';
import type { Json } from '../derive/wire/to-wire.ts';
import { splitMetadata } from '../derive/marker.ts';
import { SluiceError } from '../diagnostics/errors.ts';
import { collectionPath, itemPath, offers, pathText } from '../derive/wire/operations.ts';
import type { Kind, Profile, KindSet } from '../kinds/kind.ts';
import { servedEndpoint } from '../kinds/served-endpoint.ts';
import { endpoint } from '../kinds/views.ts';
import { isId } from '../model/id.ts';
import type { Actual } from '../model/actual.ts';

/** All resources of a kind that the service shows now; undefined if it would not show one with such a body, or not enough to know that one does not exist. */
export type LookUp = (
  kind: Kind,
  parent: string | undefined,
  body: Json | undefined,
) => Promise<readonly Actual[] | undefined>;

/** What a look-up needs. It waits `lookUpDelayMs` first, because a request may be carried out after its caller gave up. */
export interface LookUpOptions {
  readonly client: Pick<Client, 'get' | 'list'>;
  readonly kinds: KindSet;
  readonly profile: Profile;
  readonly clock: Clock;
  readonly lookUpDelayMs: number;
}

/** A request may have been carried out, and the check of its outcome failed. */
export class LookUpFailed extends SluiceError {
  constructor(lost: unknown, cause: unknown) {
    super('OUTCOME_NOT_VERIFIED', `${textOf(lost)}; the outcome could not be checked: ${textOf(cause)}`, { cause });
  }
}

/** Makes look-ups. Look-ups of the same kind and parent that wait at the same time share one answer (decisions/0013). */
export function lookUps(options: LookUpOptions): LookUp {
  const waiting = new Map<string, Promise<readonly Actual[] | undefined>>();
  return (kind, parent, body) => {
    if (!isListed(kind, body, options.profile)) return Promise.resolve(undefined);
    const key = `${kind.name} ${parent ?? ''}`;
    const shared = waiting.get(key);
    if (shared !== undefined) return shared;
    const mine = options.clock.sleep(options.lookUpDelayMs).then(() => {
      waiting.delete(key);
      return lookUpNow(kind, parent, options);
    });
    waiting.set(key, mine);
    return mine;
  };
}

/** Whether a list may show a resource with such a body. A kind without a list is visible only in the endpoints, if it serves a hostport. */
export function isListed(kind: Kind, body: Json | undefined, profile: Profile): boolean {
  if (kind.within !== undefined || offers(kind, profile).list) return true;
  const listens = kind.traffic?.listens;
  const fields = typeof body === 'object' ? (body as Readonly<Record<string, Json>> | null) : null;
  const places = listens === undefined ? undefined : fields?.[listens];
  return Array.isArray(places) && places.length > 0;
}

async function lookUpNow(
  kind: Kind,
  parent: string | undefined,
  options: LookUpOptions,
): Promise<readonly Actual[] | undefined> {
  const { client, kinds, profile } = options;
  const outer = kind.within === undefined ? undefined : kinds.named(kind.within.kind);
  if (outer !== undefined && parent !== undefined) {
    const answer = await client.get(pathText(itemPath(outer, { id: parent })));
    requireSameId(outer, answer, parent);
    return embeddedIn(kinds, outer, answer).filter(({ kind: name }) => name === kind.name);
  }
  if (offers(kind, profile).list) {
    const found: Actual[] = [];
    for await (const item of client.list(pathText(collectionPath(kind)), kind.listKey))
      found.push(fromWire(kind, item));
    return found;
  }
  return kind.traffic?.listens === undefined ? undefined : fromEndpoints(kind, client);
}

/** The resources of a kind without a list, as far as endpoints show them. Undefined if the service shows no edge in any endpoint: then absence proves nothing. */
async function fromEndpoints(kind: Kind, client: LookUpOptions['client']): Promise<readonly Actual[] | undefined> {
  const found = new Map<string, Actual>();
  let shows = false;
  for await (const item of client.list(endpoint.path, endpoint.listKey)) {
    const { server, metadata } = servedEndpoint(item);
    if (server === undefined || !isId(server)) continue;
    shows = true;
    const { text, marker } = splitMetadata(metadata);
    if (marker !== undefined)
      found.set(server, { kind: kind.name, id: server, spec: { metadata: text }, computed: {}, marker });
  }
  return shows ? [...found.values()] : undefined;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown error';
}
