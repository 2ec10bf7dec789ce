import { describe, expect, test } from 'vitest';
import { listBudget, pages } from '../../src/api/pages.ts';

type PageItems = (page: number) => readonly object[];

describe('a list that does not end', () => {
  test.each<[string, PageItems]>([
    ['empty pages', () => []],
    ['the same items again and again', () => [{ id: 'a' }, { id: 'b' }]],
    ['items of earlier pages', (page) => [{ id: `${page % 3}` }]],
  ])('of %s is given up at the tenth page that has no new id', async (_, items) => {
    const { end, requests } = await readAll(items);
    expect(end).toMatch(
      /^TOO_MANY_ITEMS: GET \/a\?\d+ returns too many items: 10 pages of the list contain only items that earlier pages also contain/,
    );
    expect(requests).toBeLessThanOrEqual(13);
  });

  test('of new items is given up after 20,000 pages', async () => {
    const { end, requests } = await readAll((page) => [{ id: `${page}` }]);
    expect(end).toContain('sluice reads at most 20,000 pages in one refresh');
    expect(requests).toBe(20_000);
  });

  test('of large pages is given up after 1,000,000 items', async () => {
    const large = Array.from({ length: 100_000 }, () => ({}));
    const { end, requests } = await readAll(() => large);
    expect(end).toContain('sluice reads at most 1,000,000 items in one refresh');
    expect(requests).toBe(11);
  });

  test('counts with all other lists of the same refresh', async () => {
    const budget = listBudget();
    const half = (page: number): readonly object[] => (page > 12_000 ? [] : [{ id: `${page}` }]);
    expect((await readAll(half, budget, 12_000)).end).toBe('');
    expect((await readAll(half, budget, 12_000)).end).toContain('20,000 pages');
    expect((await readAll(half, listBudget(), 12_000)).end).toBe('');
  });
});

test('nine pages without a new id are read to the end', async () => {
  const { end, requests } = await readAll((page) => (page < 10 ? [] : [{ id: 'last' }]), listBudget(), 10);
  expect(end).toBe('');
  expect(requests).toBe(10);
});

const next = async (next_page_uri: unknown, prefix = ''): Promise<string> => {
  const asked: string[] = [];
  const get = (path: string): Promise<Record<string, unknown>> => {
    asked.push(path);
    return Promise.resolve(asked.length === 1 ? { items: [], next_page_uri } : { items: [] });
  };
  try {
    for await (const _ of pages(get, { origin: 'http://localhost', prefix }, `${prefix}/a`, 'items', listBudget()));
  } catch (error) {
    return (error as Error).message;
  }
  return asked.slice(1).join();
};

test.each([null, undefined, ''])('a list ends with the page whose next_page_uri is %j', async (uri) => {
  expect(await next(uri)).toBe('');
});

test.each([7, {}, ['/a'], 'http://['])('the next_page_uri %j is an error: it leads to no page', async (uri) => {
  expect(await next(uri)).toContain('`next_page_uri` is not a valid URL');
});

test('the next page may be named by its whole URL, by its path with or without that of the base URL, or from the current one', async () => {
  for (const uri of ['http://localhost/v1/a?p=2', '/v1/a?p=2', '/a?p=2', '?p=2'])
    expect(await next(uri, '/v1')).toBe('/v1/a?p=2');
});

test('a next page on another host is not asked for: it would get the API key', async () => {
  for (const uri of ['https://localhost/a', '//evil.example.com/a', '/\\\\evil.example.com/a', 'http://localhost:81/a'])
    expect(await next(uri)).toContain('but the API key is sent only to http://localhost');
});

test('the next page, and no further one, is asked for before the items of a page are handed over', async () => {
  const asked: string[] = [];
  const get = (path: string): Promise<Record<string, unknown>> => {
    asked.push(path);
    return Promise.resolve({ items: [path], next_page_uri: path === '/aaa' ? null : `${path}a` });
  };
  const handedOver: [unknown, number][] = [];
  for await (const [item] of pages(get, { origin: 'http://localhost', prefix: '' }, '/a', 'items'))
    handedOver.push([item, asked.length]);
  expect(handedOver).toEqual([
    ['/a', 2],
    ['/aa', 3],
    ['/aaa', 3],
  ]);
});

/** Reads a list of so many pages, from 1; answers how that ended. */
async function readAll(items: PageItems, budget = listBudget(), last = Number.POSITIVE_INFINITY) {
  let requests = 0;
  const get = (): Promise<Record<string, unknown>> => {
    requests += 1;
    return Promise.resolve({ items: items(requests), next_page_uri: requests < last ? `/a?${requests}` : null });
  };
  let end = '';
  try {
    for await (const _ of pages(get, { origin: 'http://localhost', prefix: '' }, '/a', 'items', budget));
  } catch (error) {
    const { code, message } = error as { readonly code: string; readonly message: string };
    end = `${code}: ${message}`;
  }
  return { end, requests };
}
