import { Agent } from 'undici';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../../../src/api/client.ts';
import { SluiceError } from '../../../src/diagnostics/errors.ts';
import type { AccountData } from '../../../src/emulator/account/account-data.ts';
import { createEmulator, inProcessOrigin } from '../../../src/emulator/emulator.ts';
import { faulty, modes, parseFault } from '../../../src/emulator/faults/fault.ts';

// Every fault on a real socket, and what the client makes of it.

/** An emulator on a socket with three addresses, a fault from then on, and sluice's own client. */
async function withFault(fault: string, sockets = true) {
  const emulator = createEmulator({ seed: 'faults' });
  const { url, close } = sockets ? await emulator.listen() : { url: inProcessOrigin, close: () => Promise.resolve() };
  const dispatcher = sockets ? new Agent() : emulator.dispatcher();
  onTestFinished(async () => {
    await dispatcher.destroy();
    await close();
  });
  const client = createClient({
    baseUrl: url,
    vendor: 'example',
    key: () => 'right',
    dispatcher,
    userAgent: 'faults',
    // Only where an answer never comes is it worth giving up soon: a busy machine may be slow.
    deadlineMs: /^(stall|headers-only|drip)/.test(fault) ? 1000 : 60_000,
  });
  const create = () => client.write({ method: 'POST', path: '/reserved_addrs', body: {} });
  const made = [await create(), await create(), await create()].map((one) => String(one?.['id']));
  emulator.intercept(faulty(parseFault(fault)));
  return {
    client,
    create,
    made,
    path: `/reserved_addrs/${made[0] ?? ''}`,
    listed: async () => {
      const ids: unknown[] = [];
      for await (const item of client.list('/reserved_addrs', 'reserved_addrs')) ids.push((item as { id: unknown }).id);
      return ids;
    },
    count: () => emulator.snapshot().resources.length,
  };
}

async function failure(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    (value) => new Error(`went well: ${JSON.stringify(value)}`),
    (caught: unknown) => caught,
  );
  return error instanceof SluiceError ? `${error.code}: ${error.message}` : String(error);
}

/** Nothing that comes later comes before a test says so, however long a busy machine takes. */
function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

const lost = /^CONNECTION_FAILED: POST \/reserved_addrs: /;
const late = /^REQUEST_TIMEOUT: POST \/reserved_addrs: no response within 1000 ms$/;
const unclear = (why: RegExp) =>
  new RegExp(`^AMBIGUOUS_RESPONSE: POST /reserved_addrs returned 201, but .*${why.source}`);

