import { expect, test } from 'vitest';
import type { EmulatorOptions } from '../../src/emulator/options.ts';
import { setUp } from './support/setup.ts';

interface Page {
  readonly reserved_addrs: readonly { readonly id: string }[];
  readonly next_page_uri: string | null;
}

async function withAddresses(count: number, options: EmulatorOptions = {}) {
  const all = setUp(options);
  const ids: string[] = [];
  for (let index = 0; index < count; index++)
    ids.push(String((await all.call('POST', '/reserved_addrs', {})).body['id']));
  const page = async (path: string) => (await all.call('GET', path)).body as unknown as Page;
  return { ...all, ids, page };
}

/** Follows the pages as a client does. */
async function readAll(page: (path: string) => Promise<Page>, path: string): Promise<string[]> {
  const ids: string[] = [];
  for (let next: string | null = path, pages = 0; next !== null && pages < 100; pages++) {
    const read: Page = await page(next.replace('http://emulator.invalid', ''));
    ids.push(...read.reserved_addrs.map(({ id }) => id));
    next = read.next_page_uri;
  }
  return ids;
}

test('pages come newest first and meet without a gap', async () => {
  const { ids, page } = await withAddresses(7);
  expect(await readAll(page, '/reserved_addrs?limit=3')).toEqual(ids.toReversed());
});

test('the next page is absolute, carries its own query, and is null at the end', async () => {
  const { ids, page } = await withAddresses(3);
  expect((await page('/reserved_addrs?limit=2')).next_page_uri).toBe(
    `http://emulator.invalid/reserved_addrs?before_id=${ids[1]!}&limit=2`,
  );
  expect((await page('/reserved_addrs?limit=3')).next_page_uri).toBeNull();
});

test('the next page may be a path alone', async () => {
  const { page } = await withAddresses(2, { nextPageUri: 'path', pageSize: 1 });
  expect((await page('/reserved_addrs')).next_page_uri).toMatch(/^\/reserved_addrs\?before_id=ra_/);
});

test('paging goes on behind an entry that was deleted meanwhile', async () => {
  const { call, ids, page } = await withAddresses(4);
  const first = await page('/reserved_addrs?limit=2');
  await call('DELETE', `/reserved_addrs/${ids[2]!}`);
  const rest = await page(String(first.next_page_uri).replace('http://emulator.invalid', ''));
  expect(rest.reserved_addrs.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
});

test.each(['oldest', 'shuffled'] as const)(
  'lists may come %s first and still hold everything once',
  async (listOrder) => {
    const { ids, page } = await withAddresses(9, { listOrder, pageSize: 2 });
    const read = await readAll(page, '/reserved_addrs');
    expect(read.toSorted()).toEqual(ids.toSorted());
    expect(read).not.toEqual(ids.toReversed());
  },
);

test('an empty family is an empty list under its own key', async () => {
  const { call } = setUp();
  expect((await call('GET', '/agent_ingresses')).body).toEqual({
    ingresses: [],
    uri: '/agent_ingresses',
    next_page_uri: null,
  });
});

test('the same seed gives the same ids, 27 characters behind their prefix', async () => {
  const first = await withAddresses(2);
  const second = await withAddresses(2);
  expect(first.ids).toEqual(second.ids);
  expect(first.ids[0]).toMatch(/^ra_[0-9A-Za-z]{27}$/);
});
