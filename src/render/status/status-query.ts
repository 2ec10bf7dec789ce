import { groupBy } from '../../model/group-by.ts';
import { inNaturalOrder } from '../../model/natural-order.ts';
import { present } from '../../model/present.ts';
import { atOnce, sortSliced, type Sliced } from '../../model/sliced.ts';
import { syncStatuses, type ResourceStatus, type SyncStatus } from '../../model/status/watch-status.ts';

/** Which resources of a status a reader asks for; the query of an address on the status server. */
export interface StatusQuery {
  /** Part of an address, note or source, in any case; empty: any. */
  readonly text: string;
  readonly syncStatus?: SyncStatus;
  readonly kind?: string;
  /** From 1. */
  readonly page: number;
}

/** One page of a list. */
export interface ListPage<T> {
  readonly shown: readonly T[];
  /** The number of items before the first of them. */
  readonly before: number;
  /** The number of items on all pages. */
  readonly total: number;
  readonly page: number;
  readonly pages: number;
}

/** Reads a query. What it does not know is ignored. */
export function statusQuery(search: string): StatusQuery {
  const given = new URLSearchParams(search);
  const syncStatus = syncStatuses.find((one) => one === given.get('status'));
  return { ...textAndPage(given), ...present({ syncStatus, kind: given.get('kind') || undefined }) };
}

/** What every list is asked for: the text that its items have, and the page. */
export function textAndPage(given: URLSearchParams): { readonly text: string; readonly page: number } {
  const page = Number(given.get('page') ?? 1);
  return { text: (given.get('q') ?? '').trim(), page: Number.isSafeInteger(page) && page > 0 ? page : 1 };
}

/** The query of another page, with the same filter. */
export function searchOf({ text, syncStatus, kind }: StatusQuery, page: number): string {
  return searchWith({ q: text, status: syncStatus, kind }, page);
}

/** The query of a page of a list with these filters. */
export function searchWith(filters: Readonly<Record<string, string | undefined>>, page: number): string {
  const query = new URLSearchParams();
  for (const [name, value = ''] of Object.entries({ ...filters, page: page === 1 ? '' : String(page) }))
    if (value !== '') query.set(name, value);
  return `?${query.toString()}`;
}

/** Whether a query asks for some of the resources. */
export function isFiltered({ text, syncStatus, kind }: StatusQuery): boolean {
  return text !== '' || syncStatus !== undefined || kind !== undefined;
}

/** The resources that a query asks for, one page of them. */
export function selectResources(
  resources: readonly ResourceStatus[],
  query: StatusQuery,
  perPage: number,
  isListed: (one: ResourceStatus) => boolean = () => true,
): ListPage<ResourceStatus> {
  const matching = atOnce(byUrgency(resources)).filter((one) => isListed(one) && isMatch(one, query));
  return pageOf(matching, query.page, perPage);
}

/** One page of a list; the last one where it has fewer. */
export function pageOf<T>(items: readonly T[], asked: number, perPage: number): ListPage<T> {
  const pages = Math.max(1, Math.ceil(items.length / perPage));
  const page = Math.min(asked, pages);
  const before = (page - 1) * perPage;
  return { shown: items.slice(before, before + perPage), before, total: items.length, page, pages };
}

function isMatch({ address, note, source, ...one }: ResourceStatus, { text, syncStatus, kind }: StatusQuery): boolean {
  if (syncStatus !== undefined && one.syncStatus !== syncStatus) return false;
  if (kind !== undefined && one.kind !== kind) return false;
  const wanted = text.toLowerCase();
  return wanted === '' || [address, note, source].some((words) => words?.toLowerCase().includes(wanted) === true);
}

// Each list is sorted once, however often it is asked for.
const sorted = new WeakMap<readonly ResourceStatus[], readonly ResourceStatus[]>();

/** The resources, the most urgent first. */
export function* byUrgency(resources: readonly ResourceStatus[]): Sliced<readonly ResourceStatus[]> {
  const known = sorted.get(resources);
  if (known !== undefined) return known;
  const groups = groupBy(resources, ({ syncStatus }) => syncStatus);
  let ordered: readonly ResourceStatus[] = [];
  // Resources of one status are mostly in order already.
  for (const status of syncStatuses)
    ordered = ordered.concat(
      yield* sortSliced(groups.get(status) ?? [], (a, b) => inNaturalOrder(a.address, b.address)),
    );
  sorted.set(resources, ordered);
  return ordered;
}