/** A create under each fault: how many were made in truth, and the error that reports what is known of it. */
const creates: readonly (readonly [fault: string, made: number, error: RegExp])[] = [
  ['refused=200', 0, lost],
  ['stale-keep-alive', 0, /other side closed$/],
  ['reset-before', 0, lost],
  ['reset-after', 1, lost],
  ['stall-before', 0, late],
  ['stall-after', 1, late],
  ['headers-only', 1, late],
  ['drip=100', 1, late],
  ['cut=5', 1, unclear(/the response body was truncated/)],
  ['cut-unpromised=5', 1, unclear(/not a JSON object: {"id"/)],
  ['late-commit=3000', 0, lost],
  ['status-before=500', 0, /^API_FAILED: .* returned 500 EMULATED_FAULT/],
  ['status-after=502', 1, /^API_FAILED: .* returned 502/],
  ['status-before=503', 0, /^API_FAILED: .* returned 503/],
  ['status-after=504', 1, /^API_FAILED: .* returned 504/],
  ['status-before=401', 0, /^ACCESS_DENIED: .* returned 401/],
  ['status-before=403', 0, /^ACCESS_DENIED: .* returned 403/],
  ['status-before=409', 0, /^API_REFUSED: .* returned 409/],
  ['status-before=413', 0, /^API_REFUSED: .* returned 413/],
  ['rate-limited=absurd', 0, /^API_REFUSED: .* returned 429/],
  ['redirect-same', 0, /^REDIRECTED: .*does not follow the redirect to http:\/\/127\.0\.0\.1:\d+\/reserved_addrs/],
  ['redirect-foreign', 0, /^REDIRECTED: .*elsewhere\.invalid/],
  ['empty', 1, unclear(/the response body is empty/)],
  ['html', 1, unclear(/not a JSON object: <!doctype html>/)],
  ['malformed-json', 1, unclear(/not a JSON object/)],
  ['wrong-json', 1, unclear(/not a JSON object: \["surprise"\]/)],
  ['deep', 1, unclear(/not a JSON object: \[{100}/)],
  ['huge=100', 1, unclear(/the response body is larger than 16777216 bytes/)],
  ['gzip-bomb=200', 1, unclear(/the response body has a content encoding/)],
];

describe('a create goes wrong, and the error reports what is known', () => {
  test.each(creates)('%s: %i made', async (fault, made, error) => {
    const { create, count } = await withFault(`${fault}@POST:ReservedAddr:1`);
    expect(await failure(create())).toMatch(error);
    expect(count()).toBe(3 + made);
    if (!fault.startsWith('refused')) expect(await create()).toMatchObject({ region: 'us' });
  });
});

/** Answers the client takes: what is in them is for those who asked to judge. */
const answers: readonly (readonly [fault: string, answer: object])[] = [
  ['id-missing', { region: 'us' }],
  ['other-id', { id: expect.stringMatching(/^ra_/) as string }],
  ['other-answer', { id: expect.stringMatching(/^ra_/) as string }],
  ['wrong-types', { id: 7, region: 7 }],
  ['unknown-fields', { from_the_future: { nested: [1, null] } }],
  ['wrong-content-type', { region: 'us' }],
  ['executed-twice', { region: 'us' }],
];

describe('an answer is passed on as it is', () => {
  test.each(answers)('%s', async (fault, answer) => {
    const { create, made } = await withFault(`${fault}@POST:ReservedAddr:1`);
    const got = await create();
    expect(got).toMatchObject(answer);
    if (fault === 'id-missing') expect(got).not.toHaveProperty('id');
    if (fault.startsWith('other-')) expect(made).toContain(got?.['id']);
  });

  test('a request that is executed twice makes two', async () => {
    const { create, count } = await withFault('executed-twice@POST:*:1');
    await create();
    expect(count()).toBe(5);
  });
});

describe('lists go wrong', () => {
  test.each([
    ['next-itself', /^UNREADABLE_LIST_RESPONSE: .*leads back to a page/],
    ['next-foreign', /^UNREADABLE_LIST_RESPONSE: .*leads to http:\/\/elsewhere\.invalid/],
  ])('%s', async (fault, error) => {
    const { listed } = await withFault(`${fault}@GET:ReservedAddr:0`);
    expect(await failure(listed())).toMatch(error);
  });

  test('next-endless', async () => {
    const { listed } = await withFault('next-endless@GET:ReservedAddr:0', false);
    expect(await failure(listed())).toMatch(/^TOO_MANY_ITEMS: .*only items that earlier pages also contain/);
  });

  test('item-twice and item-skipped', async () => {
    const twice = await withFault('item-twice@GET:ReservedAddr:1');
    expect((await twice.listed()).sort()).toEqual([...twice.made, twice.made[2]].sort());
    const skipped = await withFault('item-skipped@GET:ReservedAddr:1');
    expect((await skipped.listed()).sort()).toEqual(skipped.made.slice(0, 2).sort());
  });

  test('list-lag: the list does not know what the last writes made, though only lists are addressed', async () => {
    const { create, listed, made } = await withFault('list-lag=1@GET:ReservedAddr:0');
    await create();
    expect((await listed()).sort()).toEqual([...made].sort());
    const { id } = (await create()) ?? {};
    expect(await listed()).toHaveLength(4);
    expect(await listed()).not.toContain(id);
  });
});

describe('what is there cannot be read, or not yet', () => {
  test('404 for what exists', async () => {
    const { client, path } = await withFault('status-before=404@GET:ReservedAddr:1');
    expect(await failure(client.get(path))).toMatch(/^API_REFUSED: .* returned 404/);
    expect(await client.get(path)).toMatchObject({ region: 'us' });
  });

  test('read-after-write', async () => {
    const { client, create, path } = await withFault('read-after-write=2@GET:ReservedAddr:0');
    const { id } = (await create()) ?? {};
    const read = () => client.get(`/reserved_addrs/${String(id)}`);
    expect(await failure(read())).toMatch(/returned 404/);
    expect(await failure(read())).toMatch(/returned 404/);
    expect(await read()).toMatchObject({ id });
    expect(await client.get(path)).toMatchObject({ region: 'us' });
  });

  test.each([401, 403])('%i from here on', async (status) => {
    const { client, path } = await withFault(`status-before=${status}@#5+`);
    expect(await client.get(path)).toMatchObject({ region: 'us' });
    for (let again = 0; again < 3; again++)
      expect(await failure(client.get(path))).toMatch(new RegExp(`^ACCESS_DENIED: .* returned ${status}`));
  });

  test('refused: nobody listens, and after a while somebody does', async () => {
    const { client, path } = await withFault('refused=300@GET:ReservedAddr:1');
    stopTimers();
    expect(await failure(client.get(path))).toMatch(/^CONNECTION_FAILED/);
    expect(await failure(client.get(path))).toMatch(/^CONNECTION_FAILED: .*ECONNREFUSED/);
    const later = async (): Promise<unknown> => {
      vi.advanceTimersByTime(300);
      return client.get(path).catch(() => undefined);
    };
    await expect.poll(later).toMatchObject({ region: 'us' });
  });
});

describe('a commit comes late', () => {
  test('after the client gave up', async () => {
    const { create, count } = await withFault('late-commit=500@POST:*:1');
    stopTimers();
    expect(await failure(create())).toMatch(lost);
    vi.advanceTimersByTime(499);
    expect(count()).toBe(3);
    vi.advanceTimersByTime(1);
    await expect.poll(count).toBe(4);
  });

  test('even after its next list', async () => {
    const { create, listed } = await withFault('late-commit=list+2@POST:*:1');
    expect(await failure(create())).toMatch(lost);
    expect(await listed()).toHaveLength(3);
    expect(await listed()).toHaveLength(3);
    expect(await listed()).toHaveLength(4);
  });
});

describe('another actor is faster', () => {
  test('other-deletes: what a request is about is gone before it', async () => {
    const { client, path } = await withFault('other-deletes@PATCH:*:1');
    const change = client.write({ method: 'PATCH', path, body: { description: 'mine' } });
    expect(await failure(change)).toMatch(/^API_REFUSED: .* returned 404/);
  });

  test('other-changes: it has been changed, and the last one wins', async () => {
    const { client, path } = await withFault('other-changes@PATCH:*:1');
    const changed = await client.write({ method: 'PATCH', path, body: { metadata: 'mine' } });
    expect(changed).toMatchObject({ description: 'Changed by another client', metadata: 'mine' });
  });

  test('other-recreates: it is there again, under another id', async () => {
    const { client, path, listed, made } = await withFault('other-recreates=ReservedAddr@POST:*:1');
    await client.write({ method: 'POST', path: '/certificate_authorities', body: {} }).catch(() => undefined);
    expect(await client.get(path)).toMatchObject({ region: 'us' });
    expect(await listed()).toHaveLength(3);
    expect(await listed()).not.toContain(made[2]);
  });

  test('other-recreates fails the request if the object cannot be created again', async () => {
    const emulator = createEmulator({ seed: 1 });
    const headers = { authorization: 'Bearer k', 'example-version': '2', 'content-type': 'application/json' };
    const path = '/reserved_addrs';
    await emulator.handle({ method: 'POST', path, headers, body: '{"region":"us"}' });
    // As in an account that was copied from elsewhere.
    const account = JSON.stringify(emulator.snapshot()).replace('"region":"us"', '"region":7');
    emulator.restore(JSON.parse(account) as AccountData);
    emulator.intercept(faulty(parseFault('other-recreates=ReservedAddr@GET:*:1')));
    await expect(emulator.handle({ method: 'GET', path, headers })).rejects.toThrow('could not be created again');
  });
});

test('every mode is shown above', () => {
  const shown = [...creates, ...answers].map(([fault]) => fault.split('=')[0]);
  const elsewhere = Object.keys(modes).filter((mode) => !shown.includes(mode));
  expect(elsewhere.sort()).toEqual(
    [
      'item-skipped',
      'item-twice',
      'list-lag',
      'next-endless',
      'next-foreign',
      'next-itself',
      'other-changes',
      'other-deletes',
      'other-recreates',
      'read-after-write',
    ].sort(),
  );
});

test.each(['late-commit=lists!', 'status-before=199', 'cut=x', 'huge=4000', 'rate-limited=soon'])(
  'a parameter that a mode does not take is refused when it is read: %s',
  (fault) => {
    expect(() => parseFault(`${fault}@#1`)).toThrow(/invalid fault/);
  },
);
