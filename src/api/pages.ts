import { setImmediate } from 'node:timers/promises';
import { SluiceError } from '../diagnostics/errors.ts';
import { safeText } from '../diagnostics/safe-text.ts';
import type { JsonObject } from '../model/json-object.ts';
import type { BaseUrl } from './base-url.ts';
import { ApiError } from './api-errors.ts';

/** How much all lists of one refresh may bring together. */
export interface ListBudget {
  readonly addPage: (path: string) => void;
  readonly addItem: (path: string) => void;
}

const most = { pages: 20_000, items: 1_000_000 };

/** A budget for one refresh. Ends it by what it has read, never by the time that took. */
export function listBudget(): ListBudget {
  const used = { pages: 0, items: 0 };
  const add = (what: keyof typeof most, path: string): void => {
    used[what] += 1;
    if (used[what] > most[what])
      throw tooManyItems(path, `sluice reads at most ${most[what].toLocaleString('en')} ${what} in one refresh`);
  };
  return { addPage: (path) => add('pages', path), addItem: (path) => add('items', path) };
}

/** The error for a list that does not end. */
function tooManyItems(path: string, why: string): SluiceError {
  return new SluiceError('TOO_MANY_ITEMS', `GET ${path} returns too many items: ${why}`, {
    hint: 'check that api.base_url is the URL of the service; nothing was changed, and sluice treats no resource as deleted',
  });
}

const mostStalePages = 10;

/**
 * The items of a list, page by page. Follows its page links, but to no other origin, to no page twice, and only while pages have new items.
 * The next page is asked for before the items of a page are handed over, so that work on them takes place while it is on its way.
 */
export async function* pages(
  get: (path: string) => Promise<JsonObject>,
  base: BaseUrl,
  first: string,
  key: string,
  budget: ListBudget = listBudget(),
): AsyncGenerator<readonly unknown[], void, undefined> {
  const seen = new Set<string>();
  const ids = new Set<string>();
  let stalePages = 0;
  const ask = (path: string): Promise<JsonObject> => {
    if (seen.has(path)) throw unreadable(path, '`next_page_uri` leads back to a page that was already read');
    seen.add(path);
    budget.addPage(path);
    const asked = get(path);
    // Whoever takes the page is told of an error; nobody takes it if the items of the page before are invalid.
    asked.catch(() => undefined);
    return asked;
  };
  let path: string | undefined = first;
  let coming = ask(path);
  while (path !== undefined) {
    const page: JsonObject = await coming;
    const items = page[key];
    if (!Array.isArray(items)) throw unreadable(path, `the response contains no list \`${key}\``);
    let isStale = true;
    for (const item of items as unknown[]) {
      budget.addItem(path);
      const id = idOf(item);
      if (id === undefined || !ids.has(id)) isStale = false;
      if (id !== undefined) ids.add(id);
    }
    if (isStale && ++stalePages === mostStalePages)
      throw tooManyItems(
        path,
        `${mostStalePages} pages of the list contain only items that earlier pages also contain`,
      );
    path = nextPage(base, path, page['next_page_uri']);
    if (path !== undefined) {
      coming = ask(path);
      await untilSent();
    }
    yield items;
  }
}

/** A connection sends a request in the next turn of the event loop. */
async function untilSent(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

function idOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || !('id' in item)) return undefined;
  return typeof item.id === 'string' ? item.id : undefined;
}

// Absolute, or only a path: then from the base URL, whose own path some services leave out.
function nextPage(base: BaseUrl, current: string, next: unknown): string | undefined {
  if (next === null || next === undefined || next === '') return undefined;
  const text = typeof next === 'string' ? next : '';
  const isPathOnly = /^\/(?![/\\])/.test(text);
  const isBelowBase = !isPathOnly || text.startsWith(`${base.prefix}/`);
  const from = base.origin + current;
  const uri = isBelowBase ? text : base.prefix + text;
  if (text === '' || !URL.canParse(uri, from)) throw unreadable(current, '`next_page_uri` is not a valid URL');
  const url = new URL(uri, from);
  if (url.origin !== base.origin)
    throw unreadable(
      current,
      `\`next_page_uri\` leads to ${safeText(url.origin, 200)}, but the API key is sent only to ${base.origin}`,
    );
  return url.pathname + url.search;
}

function unreadable(path: string, msg: string): ApiError {
  return new ApiError('UNREADABLE_LIST_RESPONSE', { method: 'GET', path }, { status: 200, msg });
}
