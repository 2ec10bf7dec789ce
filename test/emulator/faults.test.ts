import { request, type Dispatcher } from 'undici';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import type { ListeningServer } from '../../src/emulator/http/server.ts';
import { setUp } from './support/setup.ts';

const headers = { authorization: 'Bearer key', 'example-version': '2', 'content-type': 'application/json' };
const open: ListeningServer[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

function withFault(text: string) {
  const all = setUp();
  all.emulator.intercept(faulty(parseFault(text)));
  const late = new AbortController();
  // Only of what never comes it is worth giving up soon, and not before it was sent: a busy machine may be slow.
  if (/^(stall|headers-only|drip)/.test(text))
    all.emulator.intercept((_, next) => {
      setTimeout(() => late.abort(), 300);
      return next();
    });
  const addresses = () => all.emulator.snapshot().resources.filter(({ kind }) => kind === 'ReservedAddr').length;
  return { ...all, addresses, signal: late.signal };
}

/** What a client sees of a create: a status and the text that came, or how it failed. */
async function seen(url: string, dispatcher?: Dispatcher, signal?: AbortSignal): Promise<string> {
  try {
    const { statusCode, body } = await request(`${url}/reserved_addrs`, {
      method: 'POST',
      headers,
      body: '{}',
      ...(dispatcher === undefined ? {} : { dispatcher }),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await body.text();
    return `${statusCode} ${text.slice(0, 5)}`;
  } catch (error) {
    return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'aborted';
  }
}

const onTheWire: readonly (readonly [fault: string, committed: number, sees: RegExp])[] = [
  ['reset-before', 0, /ECONNRESET|UND_ERR_SOCKET/],
  ['reset-after', 1, /ECONNRESET|UND_ERR_SOCKET/],
  ['stall-before', 0, /^aborted$/],
  ['stall-after', 1, /^aborted$/],
  ['headers-only', 1, /^aborted$/],
  ['cut=5', 1, /UND_ERR_SOCKET|ECONNRESET/],
  ['cut-unpromised=5', 1, /^201 \{"id"$/],
  ['drip=300', 1, /^aborted$/],
  ['status-before=503', 0, /^503/],
  ['status-after=500', 1, /^500/],
  ['rate-limited=30', 0, /^429/],
  ['empty', 1, /^201 $/],
  ['executed-twice', 2, /^201/],
];

describe('a fault looks the same with sockets and without', () => {
  test.each(onTheWire)('%s: %i made', async (mode, committed, sees) => {
    const sockets = withFault(`${mode}@POST:ReservedAddr:1`);
    const server = await sockets.emulator.listen();
    open.push(server);
    expect(await seen(server.url, undefined, sockets.signal)).toMatch(sees);
    expect(sockets.addresses()).toBe(committed);
    const inProcess = withFault(`${mode}@POST:ReservedAddr:1`);
    expect(await seen('http://emulator.invalid', inProcess.emulator.dispatcher(), inProcess.signal)).toMatch(sees);
    expect(inProcess.addresses()).toBe(committed);
  });

  test('a connection that nobody accepts has no answer that another fault could break', async () => {
    const { emulator, addresses } = withFault('refused=900@POST:ReservedAddr:1');
    emulator.intercept(faulty(parseFault('drip=1@POST:ReservedAddr:1')));
    expect(await seen('http://emulator.invalid', emulator.dispatcher())).toBe('ECONNREFUSED');
    expect(addresses()).toBe(0);
  });

  test('of a request that is executed twice, the answer that arrives is seen', async () => {
    const { emulator, addresses } = withFault('reset-before@POST:ReservedAddr:2');
    emulator.intercept(faulty(parseFault('executed-twice@POST:ReservedAddr:1')));
    expect(await seen('http://emulator.invalid', emulator.dispatcher())).toMatch(/^201/);
    expect(addresses()).toBe(1);
  });

  test('a late commit comes after the client has given up', async () => {
    const { emulator, addresses } = withFault('late-commit=500@#1');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    expect(await seen('http://emulator.invalid', emulator.dispatcher())).toBe('ECONNRESET');
    vi.advanceTimersByTime(499);
    expect(addresses()).toBe(0);
    vi.advanceTimersByTime(1);
    await expect.poll(addresses).toBe(1);
  });
});

describe('an answer may say the wrong thing', () => {
  async function created(fault: string) {
    const { emulator } = withFault(`${fault}@#1`);
    return emulator.handle({ method: 'POST', path: '/reserved_addrs', headers, body: '{}' });
  }

  test.each([
    ['html', /^<!doctype html>/],
    ['malformed-json', /,$/],
    ['wrong-json', /^\["surprise"\]$/],
    ['other-id', /"id":"ra_0{27}"/],
    ['unknown-fields', /"from_the_future"/],
    ['huge=1', /x{1048576}"\}$/],
    ['deep', /^\[{100000}\]{100000}$/],
  ])('%s', async (fault, body) => {
    const answer = await created(fault);
    expect(answer.status).toBe(201);
    expect(body.test(answer.body)).toBe(true);
  });

  test('other-answer', async () => {
    const { emulator } = withFault('other-answer@#2');
    const post = { method: 'POST', path: '/reserved_addrs', headers, body: '{}' };
    const first = await emulator.handle(post);
    expect(await emulator.handle(post)).toEqual(first);
    expect(emulator.snapshot().resources).toHaveLength(2);
  });

  test('id-missing', async () => {
    expect(JSON.parse((await created('id-missing')).body)).not.toHaveProperty('id');
  });

  test('wrong-content-type', async () => {
    expect((await created('wrong-content-type')).headers['content-type']).toBe('application/octet-stream');
  });

  test.each([
    ['rate-limited=absent', undefined],
    ['rate-limited=7', '7'],
    ['rate-limited=absurd', '99999999999999999999'],
    ['rate-limited=date+60', expect.stringMatching(/GMT$/) as string],
  ])('%s', async (fault, reported) => {
    expect((await created(fault)).headers['retry-after']).toEqual(reported);
  });

  test.each([
    ['redirect-same', 'http://emulator.invalid/reserved_addrs'],
    ['redirect-foreign', 'http://elsewhere.invalid/reserved_addrs'],
  ])('%s', async (fault, location) => {
    expect((await created(fault)).headers['location']).toBe(location);
    const { headers } = await withFault(`${fault}@*:*:0`).call('GET', '/reserved_addrs?limit=2');
    expect(headers['location']).toBe(`${location}?limit=2`);
  });
});

describe('lists may go wrong', () => {
  async function listed(fault: string) {
    const { call } = withFault(`${fault}@*:*:0`);
    for (let index = 0; index < 3; index++) await call('POST', '/reserved_addrs', {});
    const { body } = await call('GET', '/reserved_addrs');
    return { count: (body['reserved_addrs'] as readonly object[]).length, next: body['next_page_uri'] };
  }

  test.each([
    ['next-itself', 3, 'http://emulator.invalid/reserved_addrs'],
    ['next-endless', 3, 'http://emulator.invalid/reserved_addrs?page=1'],
    ['next-foreign', 3, 'http://elsewhere.invalid/reserved_addrs'],
    ['item-twice', 4, null],
    ['item-skipped', 2, null],
    ['list-lag=2', 1, null],
  ])('%s', async (fault, count, next) => {
    expect(await listed(fault)).toEqual({ count, next });
  });
});

describe('a fault is addressed', () => {
  async function statuses(address: string) {
    const { call } = withFault(`status-before=503@${address}`);
    const all: number[] = [];
    for (let index = 0; index < 4; index++) all.push((await call('POST', '/reserved_addrs', {})).status);
    return all;
  }

  test.each([
    ['#2', [201, 503, 201, 201]],
    ['#3+', [201, 201, 503, 503]],
    ['POST:ReservedAddr:4', [201, 201, 201, 503]],
    ['POST:HTTPSEdge:1', [201, 201, 201, 201]],
    ['*:*:0', [503, 503, 503, 503]],
    ['100%', [503, 503, 503, 503]],
  ])('by %s', async (address, expected) => {
    expect(await statuses(address)).toEqual(expected);
  });

  test('a share of requests is drawn the same way each time', async () => {
    const drawn = await statuses('50%');
    expect(await statuses('50%')).toEqual(drawn);
    expect(new Set(drawn)).toEqual(new Set([201, 503]));
  });

  test('what is no fault is reported as such', () => {
    expect(() => parseFault('explode@#1')).toThrow(/invalid fault to inject/);
    expect(() => parseFault('empty')).toThrow(/invalid fault to inject/);
  });
});
