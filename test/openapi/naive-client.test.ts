import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import type { EmulatorOptions } from '../../src/emulator/options.ts';
import { partnersCa } from '../emulator/support/certificates.ts';
import { operationsOf, readDocument } from './document.ts';

// A client that knows no more than the addresses of the lists: it follows next_page_uri and uri as they are given.

type Json = Readonly<Record<string, unknown>>;

const hostKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';
const bodies: Readonly<Record<string, (n: number) => Json>> = {
  '/reserved_addrs': () => ({}),
  '/certificate_authorities': () => ({ ca_pem: partnersCa }),
  '/agent_ingresses': (n) => ({ domain: `n${n}.example.com` }),
  '/ssh_host_certificates': () => ({ ssh_certificate_authority_id: 'sshca_1', public_key: hostKey }),
  '/event_subscriptions': (n) => ({ sources: [{ type: `made_up.v${n}` }] }),
  '/edges/https': (n) => ({ hostports: [`n${n}.example.com:443`] }),
};
const lists = [...operationsOf(readDocument())].filter(([, { operationId }]) => operationId.startsWith('list'));

describe.each<[string, EmulatorOptions]>([
  ['whose addresses are absolute', {}],
  ['whose next pages are path-only', { nextPageUri: 'path' }],
  ['that lists in no order', { listOrder: 'shuffled' }],
])('a client that follows what it is given, at a service %s,', (_, options) => {
  test('sees everything once, page after page, and finds each thing where its uri says', async () => {
    const { base, made } = await filled({ ...options, pageSize: 3 });
    for (const [call] of lists) {
      const path = call.replace('GET ', '');
      const { pages, items } = await walked(base, path);
      expect(pages).toBe(3);
      expect(items.map(({ id }) => id).sort()).toEqual((made.get(path) ?? items.map(({ id }) => id)).sort());
      expect(new Set(items.map(({ id }) => id)).size).toBe(7);
      for (const { id, uri } of items)
        if (typeof uri === 'string') expect(await get(new URL(uri, base))).toMatchObject({ id, uri });
    }
  });

  test('misses nothing that was there while it deletes what it saw and others create', async () => {
    const { base, made } = await filled({ ...options, pageSize: 3 });
    const path = '/reserved_addrs';
    const gone = new Set<unknown>();
    const { items } = await walked(base, path, async (seen) => {
      for (const { id } of seen.filter((item) => !gone.has(item['id']))) {
        expect((await send('DELETE', `${base}${path}/${String(id)}`)).status).toBe(204);
        gone.add(id);
      }
      if (seen.length === 3) await send('POST', `${base}${path}`, {});
    });
    const ids = items.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    expect(ids).toEqual(expect.arrayContaining(made.get(path) ?? []));
  });
});

/** Seven of everything that has a list. */
async function filled(options: EmulatorOptions): Promise<{
  readonly base: string;
  readonly made: ReadonlyMap<string, unknown[]>;
}> {
  const emulator = createEmulator({ seed: 'naive', ...options });
  const { url, close } = await emulator.listen();
  onTestFinished(close);
  const made = new Map<string, unknown[]>();
  for (const [path, body] of Object.entries(bodies))
    for (let n = 1; n <= 7; n++) {
      const { id } = (await (await send('POST', url + path, body(n))).json()) as Json;
      made.set(path, [...(made.get(path) ?? []), id]);
    }
  made.set(
    '/tunnel_sessions',
    Array.from({ length: 7 }, () => emulator.addAgent()),
  );
  return { base: url, made };
}

async function walked(
  base: string,
  path: string,
  between: (items: readonly Json[]) => Promise<void> = () => Promise.resolve(),
): Promise<{ readonly pages: number; readonly items: readonly Json[] }> {
  const items: Json[] = [];
  let next: string | null = path;
  let pages = 0;
  while (next !== null && pages < 20) {
    const page: Json = await get(new URL(next, base));
    items.push(...(Object.values(page).find((value) => Array.isArray(value)) as Json[]));
    next = page['next_page_uri'] as string | null;
    pages += 1;
    await between(items);
  }
  return { pages, items };
}

async function get(url: URL): Promise<Json> {
  const answer = await send('GET', url.href);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Json;
}

function send(method: string, url: string, body?: Json): Promise<Response> {
  return fetch(url, {
    method,
    headers: {
      authorization: 'Bearer any',
      'example-version': '2',
      ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
