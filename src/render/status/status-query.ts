import { groupBy } from '../../model/group-by.ts';
import { inNaturalOrder } from '../../model/natural-order.ts';
import { atOnce, sortSliced, type Sliced } from '../../model/sliced.ts';
import { syncStatuses, type ResourceStatus } from '../../model/status/watch-status.ts';

/** What is asked of a list; the query of an address on the status server. */
export interface ListQuery {
  /** Part of a text of an item, such as its address, in any case; empty: any. */
  readonly text: string;
  /** The value of each filter that is set. */
  readonly filters: Readonly<Record<string, string>>;
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

/** Reads a query for a list with these filters, each with its values; undefined: any. What it does not know is ignored. */
export function listQuery(search: string, known: Readonly<Record<string, readonly string[] | undefined>>): ListQuery {
  const given = new URLSearchParams(search);
  const page = Number(given.get('page') ?? 1);
  const filters = Object.entries(known).flatMap(([name, values]) => {
    const value = given.get(name) ?? '';
    return value === '' || values?.includes(value) === false ? [] : [[name, value]];
  });
  return {
    text: (given.get('q') ?? '').trim(),
    filters: Object.fromEntries(filters) as ListQuery['filters'],
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** Reads a query for resources. */
export function statusQuery(search: string): ListQuery {
  return listQuery(search, { status: syncStatuses, kind: undefined });
}

/** The query of another page, with the same filter. */
export function searchOf({ text, filters }: ListQuery, page: number): string {
  const all = Object.entries({ q: text, ...filters, page: page === 1 ? '' : String(page) });
  return `?${new URLSearchParams(all.filter(([, value]) => value !== '')).toString()}`;
}

/** Whether a query asks for some of the items. */
export function isFiltered({ text, filters }: ListQuery): boolean {
  return text !== '' || Object.keys(filters).length > 0;
}

/** Whether a query asks for an item: by its value for each filter, and by texts of it. */
export function isMatch(
  { text, filters }: ListQuery,
  own: Readonly<Record<string, string>>,
  texts: readonly (string | undefined)[],
): boolean {
  if (Object.entries(filters).some(([name, value]) => own[name] !== value)) return false;
  const wanted = text.toLowerCase();
  return wanted === '' || texts.some((words) => words?.toLowerCase().includes(wanted) === true);
}

/** The resources that a query asks for, one page of them. */
export function selectResources(
  resources: readonly ResourceStatus[],
  query: ListQuery,
  perPage: number,
  isListed: (one: ResourceStatus) => boolean = () => true,
): ListPage<ResourceStatus> {
  const matching = atOnce(byUrgency(resources)).filter((one) => {
    const { address, note, source, kind, syncStatus } = one;
    return isListed(one) && isMatch(query, { status: syncStatus, kind }, [address, note, source]);
  });
  return pageOf(matching, query.page, perPage);
}

/** One page of a list; the last one where it has fewer. */
export function pageOf<T>(items: readonly T[], asked: number, perPage: number): ListPage<T> {
  const pages = Math.max(1, Math.ceil(items.length / perPage));
  const page = Math.min(asked, pages);
  const before = (page - 1) * perPage;
  return { shown: items.slice(before, before + perPage), before, total: items.length, page, pages };
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
