import type { Draw } from './draw.ts';
import { addr, byAccount, byProvider, edge, route, subscription, type Item } from './items.ts';

/** All that a stack ever has, and what of it is left out at the moment. */
export interface Revision {
  readonly n: number;
  readonly items: readonly Item[];
  readonly absent: ReadonlySet<string>;
}

/** Deletions that `policy.max_deletes` lets a watch make at once: far fewer than a stack has, also when some are gone. */
export const maxDeletes = 5;

// So few that a watch which missed any number of revisions has not too much to delete.
const mostAbsent = 4;

/** Where the restricted edge answers: everybody who comes in there is asked for an account, in every revision. */
export const restrictedHostport = 'shop.example.com:443';

/** The first revision of each stack. */
export const beginnings = {
  shop: begin([
    edge('shop', restrictedHostport),
    ...['/', '/checkout', '/console', '/orders', '/orders/open'].map((match, at) =>
      route('shop', `way-${at}`, match, byAccount),
    ),
    edge('api', 'api.example.com:443'),
    ...['/v1', '/v2'].map((match) => route('api', match.slice(1), match)),
    ...['brokers', 'sensors', 'printers', 'doors', 'tills', 'lamps', 'scales', 'kiosks'].map(addr),
    ...['audit', 'alarms', 'billing'].map(subscription),
  ]),
  office: begin([
    edge('intranet', 'intranet.example.com:443'),
    ...['/', '/wiki', '/mail'].map((match, at) => route('intranet', `desk-${at}`, match)),
    ...['badges', 'cameras', 'phones', 'meters', 'coffee', 'heating', 'blinds', 'lifts'].map(addr),
    ...['visitors', 'keys'].map(subscription),
  ]),
};

/** What the manifests of a revision describe. */
export function wantedIn({ items, absent }: Revision): readonly Item[] {
  return items.filter(({ address }) => !absent.has(address));
}

/** The next revision: a few things described anew, left out, brought back, traded or restricted in another way. */
export function nextRevision(before: Revision, draw: Draw): Revision {
  let revision: Revision = { ...before, n: before.n + 1 };
  for (let edits = 1 + draw.below(3); edits > 0; edits--) revision = draw.one(allEdits)(revision, draw);
  return revision;
}

/** A revision in which everything is described anew, so that nothing that is fought over is left to others. */
export function lastRevision(before: Revision): Revision {
  const n = before.n + 1;
  return { ...before, n, items: before.items.map((item) => describe(item, n)) };
}

/** A revision that leaves out far more than may be deleted at once. */
export function purge(before: Revision): Revision {
  const gone = before.items.filter(({ isAlwaysThere }) => isAlwaysThere !== true).map(({ address }) => address);
  return { ...before, n: before.n + 1, absent: new Set(gone) };
}

type Edit = (revision: Revision, draw: Draw) => Revision;

const describeOne: Edit = (revision, draw) => replace(revision, [describe(draw.one(revision.items), revision.n)]);

const leaveOutOrBringBack: Edit = (revision, draw) => {
  const absent = new Set(revision.absent);
  if (absent.size > 0 && (absent.size >= mostAbsent || draw.happens(0.5))) absent.delete(draw.one([...absent]));
  else absent.add(draw.one(revision.items.filter(({ isAlwaysThere }) => isAlwaysThere !== true)).address);
  return { ...revision, absent };
};

const tradeMatches: Edit = (revision, draw) => {
  const one = draw.one(revision.items.filter(({ edge: home }) => home !== undefined));
  const other = draw.one(revision.items.filter(({ edge: home }) => home === one.edge));
  const like = (item: Item, { spec }: Item): Item => ({ ...item, spec: { ...item.spec, match: spec['match'] } });
  return one === other ? revision : replace(revision, [like(one, other), like(other, one)]);
};

const controlOtherwise: Edit = (revision, draw) => {
  const restricted = revision.items.filter(({ spec }) => 'oauth' in spec || 'oidc' in spec);
  if (restricted.length === 0) return revision;
  const chosen = draw.one(restricted);
  const { oauth, oidc: _, ...spec } = chosen.spec;
  return replace(revision, [{ ...chosen, spec: { ...spec, ...(oauth === undefined ? byAccount : byProvider) } }]);
};

const serveElsewhere: Edit = (revision, draw) => {
  const chosen = draw.one(revision.items.filter(({ kind }) => kind === 'HTTPSEdge'));
  const [first = '', ...more] = chosen.spec['hostports'] as readonly string[];
  const hostports = more.length > 0 ? [first] : [first, `www.${first}`];
  return replace(revision, [{ ...chosen, spec: { ...chosen.spec, hostports } }]);
};

const allEdits = [
  describeOne,
  leaveOutOrBringBack,
  leaveOutOrBringBack,
  tradeMatches,
  controlOtherwise,
  serveElsewhere,
] as const;

function begin(items: readonly Item[]): Revision {
  return { n: 0, items, absent: new Set() };
}

function replace(revision: Revision, changed: readonly Item[]): Revision {
  const byAddress = new Map(changed.map((item) => [item.address, item]));
  return { ...revision, items: revision.items.map((item) => byAddress.get(item.address) ?? item) };
}

function describe(item: Item, n: number): Item {
  return { ...item, spec: { ...item.spec, description: `${item.name} of revision ${n}` } };
}
